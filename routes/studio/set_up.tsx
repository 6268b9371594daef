/** The set-up of a service that has no account yet, behind a link that works once. */
import { NewAccountFields } from "./parts/new_account.tsx";
import type { Hono } from "hono";
import { z } from "zod";
import { Email, Password } from "../../domain/brands/accounts.ts";
import { BrandName } from "../../domain/brands/brands.ts";
import { linkIsOver, opensSetUp, setUp } from "../../domain/brands/set_up.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import type { Service } from "../../domain/service/service.ts";
import { basePath } from "../base_path.ts";
import { checked } from "../dashboard/forms.ts";
import { enter } from "../dashboard/sign_in.ts";
import { WebClient } from "../face_call.ts";
import type { AppContext, AppEnv } from "../request.ts";
import { readFields, textOf } from "./form.ts";
import { pageHeaders } from "./headers.ts";
import { TextField } from "./parts/field.tsx";
import { Alone } from "./parts/frame.tsx";
import { STUDIO } from "./studio.ts";
import { plain } from "./words.ts";

const Owner = z.object({ email: Email, password: Password, brandName: BrandName });

export function addSetUp(app: Hono<AppEnv>, service: Service): void {
  const base = basePath(service.settings);
  const headers = { ...pageHeaders(service.settings), "referrer-policy": "no-referrer" };
  // The form has an origin only with this policy, and its address is a secret that works once.
  const formHeaders = pageHeaders(service.settings);
  const over = (c: AppContext) => {
    const page = (
      <Alone base={base} title="This link is over" error={linkIsOver().message}>
        <p>
          <a class="button" href={`${base}${STUDIO}`}>Sign in</a>
        </p>
      </Alone>
    );
    return c.html(page, 403, headers);
  };
  app.get(`${STUDIO}/set-up/:token`, async (c) => {
    if (!await opensSetUp(service, c.req.param("token"))) return over(c);
    return c.html(<SetUpPage base={base} path={c.req.path} />, 200, formHeaders);
  });
  app.post(`${STUDIO}/set-up/:token`, async (c) => {
    const token = c.req.param("token");
    if (!await opensSetUp(service, token)) return over(c);
    const fields = await readFields(c.req.raw);
    try {
      const by = {
        actor: { kind: "visitor" },
        from: new WebClient(c),
      } as const;
      const owner = checked(fields, Owner);
      const { account, brand } = await setUp({ ...service, by }, token, owner);
      await enter(c, service, account);
      return c.redirect(`${base}${STUDIO}/${brand.id}`, 303);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const shown = { given: fields, error: plain(error.message) };
      const page = <SetUpPage base={base} path={c.req.path} {...shown} />;
      return c.html(page, error.status as 400, formHeaders);
    }
  });
}

interface SetUpProps {
  base: string;
  path: string;
  given?: FormData;
  error?: string;
}

function SetUpPage({ base, path, given = new FormData(), error }: SetUpProps) {
  return (
    <Alone base={base} title="Welcome to Marquee" error={error}>
      <p class="soft">Two minutes, and your first brand is ready.</p>
      <form class="form card" method="post" action={base + path}>
        <NewAccountFields given={given} />
        <TextField
          name="brandName"
          label="Your brand's name"
          value={textOf(given, "brandName")}
          most={120}
          required
        />
        <button>Open Studio</button>
      </form>
    </Alone>
  );
}
