/** LinkedIn's pictures: read in a batch or one at a time; stored ones stay where they can't be read. */
import { assert, assertEquals } from "@std/assert";
import { DAY, iso, MINUTE } from "../../domain/foundation/calendar.ts";
import { refreshAccount } from "../../domain/platforms/refresh.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { connectAccount } from "../../domain/platforms/accounts.ts";
import { Recorded, type Recording } from "../support/recordings.ts";
import { type Rehearsal, rehearse } from "../support/rehearsal.ts";
import { NOON } from "../support/service.ts";

const ORGANIZATION = "urn:li:organization:5515715";
const A = "urn:li:image:A";
const B = "urn:li:image:B";

const share = (id: number, content: object, publishedAt = NOON - DAY) => ({
  id: `urn:li:share:${id}`,
  commentary: `Share ${id}`,
  lifecycleState: "PUBLISHED",
  publishedAt,
  content,
});
const image = (urn: string, downloadUrl = `https://media.example/${urn.at(-1)}`) => ({
  id: urn,
  owner: ORGANIZATION,
  status: "AVAILABLE",
  downloadUrl,
  downloadUrlExpiresAt: NOON + DAY,
});
const CAROUSEL = share(1, { multiImage: { images: [{ id: A }, { id: B }] } });
const VIDEO = share(2, { media: { id: "urn:li:video:V" } }, NOON - 2 * DAY);

/** What every organization here returns: two posts, and no numbers. */
const posts = (...elements: object[]): Recording[] => [
  { path: "/rest/posts?author=", body: { elements, paging: { links: [] } } },
  { path: "/rest/organizationalEntityShareStatistics", body: { elements: [] } },
  { path: "/rest/videoAnalytics", body: { elements: [{ value: 7 }] } },
];
const batch = (body: object, status = 200): Recording => ({
  path: "/rest/images?ids",
  body,
  status,
});
const one = (urn: string, body: object, status = 200): Recording => ({
  path: `/rest/images/${urn}`,
  body,
  status,
});
const cover = (body: object, status = 200): Recording => ({
  path: "/rest/videos/urn:li:video:V",
  body,
  status,
});
const DENIED = { status: 403, code: "ACCESS_DENIED", message: "Not enough permissions" };
const GONE = { status: 404, code: "NOT_FOUND", message: "Not found" };
const DOWN = { status: 500, code: "INTERNAL_SERVER_ERROR", message: "Internal Server Error" };

class Played {
  constructor(
    readonly r: Rehearsal,
    readonly server: Recorded,
    readonly read: () => Promise<number>,
  ) {}

  /** Addresses of each post's pictures, newest post first. */
  async pictures(): Promise<string[][]> {
    return (await this.r.posts("linkedin")).map(({ mediaUrls, thumbnailUrl }) => {
      assertEquals(thumbnailUrl, mediaUrls[0] ?? null);
      return mediaUrls;
    });
  }

  asked(part: string): number {
    return this.server.asked.filter(({ url }) => url.includes(part)).length;
  }
}

/** An organization's account whose platform returns `recordings`. */
async function played(recordings: Recording[], test: (p: Played) => Promise<void>): Promise<void> {
  await using server = new Recorded(recordings);
  await using r = await rehearse({ environ: { LINKEDIN_API_URL: server.url } });
  const account = await connectAccount(r.service, r.brand.brand.id, {
    platform: "linkedin",
    kind: "organization",
    handle: "acme",
    externalId: ORGANIZATION,
  }, {
    access: "token",
    issuedAt: NOON,
    accessExpiresAt: NOON + 50 * DAY,
    refresh: null,
    refreshExpiresAt: null,
  });
  const read = async () =>
    (await refreshAccount(r.service, account, new AbortController().signal)).failed;
  await test(new Played(r, server, read));
}

Deno.test("a batch asks for all images at once, in order and in Rest.li's form", async () => {
  const body = { results: { [B]: image(B), [A]: image(A) }, statuses: {}, errors: {} };
  await played([...posts(CAROUSEL), batch(body)], async (p) => {
    assertEquals(await p.read(), 0);
    assertEquals(await p.pictures(), [["https://media.example/A", "https://media.example/B"]]);
    const [asked] = p.server.asked.filter(({ url }) => url.includes("/rest/images"));
    assertEquals(asked!.url, `/rest/images?ids=List(${A},${B})`);
    assertEquals(asked!.headers.get("x-restli-method"), "BATCH_GET");
    assertEquals(asked!.headers.get("linkedin-version"), "202609");
    assertEquals(p.asked("/rest/images"), 1);
  });
});

Deno.test("an application that may not read batches reads one image at a time", async () => {
  const recordings = [...posts(CAROUSEL), batch(DENIED, 403), one(A, image(A)), one(B, image(B))];
  await played(recordings, async (p) => {
    assertEquals(await p.read(), 0);
    assertEquals(await p.pictures(), [["https://media.example/A", "https://media.example/B"]]);
  });
});

Deno.test("an image that LinkedIn does not have is left out, and the others are shown", async () => {
  const gone = { results: { [B]: image(B) }, statuses: { [A]: 404 }, errors: { [A]: GONE } };
  const pending = { results: { [A]: image(A, ""), [B]: image(B) } };
  for (
    const answers of [
      [batch(gone)],
      [batch(pending)],
      [batch(DENIED, 403), one(A, GONE, 404), one(B, image(B))],
    ]
  ) {
    await played([...posts(CAROUSEL), ...answers], async (p) => {
      assertEquals(await p.read(), 0);
      assertEquals(await p.pictures(), [["https://media.example/B"]]);
    });
  }
});

Deno.test("stored pictures stay when LinkedIn's can't be read, and the numbers are still read", async () => {
  const body = { results: { [A]: image(A), [B]: image(B) } };
  const fine = [batch(body), cover({ thumbnail: "https://media.example/V" })];
  const both = [["https://media.example/A", "https://media.example/B"], [
    "https://media.example/V",
  ]];
  const unread = { [A]: 500, [B]: 500 };
  const answers = [
    [batch(DENIED, 403), { path: "/rest/images/", body: DENIED, status: 403 }, cover(DENIED, 403)],
    [batch(DOWN, 500), { path: "/rest/images/", body: DOWN, status: 500 }, cover(DOWN, 500)],
    [batch({ results: {}, statuses: unread, errors: { [A]: DOWN, [B]: DOWN } }), cover(DOWN, 500)],
  ];
  for (const answer of answers) {
    await played([...posts(CAROUSEL, VIDEO), ...fine], async (p) => {
      assertEquals(await p.read(), 0);
      assertEquals(await p.pictures(), both);
      p.server.recordings = [...posts(CAROUSEL, VIDEO), ...answer];
      p.r.t.turn(30 * MINUTE);
      assertEquals(await p.read(), 0);
      assertEquals(await p.pictures(), both);
      for (const { metrics } of await p.r.posts("linkedin")) {
        assertEquals(metrics.capturedAt, iso(NOON + 30 * MINUTE));
      }
    });
  }
});

Deno.test("posts that are not due keep their pictures and cost no calls for them", async () => {
  const old = [
    share(3, { media: { id: A } }, NOON - 40 * DAY),
    share(4, { media: { id: "urn:li:video:V" } }, NOON - 41 * DAY),
  ];
  const pictures = [
    batch({ results: { [A]: image(A) } }),
    cover({ thumbnail: "https://media.example/V" }),
  ];
  await played([...posts(...old), ...pictures], async (p) => {
    assertEquals(await p.read(), 0);
    const before = await p.pictures();
    assertEquals(before, [["https://media.example/A"], ["https://media.example/V"]]);
    const asked = [p.asked("/rest/images"), p.asked("/rest/videos")];
    // Midnight comes while the second pass of the day waits for its list.
    p.r.t.turnTo("2026-11-20T23:59:59Z");
    const { http } = p.r.service;
    const slow: typeof fetch = async (input, init) => {
      const answer = await http(input, init);
      if (String(input).includes("/rest/posts")) p.r.t.turn(MINUTE);
      return answer;
    };
    Object.assign(p.r.service, { http: slow });
    assertEquals(await p.read(), 0);
    assertEquals(await p.pictures(), before);
    assertEquals([p.asked("/rest/images"), p.asked("/rest/videos")], asked);
    for (const { snapshots } of await p.r.posts("linkedin")) assertEquals(snapshots.length, 1);
  });
});

Deno.test("a post stored without pictures given keeps those it has, in one write and in two", async () => {
  await using r = await rehearse();
  const reading = {
    views: 1,
    impressions: 1,
    reach: null,
    likes: 0,
    comments: 0,
    shares: 0,
    saves: null,
    clicks: null,
    capturedAt: iso(NOON),
  };
  const post = {
    externalId: "urn:li:share:9",
    platform: "linkedin" as const,
    format: "image" as const,
    title: null,
    url: "https://www.linkedin.com/feed/update/urn:li:share:9/",
    caption: "",
    hashtags: [],
    thumbnailUrl: "https://media.example/A",
    mediaUrls: ["https://media.example/A"],
    publishedAt: iso(NOON - DAY),
    readings: [reading],
  };
  const silent = { ...post, caption: "New", thumbnailUrl: undefined, mediaUrls: undefined };
  for (const writes of [[[post, silent]], [[post], [silent]]]) {
    const brandId = r.brand.brand.id;
    for (const posts of writes) await upsertPosts(r.service, brandId, posts);
    const [shown] = await r.posts("linkedin");
    assert(shown !== undefined);
    assertEquals([shown.caption, shown.thumbnailUrl, shown.mediaUrls], [
      "New",
      post.thumbnailUrl,
      post.mediaUrls,
    ]);
  }
});
