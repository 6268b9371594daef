/** What an agent can do about a refusal: one sentence for each code, and the tool that has the ids. */
import type { ErrorCode } from "../domain/foundation/errors.ts";
import type { Group } from "../domain/operations/groups.ts";
import type { AnyOperation } from "../domain/operations/operation.ts";

/** The tool that lists the things of a group. */
const LISTS: Partial<Record<Group, string>> = {
  "Posts": "list_posts",
  "Assets": "list_assets",
  "Cast members": "list_cast_members",
  "Creations": "list_creations",
  "Series": "list_series",
  "Series items": "list_items",
  "Items": "list_items",
  "Organizations": "list_organizations",
};

const STEPS: Record<ErrorCode, (group?: Group) => string> = {
  unauthorized: () => "Connect again with a key that is not revoked.",
  forbidden: () => "get_key says what this key may do; a person can make one that may do more.",
  notFound: (group) => {
    if (group === undefined) return "Choose a tool of tools/list.";
    const list = LISTS[group];
    return list === undefined ? "Check the id." : `Take the id from ${list}, then call again.`;
  },
  validationError: () => "Correct that argument, then call again.",
  rateLimitExceeded: () => "Wait as many seconds as `retryAfter` says, then call again.",
  quotaExceeded: () =>
    "Stop here and tell a person: it clears with the next month or a larger plan.",
  creditsExhausted: () =>
    "Stop making images and tell a person: get_credits says what is left, and credits come with " +
    "the next month.",
  conflict: (group) =>
    group === "Items" || group === "Series items"
      ? "explain_item says where the post stands and what to do."
      : "Read it again, then act on its present state.",
  serviceUnavailable: () => "Call again after `retryAfter` seconds, with the same arguments.",
};

/** @param operation null: there is no such tool */
export function nextStep(code: ErrorCode, operation: AnyOperation | null): string {
  return `Next: ${STEPS[code](operation?.group)}`;
}
