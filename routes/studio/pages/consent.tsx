/** What a person sees when an app asks for access to a brand. */
import type { Brand } from "../../../domain/brands/brands.ts";
import { isDocumentId } from "../../../domain/brands/apps/document.ts";
import { isLoopback } from "../../../domain/brands/apps/redirects.ts";
import { Scope } from "../../../domain/brands/keys.ts";
import type { Asked, AskedWrongly } from "../authorize.ts";
import { textOf, textsOf } from "../form.ts";
import { Notice } from "../parts/chip.tsx";
import { CheckField, SelectField, TextField } from "../parts/field.tsx";
import { Alone } from "../parts/frame.tsx";
import { STUDIO } from "../studio.ts";
import { SCOPE_WORDS } from "../words.ts";

/** What other people notice, so it is never ticked beforehand. */
const BY_HAND: readonly Scope[] = ["publishWrite", "brandsWrite"];

/** How long an app may be let in, by the field's value; null: until somebody revokes it. */
export const LENGTHS: Record<string, { words: string; days: number | null }> = {
  day: { words: "For a day", days: 1 },
  month: { words: "For 30 days", days: 30 },
  quarter: { words: "For 90 days", days: 90 },
  year: { words: "For a year", days: 365 },
  always: { words: "Until I revoke it", days: null },
};

interface ConsentProps {
  base: string;
  /** The page's own address, with everything that the app asked for. */
  action: string;
  /** Ties the form to this session and this request. */
  proof: string;
  asked: Asked;
  email: string | null;
  brands: Brand[];
  given?: FormData | undefined;
  error?: string | undefined;
}

export function ConsentPage(props: ConsentProps) {
  const { base, action, proof, asked, email, brands, given, error } = props;
  const { client, redirectUri, scopes } = asked;
  const ticked = given === undefined
    ? scopes.filter((scope) => !BY_HAND.includes(scope))
    : textsOf(given, "scopes");
  const [first] = brands;
  return (
    <Alone base={base} title="Let an app in" error={error}>
      <div class="card stack">
        <p>
          <b dir="auto">{client.name}</b> wants to work with a brand of yours as an agent. You are
          {" "}
          signed in as {email ?? "the owner"}.
        </p>
        <p class="soft">
          {isDocumentId(client.id)
            ? (
              <>
                It is the app of <b>{hostOf(client.id)}</b>.{" "}
              </>
            )
            : <>The name is what the app calls itself.{" "}</>}
          It will be answered at <b>{placeOf(redirectUri)}</b>.
        </p>
        {isLoopback(redirectUri)
          ? (
            <Notice tone="warn">
              That is a program on your own computer. Go on only if you have just started it.
            </Notice>
          )
          : null}
      </div>
      {first === undefined
        ? (
          <p>
            You have no brand yet. <a href={`${base}${STUDIO}/brands/new`}>Add one</a>, then let the
            {" "}
            app sign in again.
          </p>
        )
        : (
          <form class="form card" method="post" action={action}>
            <input type="hidden" name="proof" value={proof} />
            <SelectField
              name="brand"
              label="Brand"
              value={textOf(given ?? new FormData(), "brand") || first.id}
              choices={brands.map(({ id, name }) => ({ value: id, label: name }))}
            />
            <fieldset class="field">
              <legend>What it may do</legend>
              {scopes.map((scope) => (
                <CheckField
                  name="scopes"
                  value={scope}
                  label={SCOPE_WORDS[scope]}
                  hint={scope}
                  checked={ticked.includes(scope)}
                />
              ))}
            </fieldset>
            <Limits given={given} />
            <div class="actions">
              <button name="decision" value="allow">Let it in</button>
              <button class="plain" name="decision" value="deny" formnovalidate>Don't</button>
            </div>
            <p class="soft small">
              It is listed under Settings, Developers. Revoking it there ends it at once.
            </p>
          </form>
        )}
    </Alone>
  );
}

function Limits({ given = new FormData() }: { given?: FormData | undefined }) {
  return (
    <>
      <SelectField
        name="until"
        label="For how long"
        value={textOf(given, "until") || "month"}
        choices={Object.entries(LENGTHS).map(([value, { words }]) => ({ value, label: words }))}
      />
      <TextField
        name="publishesPerDay"
        label="Posts that it may publish a day"
        type="number"
        least={0}
        most={100_000}
        value={textOf(given, "publishesPerDay")}
        hint="Leave it empty for no limit."
      />
      <TextField
        name="creditsPerDay"
        label="Picture credits that it may spend a day"
        type="number"
        least={0}
        most={100_000}
        value={textOf(given, "creditsPerDay")}
        hint="Leave it empty for no limit but the plan's."
      />
    </>
  );
}

/** An app, or what it asks for, is not right. Nobody is sent anywhere without a click. */
export function RefusedAppPage(
  { base, words, asked }: { base: string; words: string; asked?: AskedWrongly },
) {
  return (
    <Alone base={base} title="This app can't be let in" error={words}>
      {asked === undefined ? null : (
        <p>
          <a class="button" href={asked.back} rel="noreferrer">
            Tell {asked.client.name} at {placeOf(asked.redirectUri)}
          </a>
        </p>
      )}
      <p>
        <a class="button plain" href={`${base}${STUDIO}`}>Back to Studio</a>
      </p>
    </Alone>
  );
}

const hostOf = (url: string): string => new URL(url).host;

/** The host of an answer's address, or the scheme by which a program on the computer is opened. */
function placeOf(uri: string): string {
  const { host, protocol } = new URL(uri);
  return /^https?:$/.test(protocol) ? host : `${protocol}//${host}`;
}
