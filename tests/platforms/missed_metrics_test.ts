/** A metric that fails for a while is reported and keeps its value; only a refused one is dropped. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../domain/foundation/calendar.ts";
import { publishPost } from "../../domain/platforms/publish.ts";
import type { Platform, PostDetail } from "../../domain/posts/shape.ts";
import { type Rehearsal, rehearse } from "../support/rehearsal.ts";

const DOWN = { message: "Internal Server Error", status: 500 };
const REFUSED = { message: "The query is not supported.", status: 400 };

/** Calls whose address contains `part` get `answer`. */
function meeting(r: Rehearsal, part: string, { message, status }: typeof DOWN): () => void {
  const { http } = r.service;
  const failing: typeof fetch = async (input, init) =>
    decodeURIComponent(String(input)).includes(part)
      ? Response.json({ message, status, error: { message, errors: [] } }, { status })
      : await http(input, init);
  Object.assign(r.service, { http: failing });
  return () => void Object.assign(r.service, { http });
}

const CASES = [
  ["linkedin", "acme", "/rest/videoAnalytics", "views"],
  ["linkedin", "member-jane", "queryType=REACTION", "likes"],
  ["youtube", "acme", "/v2/reports", "shares"],
] as const;

/** An account with posts of which only some have been measured. */
async function measured(r: Rehearsal, platform: Platform, handle: string) {
  const account = await r.connect(platform, handle);
  if (handle === "member-jane") {
    assertEquals((await publishPost(r.service, await r.attempt(account))).state, "published");
    r.t.turn(HOUR);
  }
  await r.pass();
  r.t.turn(30 * MINUTE);
  const before = new Map((await r.posts(platform)).map((post) => [post.id, post]));
  assert(before.size > 0);
  return { account, before };
}

function requireRead(before: Map<string, PostDetail>, after: PostDetail[]): void {
  const read = after.filter(({ id, metrics }) =>
    metrics.capturedAt > before.get(id)!.metrics.capturedAt
  );
  assert(read.length > 0, "the other numbers were not read");
}

for (const [platform, handle, part, field] of CASES) {
  Deno.test(`${platform} ${handle}: while ${field} fail, the others are read, and the account says so`, async () => {
    await using r = await rehearse();
    const { account, before } = await measured(r, platform, handle);
    const mend = meeting(r, part, DOWN);
    assertEquals((await r.pass())["failed"], 1);
    assertStringIncludes((await r.again(account)).error!, "Marquee tries again.");
    const posts = await r.posts(platform);
    requireRead(before, posts);
    const isMissing = ({ format }: PostDetail) => field !== "views" || format === "video";
    for (const post of posts.filter(isMissing)) {
      assertEquals(post.metrics[field], before.get(post.id)!.metrics[field]);
    }
    mend();
    r.t.turn(30 * MINUTE);
    assertEquals((await r.pass())["failed"], 0);
    assertEquals((await r.again(account)).error, null);
  });

  Deno.test(`${platform} ${handle}: when ${field} are refused, the others are read, and the account shows no error`, async () => {
    await using r = await rehearse();
    const { account, before } = await measured(r, platform, handle);
    meeting(r, part, REFUSED);
    assertEquals((await r.pass())["failed"], 0);
    assertEquals((await r.again(account)).error, null);
    assertStringIncludes(r.logged, '"event":"platform.metricRefused"');
    requireRead(before, await r.posts(platform));
  });
}

Deno.test("a post whose first numbers are incomplete appears with the next pass, not with zeros", async () => {
  await using r = await rehearse();
  const mend = meeting(r, "/v2/reports", DOWN);
  await r.connect("youtube");
  assertEquals((await r.pass())["failed"], 1);
  assertEquals(await r.posts("youtube"), []);
  mend();
  r.t.turn(DAY);
  assertEquals((await r.pass())["failed"], 0);
  const posts = await r.posts("youtube");
  assert(posts.some(({ metrics }) => metrics.shares > 0));
});

Deno.test("YouTube's Analytics, when throttled, delays no other numbers", async () => {
  await using r = await rehearse();
  const { before } = await measured(r, "youtube", "acme");
  meeting(r, "/v2/reports", { message: "Too many", status: 429 });
  const report = await r.pass();
  assertEquals(report["failed"], 1);
  requireRead(before, await r.posts("youtube"));
  assert((await r.service.jobs.list()).every(({ kind }) => kind !== "metrics"), "it waits");
});

/** YouTube with pages of ten, so that a channel has several; returns how many were requested. */
function inTens(r: Rehearsal): () => number {
  let asked = 0;
  const { http } = r.service;
  const paged: typeof fetch = (input, init) => {
    if (!String(input).includes("/playlistItems")) return http(input, init);
    asked++;
    return http(String(input).replace("maxResults=50", "maxResults=10"), init);
  };
  Object.assign(r.service, { http: paged });
  return () => [asked, asked = 0][0]!;
}

Deno.test("a metric that fails all day costs one full listing and not one in each pass", async () => {
  await using r = await rehearse();
  const pages = inTens(r);
  await r.connect("youtube");
  await r.pass();
  const all = pages();
  r.t.turn(30 * MINUTE);
  await r.pass();
  const young = pages();
  assert(young < all);
  r.t.turn(DAY);
  meeting(r, "/v2/reports", { message: "Too many", status: 429 });
  const counts: number[] = [];
  for (let pass = 0; pass < 3; pass++) {
    assertEquals((await r.pass())["failed"], 1);
    counts.push(pages());
    r.t.turn(30 * MINUTE);
  }
  assertEquals(counts, [all, young, young]);
});

Deno.test("posts without a first reading are listed in each pass, even old ones", async () => {
  await using r = await rehearse();
  inTens(r);
  const mend = meeting(r, "/v2/reports", DOWN);
  const account = await r.connect("youtube");
  await r.pass();
  assertEquals(await r.posts("youtube"), []);
  mend();
  r.t.turn(30 * MINUTE);
  await r.pass();
  assertEquals((await r.posts("youtube")).length, (await r.truth(account)).length);
});

Deno.test("posts that LinkedIn no longer measures drop no metric of other posts", async () => {
  await using r = await rehearse();
  const account = await r.connect("linkedin", "member-jane");
  const urls: string[] = [];
  for (let post = 0; post < 3; post++) {
    const outcome = await publishPost(r.service, await r.attempt(account));
    assert(outcome.state === "published");
    urls.push(outcome.externalPostId!);
    r.t.turn(MINUTE);
  }
  r.t.turn(HOUR);
  // LinkedIn refuses each metric of the two newer posts.
  const gone = urls.slice(1);
  const { http } = r.service;
  const missing: typeof fetch = async (input, init) =>
    gone.some((urn) => decodeURIComponent(String(input)).includes(urn))
      ? Response.json({ message: "m", code: "NOT_FOUND", status: 404 }, { status: 404 })
      : await http(input, init);
  Object.assign(r.service, { http: missing });
  await r.pass();
  const [post, ...others] = await r.posts("linkedin");
  assertEquals(others, []);
  assert(post!.metrics.impressions > 0);
});
