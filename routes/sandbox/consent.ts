/** The page on which an account's owner consents or cancels, the same for every platform. */
import { html } from "hono/html";
import { z } from "zod";
import { firstProblem } from "../../domain/foundation/problems.ts";
import type { Platform } from "../../domain/posts/shape.ts";
import { openAccount } from "../../domain/platforms/sandbox/accounts.ts";
import { scopesOf } from "../../domain/platforms/sandbox/handles.ts";
import { issueToken } from "../../domain/platforms/sandbox/tokens.ts";
import type { Service } from "../../domain/service/service.ts";
import type { AppContext } from "../request.ts";

const Authorization = z.object({
  client_id: z.string().min(1),
  redirect_uri: z.url({ protocol: /^https?$/ }),
  response_type: z.literal("code"),
  scope: z.string().min(1),
  state: z.string().optional(),
  /** PKCE (RFC 7636). */
  code_challenge: z.string().regex(/^[\w-]{43}$/).optional(),
  code_challenge_method: z.literal("S256").optional(),
  /** The account; when it is given, no page is shown. */
  handle: z.string().optional(),
  decision: z.enum(["allow", "cancel"]).optional(),
});

/** How a platform returns to the app. */
interface ConsentHabits {
  /** Parameters after the owner cancelled. */
  cancelled: Record<string, string>;
  /** The character between scopes. */
  separator: string;
  /** Appended to the address; only Instagram does so. */
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
    return c.text(`Invalid request: ${firstProblem(parsed.error)}`, 400);
  }
  const { redirect_uri, state, scope, handle, decision, client_id } = parsed.data;
  const { code_challenge: challenge, code_challenge_method: method } = parsed.data;
  if (challenge !== undefined && method === undefined) {
    return c.text("Invalid request: without code_challenge_method the challenge is plain", 400);
  }
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
    ...(challenge === undefined ? {} : { challenge }),
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
