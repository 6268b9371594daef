/**
 * People's face beneath Studio: a session and a brand in which the account has a role, for which it
 * performs the operations that keys and agents perform, as far as the role reaches. A person's requests don't count against the brand's quota of
 * requests, because that limits programs; image credits count for everybody.
 */
import type { z } from "zod";
import { type Brand, BrandName, createBrand } from "../domain/brands/brands.ts";
import { knownBrowser } from "../domain/brands/browsers.ts";
import type { ApiKey } from "../domain/brands/keys.ts";
import { brandsOf } from "../domain/brands/members.ts";
import { type Role, ROLE_SCOPES } from "../domain/brands/roles.ts";
import type { SignedIn } from "../domain/brands/sessions.ts";
import { invalid, noSuch } from "../domain/foundation/errors.ts";
import type { By } from "../domain/kv/audit.ts";
import { perform } from "../domain/operations/gate.ts";
import type { Operation, Value } from "../domain/operations/operation.ts";
import type { Service } from "../domain/service/service.ts";
import { actingFor } from "./dashboard/acting.ts";
import { readCookie, sessionOf } from "./dashboard/cookie.ts";
import { WebClient } from "./face_call.ts";
import type { AppContext } from "./request.ts";

/** Performs an operation as the person, on one brand. */
export type Call = <Input extends z.ZodObject, Output extends z.ZodType | null>(
  operation: Operation<Input, Output>,
  input: z.input<Input>,
) => Promise<Value<Output>>;

export interface Person {
  session: SignedIn;
  /** The brands in which the account has a role, oldest first. */
  brands: Brand[];
  /** Brand's id → the account's role in it, as it is at this request. */
  roles: Map<string, Role>;
}

/** Whoever is signed in with this request, or null. */
export async function personOf(service: Service, request: Request): Promise<Person | null> {
  const session = await sessionOf(service, request);
  if (session === null) return null;
  const found = await brandsOf(service.kv, session.accountId);
  return {
    session,
    brands: found.map(({ brand }) => brand),
    roles: new Map(found.map(({ brand, role }) => [brand.id, role])),
  };
}

/** Whether the browser has signed in before, so that what it sends may be kept for after a sign-in. */
export async function isKnownBrowser(service: Service, request: Request): Promise<boolean> {
  const mark = readCookie(service.settings, request, "marquee_browser");
  return await knownBrowser(service.secrets, mark) !== null;
}

/** The walk over operations for this person in one of their brands. */
export function callAs(
  service: Service,
  c: AppContext,
  { session: { accountId, email }, roles }: Person,
  brand: Brand,
): Call {
  const role = roles.get(brand.id);
  if (role === undefined) throw noSuch("brand");
  const client = new WebClient(c);
  const by: By = { actor: { kind: "account", id: accountId, email, role }, from: client };
  const caller = { brand, key: passOf(accountId, email, brand, role), by };
  return async (operation, input) => {
    const { value } = await perform(service, caller, operation, () => input, client);
    return value;
  };
}

/** Adds a brand to the person's account. No brand's operation can, because there may be none yet. */
export function addBrandAs(
  service: Service,
  c: AppContext,
  { session }: Person,
  name: string,
): Promise<Brand> {
  const parsed = BrandName.safeParse(name);
  if (!parsed.success) throw invalid("name", parsed.error.issues[0]?.message ?? "is not valid");
  const { accountId } = session;
  return createBrand(actingFor(service, c, session), {
    name: parsed.data,
    plan: "free",
    accountId,
  });
}

/** What operations read of a key: the scopes of the role, without budgets. */
function passOf(accountId: string, email: string | null, brand: Brand, role: Role): ApiKey {
  return {
    id: accountId,
    brandId: brand.id,
    name: email ?? "the owner",
    scopes: [...ROLE_SCOPES[role]],
    prefix: "",
    createdAt: brand.createdAt,
    revokedAt: null,
  };
}
