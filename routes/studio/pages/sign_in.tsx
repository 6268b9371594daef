/** Signing in. A form that was sent after the session had ended is kept and sent on afterwards. */
import { Field } from "../parts/field.tsx";
import { Alone } from "../parts/frame.tsx";
import { Notice } from "../parts/chip.tsx";
import { Icon } from "../parts/icons.tsx";

interface SignInProps {
  base: string;
  /** Where to go on afterwards. */
  next?: string | undefined;
  /** A form that was sent without a session. */
  fields?: FormData | undefined;
  /** A kept form as it came from an earlier try to sign in. */
  kept?: string | undefined;
  error?: string | undefined;
  email?: string | undefined;
}

export function SignInPage({ base, next, fields, kept, error, email = "" }: SignInProps) {
  const keeps = fields === undefined ? kept : keptOf(fields);
  return (
    <Alone base={base} title="Sign in" error={error}>
      {keeps === undefined ? null : (
        <Notice tone="accent">
          Your session has ended. Sign in, and what you wrote is still here.
        </Notice>
      )}
      <div class="card">
        <SignInForm base={base} next={next} kept={keeps} email={email} />
      </div>
      <p class="soft small">
        No account yet? Ask an owner of your brand for an invitation, or whoever runs this service
        for an account: <code>deno task admin account create</code>.
      </p>
    </Alone>
  );
}

interface FormProps extends Pick<SignInProps, "base" | "next" | "kept" | "email"> {
  /** Of the ids of its fields, where a page has others. */
  prefix?: string;
}

export function SignInForm({ base, next, kept, email = "", prefix = "" }: FormProps) {
  return (
    <form class="form" method="post" action={`${base}/dashboard/sign-in`}>
      {next === undefined ? null : <input type="hidden" name="next" value={next} />}
      {kept === undefined ? null : <input type="hidden" name="kept" value={kept} />}
      <Field id={`${prefix}email`} label="Email">
        <input
          id={`${prefix}email`}
          name="email"
          type="email"
          value={email}
          autocomplete="username"
          required
        />
      </Field>
      <Field id={`${prefix}password`} label="Password">
        <input
          id={`${prefix}password`}
          name="password"
          type="password"
          autocomplete="current-password"
          required
        />
      </Field>
      <button>Sign in</button>
    </form>
  );
}

/** The texts of a form as one value. Files can't be kept. */
function keptOf(fields: FormData): string {
  return JSON.stringify([...fields].filter(([, value]) => typeof value === "string"));
}

/** Shown after the sign-in: the kept form, which a person sends by one button. */
export function KeptPage({ base, next, kept }: { base: string; next: string; kept: string }) {
  const fields = fieldsOf(kept);
  const shown = fields.filter(([, value]) => value.trim() !== "");
  return (
    <Alone base={base} title="Nothing is lost">
      <p>You are signed in again. This is what you had written:</p>
      <div class="card">
        <dl class="stack">
          {shown.map(([name, value]) => (
            <div>
              <dt class="soft small">{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
        <form method="post" action={next} class="actions">
          {fields.map(([name, value]) => <input type="hidden" name={name} value={value} />)}
          <button>
            <Icon name="check" />
            Send it now
          </button>
          <a class="button plain" href={`${base}/studio`}>Leave it</a>
        </form>
      </div>
    </Alone>
  );
}

function fieldsOf(kept: string): [string, string][] {
  try {
    const parsed: unknown = JSON.parse(kept);
    if (!Array.isArray(parsed)) return [];
    return parsed.filter((pair): pair is [string, string] =>
      Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === "string")
    );
  } catch {
    return [];
  }
}
