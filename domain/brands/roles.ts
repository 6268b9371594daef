/** What a person may do in a brand, by role, in the scopes that API keys have. */
import { z } from "zod";
import { Scope } from "./keys.ts";

export const Role = z.enum(["owner", "editor", "approver", "viewer"]);
export type Role = z.output<typeof Role>;

/** `brandsWrite` is what only owners have: people, keys, connected accounts, plan. */
export const ROLE_SCOPES: Record<Role, readonly Scope[]> = {
  owner: Scope.options,
  editor: ["postsRead", "createRead", "createWrite"],
  approver: ["postsRead", "createRead", "publishWrite"],
  viewer: ["postsRead", "createRead"],
};
