/** The page on which an account's owner says yes or no: one for the three platforms. */
import { html } from "hono/html";
import { z } from "zod";
import type { Platform } from "../../domain/posts/shape.ts";
import { openAccount } from "../../domain/sandbox/accounts.ts";
import { scopesOf } from "../../domain/sandbox/handles.ts";
import { issueToken } from "../../domain/sandbox/tokens.ts";
import type { Service } from "../../domain/service.ts";
import type { AppContext } from "../request.ts";

const Authorization = z.object({
  client_id: z.string().min(1),
  redirect_uri: z.url({ protocol: /^https?$/ }),
  response_type: z.literal("code"),
  scope: z.string().min(1),
  state: z.string().optional(),
  /** Whose account; given at once, no page is shown. */
  handle: z.string().optional(),
  decision: z.enum(["allow", "cancel"]).optional(),
});

/** How a platform says that its user went away, and how it ends the address it returns to. */
export interface ConsentHabits {
  cancelled: Record<string, string>;
  /** What stands between scopes. */
  separator: string;
  /** What Instagram appends to the address it returns to. */
  fragment: string;
}

export async function consent(
  service: Service,
  platform: Platform,
  habits: ConsentHabits,
  c: AppContext,
): Promise<Response> {
  const parsed = Authorization.safeParse(c.req.query());
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    return c.text(`Invalid request: ${issue.path.join(".")}: ${issue.message}`, 400);
  }
  const { redirect_uri, state, scope, handle, decision, client_id } = parsed.data;
  if (decision === "cancel") {
    return backTo(redirect_uri, { ...habits.cancelled, ...(state === undefined ? {} : { state }) });
  }
  if (handle === undefined || handle.trim() === "") return c.html(page(platform, c.req.query()));
  const account = await openAccount(service.kv, service.now, platform, handle);
  const { token: code } = await issueToken(service.kv, service.now, account, {
    kind: "code",
    scopes: scope.split(habits.separator).filter((name) => scopesOf(account).includes(name)),
    redirectUri: redirect_uri,
    clientId: client_id,
  });
  const answer = { code, ...(state === undefined ? {} : { state }) };
  return backTo(redirect_uri, answer, habits.fragment);
}

function backTo(redirectUri: string, answer: Record<string, string>, fragment = ""): Response {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  return new Response(null, { status: 302, headers: { location: url.href + fragment } });
}

function page(platform: Platform, query: Record<string, string>) {
  const given = Object.entries(query).filter(([name]) => name !== "handle");
  return html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <title>Sandbox ${platform}</title>
      </head>
      <body>
        <h1>Sandbox ${platform}</h1>
        <p>An app asks for: ${query["scope"] ?? ""}</p>
        <form method="get">
              ${given.map(([name, value]) =>
                html`<input type="hidden" name="${name}" value="${value}">`
              )}
              <label>Account <input name="handle" value="demo" autofocus></label>
              <button name="decision" value="allow">Allow</button>
              <button name="decision" value="cancel">Cancel</button>
            </form>
      </body>
    </html>
  `;
}
