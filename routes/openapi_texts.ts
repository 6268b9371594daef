/** Texts of the description that are not about one operation: headers, introduction, plans. */
import { PLANS } from "../domain/brands/plans.ts";

/** Headers of every answer to a known key (spec section 8). */
export const LIMIT_HEADERS = {
  "X-RateLimit-Limit": "Requests allowed in one second.",
  "X-RateLimit-Remaining": "Requests left in the current second.",
  "X-RateLimit-Reset": "Unix time in seconds when the window resets.",
  "X-Quota-Limit": "Requests allowed this calendar month.",
  "X-Quota-Remaining": "Requests left this calendar month.",
} as const;

/** The same for programs, as the IETF has it. */
export const POLICY_HEADERS = {
  "RateLimit-Policy": 'The limits: `"second";q=20;w=1, "month";q=250000;w=2592000`.',
  "RateLimit": 'What is left of them, and for how many seconds: `"second";r=19;t=1, "month";...`.',
} as const;

export const RETRY_AFTER = "Seconds to wait before the next try.";

/** Headers that only some answers have. */
export const TEXT_HEADERS = {
  "ETag": "Send it back as `If-None-Match`: if nothing has changed, the answer is 304.",
  "Link": 'Other addresses: `rel="next"` and `rel="prev"` of a list, `rel="help"` of a refusal.',
};

/** What to know before the first request; the page of that name has the rest. */
export function introduction(baseUrl: string): string {
  const page = (name: string) => `${baseUrl}/docs/${name}`;
  return [
    "Send an API key of the brand as `Authorization: Bearer mq_...`. Answers are JSON; a failure is " +
    '`{"error": {"code", "message"}}`, and its `code` is what to branch on. Lists have `page` and ' +
    "`perPage`. A POST with an `Idempotency-Key` can be repeated safely for 24 hours. Ignore fields " +
    "that you don't know: later releases may add some.",
    `[Using the API](${page("introduction")}) says it in full, [Errors](${
      page("errors")
    }) has the ` +
    `cause and cure of each code, and the [reference](${page("reference/posts")}) shows every ` +
    "operation in curl, TypeScript and Python. With `SANDBOX=on` local stand-ins take the place of " +
    "the platforms, and faults can be ordered from them.",
    planTable(),
  ].join("\n\n");
}

/** The plan limits as a markdown table (spec section 8). */
export function planTable(): string {
  const rows = Object.entries(PLANS).map(([plan, limits]) =>
    `| ${plan.charAt(0).toUpperCase()}${plan.slice(1)} | ${
      [
        limits.requestsPerSecond,
        limits.requestsPerMonth,
        limits.activeKeys,
        limits.creditsPerMonth,
      ].map((n) => n.toLocaleString("en-US")).join(" | ")
    } |`
  );
  return [
    "Limits apply per brand:",
    "",
    "| Plan | Requests per second | Requests per month | Active keys | Image credits per month |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}
