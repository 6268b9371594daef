/** People at the dashboard's door: accounts, browsers with cookies, addresses that they come from. */
import { createAccount } from "../../domain/brands/accounts.ts";
import type { TestService } from "./service.ts";

export const OWNER = { email: "owner@example.com", password: "correct horse" };

export function owner(t: TestService): Promise<{ id: string }> {
  return createAccount(t.service, OWNER);
}

export interface From {
  /** The socket's address. */
  address?: string;
  headers?: Record<string, string>;
}

/** Sends a form as a browser on a page of the service would. */
export async function submit(
  t: TestService,
  path: string,
  fields: Record<string, string> | [string, string][],
  { address = "198.51.100.1", headers = {} }: From = {},
): Promise<Response> {
  const init = {
    method: "POST",
    headers: { origin: new URL(t.service.settings.BASE_URL).origin, ...headers },
    body: new URLSearchParams(fields),
  };
  const remoteAddr: Deno.NetAddr = { transport: "tcp", hostname: address, port: 50_000 };
  const info = { remoteAddr, completed: Promise.resolve() };
  return await t.app.request(path, init, { info });
}

/** One try to sign in, by default with the owner's email. */
export function tryToSignIn(
  t: TestService,
  password: string,
  from: From & { email?: string } = {},
): Promise<Response> {
  const { email = OWNER.email } = from;
  return submit(t, "/dashboard/sign-in", { email, password }, from);
}

/** The cookies that an answer sets, as the browser sends them back. */
export function cookies(answer: Response): { headers: { cookie: string } } {
  const cookie = answer.headers.getSetCookie().map((set) => set.split(";")[0]).join("; ");
  return { headers: { cookie } };
}
