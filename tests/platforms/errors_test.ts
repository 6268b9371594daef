/** The platforms' error bodies and text forms, as their documents describe them. */
import { assertEquals } from "@std/assert";
import type { Classify } from "../../domain/platforms/contract/wire.ts";
import { classifyInstagram } from "../../domain/platforms/connectors/instagram/errors.ts";
import { classifyLinkedIn } from "../../domain/platforms/connectors/linkedin/errors.ts";
import {
  classifyYouTube,
  nextPacificMidnight,
} from "../../domain/platforms/connectors/youtube/errors.ts";
import {
  escapeLittleText,
  unescapeLittleText,
} from "../../domain/platforms/connectors/linkedin/little_text.ts";
import { durationOf } from "../../domain/platforms/connectors/youtube/list.ts";
import type { Platform } from "../../domain/posts/shape.ts";
import { NOON } from "../support/service.ts";

/** Status, body, kind of failure, minutes until the next try, headers. */
type ErrorCase = [number, unknown, string, number?, Record<string, string>?];

const graph = (code: number, error_subcode?: number) => ({
  error: { message: "m", code, ...(error_subcode === undefined ? {} : { error_subcode }) },
});
const reason = (name: string) => ({ error: { message: "m", errors: [{ reason: name }] } });

const ERROR_CASES: Record<Platform, [Classify, ErrorCase[]]> = {
  instagram: [classifyInstagram, [
    [400, graph(190, 463), "tokenDead"],
    [500, graph(102), "tokenDead"],
    [400, graph(4), "rateLimited"],
    [
      400,
      graph(80002),
      "rateLimited",
      7,
      {
        "x-business-use-case-usage": JSON.stringify({
          "1": [{ type: "instagram", estimated_time_to_regain_access: 7 }],
        }),
      },
    ],
    [400, graph(4, 2207051), "duplicate"],
    [400, graph(9, 2207042), "rateLimited", 60],
    [400, graph(2), "transient"],
    [500, graph(-1, 2207001), "transient"],
    [403, graph(10), "permission"],
    [400, graph(200), "permission"],
    [400, graph(100), "badRequest"],
    [400, graph(100, 33), "unmeasurable"],
    [400, graph(100, 2108006), "unmeasurable"],
    [400, graph(36003, 2207009), "badRequest"],
    [400, graph(9007, 2207027), "notReady"],
    [400, graph(9004, 2207052), "notReady"],
    [400, graph(368), "policy"],
    [400, graph(2635), "versionOver"],
    [400, graph(506), "duplicate"],
    [502, "<html>", "transient"],
    [429, "<html>", "rateLimited", 2, { "retry-after": "120" }],
    [400, { error_type: "OAuthException", error_message: "m" }, "badRequest"],
    [429, { error_type: "OAuthException", error_message: "m" }, "rateLimited"],
    [500, { error_type: "OAuthException", error_message: "m" }, "transient"],
  ]],
  linkedin: [classifyLinkedIn, [
    [401, { status: 401, code: "EXPIRED_ACCESS_TOKEN", message: "m" }, "tokenDead"],
    [401, { message: "m", serviceErrorCode: 65601, status: 401 }, "tokenDead"],
    [403, { status: 403, code: "ACCESS_DENIED", message: "m" }, "permission"],
    [400, { status: 400, code: "INVALID_URN_ID", message: "m" }, "badRequest"],
    [409, { status: 409, code: "CONFLICT", message: "m" }, "transient"],
    [422, { message: "Content is a duplicate of urn:li:share:7" }, "duplicate"],
    [426, { status: 426, code: "NONEXISTENT_VERSION", message: "m" }, "versionOver"],
    [429, { status: 429, code: "TOO_MANY_REQUESTS", message: "m" }, "rateLimited"],
    [504, "", "transient"],
    [400, { error: "invalid_grant", error_description: "revoked" }, "tokenDead"],
    [429, { error: "rate_limited" }, "rateLimited", 2, { "retry-after": "120" }],
    [401, { error: "access_denied" }, "permission"],
    [401, { error: "invalid_client" }, "badRequest"],
    [500, { error: "server_error" }, "transient"],
  ]],
  youtube: [classifyYouTube, [
    [401, reason("authError"), "tokenDead"],
    [400, { error: "invalid_grant", error_description: "m" }, "tokenDead"],
    [429, { error: "rate_limit_exceeded" }, "rateLimited", 2, { "retry-after": "120" }],
    [403, { error: "rate_limit_exceeded" }, "rateLimited"],
    [403, { error: "access_denied" }, "permission"],
    [401, { error: "invalid_client" }, "badRequest"],
    [500, { error: "internal_failure" }, "transient"],
    [403, reason("quotaExceeded"), "rateLimited", 20 * 60],
    [403, reason("rateLimitExceeded"), "rateLimited"],
    [403, reason("insufficientPermissions"), "permission"],
    [404, reason("playlistNotFound"), "badRequest"],
    [503, reason("backendError"), "transient"],
  ]],
};

for (const [platform, [classify, cases]] of Object.entries(ERROR_CASES)) {
  Deno.test(`each of ${platform}'s errors is classified as its documents say`, () => {
    for (const [status, body, fault, minutes, headers] of cases) {
      const error = classify({ status, body, headers: new Headers(headers) }, NOON);
      assertEquals(error.fault, fault, JSON.stringify(body));
      const wait = error.retryAt === null ? undefined : (error.retryAt - NOON) / 60_000;
      assertEquals(wait, minutes, JSON.stringify(body));
    }
  });
}

Deno.test("little text is read back unchanged", () => {
  const texts = [
    "Plain",
    "a | b {c} @d [e] (f) <g> #h \\i *j* _k_ ~l~",
    "#tag_one und #größe",
    "C# is no tag",
  ];
  for (const text of texts) assertEquals(unescapeLittleText(escapeLittleText(text)), text);
  assertEquals(escapeLittleText("(a) #b *c*"), "\\(a\\) #b \\*c\\*");
});

Deno.test("the quota's day begins at midnight in California, in summer and in winter", () => {
  const next = (at: string) => new Date(nextPacificMidnight(Date.parse(at))).toISOString();
  assertEquals(next("2026-11-20T12:00:00Z"), "2026-11-21T08:00:00.000Z");
  assertEquals(next("2026-07-01T06:59:59Z"), "2026-07-01T07:00:00.000Z");
  assertEquals(next("2026-07-01T07:00:00Z"), "2026-07-02T07:00:00.000Z");
  assertEquals(durationOf("PT1H2M3S"), 3_723_000);
});
