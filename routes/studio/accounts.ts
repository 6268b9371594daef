/** How a post's account is named. */
import { TRAITS } from "../../domain/platforms/contract/traits.ts";
import type { Slot } from "../../domain/series/shape.ts";
import type { Studio } from "./studio.ts";

/** The account of a post as "handle · Platform". */
export function accountWords({ about }: Studio, { socialAccountId }: Slot): string {
  const account = about.accounts.find(({ id }) => id === socialAccountId);
  return account === undefined
    ? "no account yet"
    : `${account.handle} · ${TRAITS[account.platform].name}`;
}
