/** Who may hand out the scope `brandsWrite`: it reaches all brands of the account that this one belongs to. */
import type { Scope } from "../brands/keys.ts";
import { ServiceError } from "../foundation/errors.ts";
import type { Context } from "./operation.ts";

type Asking = Pick<Context, "brand" | "by">;

/** Whether it is that account which asks. Owners who were invited have other brands, or none. */
export const reachesAll = ({ brand, by: { actor } }: Asking): boolean =>
  actor.kind === "account" && actor.id === brand.accountId;

/** @throws ServiceError `forbidden` */
export function requireOwnBrands(context: Asking, scopes: readonly Scope[]): void {
  if (!scopes.includes("brandsWrite") || reachesAll(context)) return;
  throw new ServiceError(
    "forbidden",
    "Only the account that the brand belongs to makes keys that manage brands.",
  );
}
