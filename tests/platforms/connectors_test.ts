/** The connectors read the examples from the platforms' documents, field by field. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DAY } from "../../domain/foundation/calendar.ts";
import { refreshAccount } from "../../domain/platforms/refresh.ts";
import type { Platform } from "../../domain/posts/shape.ts";
import { connectAccount } from "../../domain/platforms/accounts.ts";
import type { AccountKind } from "../../domain/platforms/contract/traits.ts";
import { Recorded, type Recording } from "../support/recordings.ts";
import { NOON } from "../support/service.ts";
import { type Rehearsal, rehearse } from "../support/rehearsal.ts";

/** Connects an account of a platform that returns `recordings`, and reads its posts. */
async function played(
  platform: Platform,
  kind: AccountKind,
  externalId: string,
  recordings: Recording[],
  check: (r: Rehearsal, server: Recorded, failed: number) => Promise<void>,
): Promise<void> {
  await using server = new Recorded(recordings);
  const name = `${platform.toUpperCase()}_API_URL`;
  await using r = await rehearse({ environ: { [name]: server.url } });
  const identity = { platform, kind, handle: "acme", externalId };
  const account = await connectAccount(r.service, r.brand.brand.id, identity, {
    access: "the-access-token",
    issuedAt: NOON,
    accessExpiresAt: NOON + 50 * DAY,
    refresh: null,
    refreshExpiresAt: null,
  });
  const { failed } = await refreshAccount(r.service, account, new AbortController().signal);
  for (const { url, headers } of server.asked) {
    assert(!url.includes("the-access-token"), "an address holds the token");
    assertEquals(headers.get("authorization"), "Bearer the-access-token");
  }
  await check(r, server, failed);
}

const insight = (name: string, value: number) => ({
  name,
  period: "lifetime",
  values: [{ value }],
  id: `1/insights/${name}/lifetime`,
});

Deno.test("Instagram's media and insights become a carousel with every field", async () => {
  const carousel = {
    id: "17895695668004550",
    caption: "Fresh #Bread today",
    media_type: "CAROUSEL_ALBUM",
    media_product_type: "FEED",
    media_url: "https://scontent.example/1.jpg",
    permalink: "https://www.instagram.com/p/ABC/",
    shortcode: "ABC",
    timestamp: "2026-11-01T07:56:32+0000",
    like_count: 3,
    comments_count: 1,
    children: {
      data: [
        { id: "1791", media_type: "IMAGE", media_url: "https://scontent.example/1.jpg" },
        {
          id: "1792",
          media_type: "VIDEO",
          media_url: "https://scontent.example/2.mp4",
          thumbnail_url: "https://scontent.example/2.jpg",
        },
      ],
    },
  };
  const older = {
    id: "178",
    media_type: "VIDEO",
    permalink: "https://www.instagram.com/reel/DEF/",
    timestamp: "2026-10-30T00:00:00+0000",
  };
  await played("instagram", "professional", "17841400000000001", [
    { path: "/17841400000000001/stories", body: { data: [] } },
    { path: "after=QVFI2", body: { data: [older], paging: { cursors: { before: "x" } } } },
    {
      path: "/v26.0/17841400000000001/media?",
      body: {
        data: [carousel],
        paging: {
          cursors: { before: "QVFI1", after: "QVFI2" },
          next:
            "https://graph.instagram.com/v26.0/1/media?access_token=the-access-token&after=QVFI2",
        },
      },
    },
    {
      path: "/17895695668004550/insights?metric=views,reach,likes,comments,shares,saved",
      body: {
        data: [
          insight("views", 120),
          insight("reach", 80),
          insight("likes", 4),
          insight("shares", 2),
          insight("saved", 6),
        ],
      },
    },
    { path: "/178/insights", body: { data: [insight("views", 9)] } },
  ], async (r, _, failed) => {
    assertEquals(failed, 0);
    const [post, reel] = await r.posts("instagram");
    const { id: _id, snapshots: _snapshots, ...shown } = post!;
    assertEquals(shown, {
      platform: "instagram",
      format: "carousel",
      title: null,
      url: "https://www.instagram.com/p/ABC/",
      caption: "Fresh #Bread today",
      hashtags: ["bread"],
      thumbnailUrl: "https://scontent.example/1.jpg",
      mediaUrls: ["https://scontent.example/1.jpg", "https://scontent.example/2.jpg"],
      publishedAt: "2026-11-01T07:56:32.000Z",
      metrics: {
        views: 120,
        impressions: 120,
        reach: 80,
        likes: 4,
        comments: 1,
        shares: 2,
        saves: 6,
        clicks: null,
        engagementRate: 0.1083,
        capturedAt: "2026-11-20T12:00:00.000Z",
      },
    });
    // Without a product type the reel is known by its address.
    assertEquals([reel!.format, reel!.metrics.views, reel!.metrics.reach], ["reel", 9, null]);
  });
});

Deno.test("LinkedIn's posts and share statistics become posts of an organization", async () => {
  const share = "urn:li:share:6844785523593134080";
  const video = "urn:li:ugcPost:6844785523593134081";
  const element = {
    id: share,
    author: "urn:li:organization:5515715",
    commentary: "Text \\(really\\) {hashtag|\\#|launch} @[Acme](urn:li:organization:1)",
    visibility: "PUBLIC",
    lifecycleState: "PUBLISHED",
    createdAt: 1794817340000,
    publishedAt: 1794817340123,
    content: { multiImage: { images: [{ id: "urn:li:image:A" }, { id: "urn:li:image:B" }] } },
  };
  const other = {
    id: video,
    commentary: "See https://example.com/a",
    lifecycleState: "PUBLISHED",
    publishedAt: 1794817330000,
    content: { media: { id: "urn:li:video:V", title: "A film" } },
  };
  const draft = { ...other, id: "urn:li:share:1", lifecycleState: "DRAFT" };
  const statistics = (key: string, urn: string, numbers: object) => ({
    elements: [{ [key]: urn, totalShareStatistics: numbers }],
  });
  await played("linkedin", "organization", "urn:li:organization:5515715", [
    {
      path: "/rest/posts?author=urn:li:organization:5515715&q=author",
      body: { paging: { start: 0, count: 100, links: [] }, elements: [element, other, draft] },
    },
    {
      path: "/rest/images?ids=List(urn:li:image:A,urn:li:image:B)",
      body: {
        results: {
          "urn:li:image:A": { downloadUrl: "https://media.example/a", status: "AVAILABLE" },
          "urn:li:image:B": { downloadUrl: "https://media.example/b", status: "AVAILABLE" },
        },
      },
    },
    { path: "/rest/videos/urn:li:video:V", body: { thumbnail: "https://media.example/v" } },
    {
      path: `&shares=List(${share})`,
      body: statistics("share", share, {
        impressionCount: 100,
        uniqueImpressionsCounts: 80,
        clickCount: 4,
        likeCount: -1,
        commentCount: 1,
        shareCount: 2,
        engagement: 0.1,
      }),
    },
    {
      path: `&ugcPosts=List(${video})`,
      body: statistics("ugcPost", video, { impressionCount: 50, clickCount: 5, likeCount: 3 }),
    },
    { path: "/rest/videoAnalytics", body: { elements: [{ value: 33 }] } },
  ], async (r, server, failed) => {
    assertEquals(failed, 0);
    for (const { headers } of server.asked) {
      assertEquals(headers.get("linkedin-version"), "202609");
      assertEquals(headers.get("x-restli-protocol-version"), "2.0.0");
    }
    const posts = await r.posts("linkedin");
    assertEquals(posts.length, 2);
    const [post, film] = posts;
    assertEquals(post!.caption, "Text (really) #launch @Acme");
    assertEquals(post!.url, `https://www.linkedin.com/feed/update/${share}/`);
    assertEquals([post!.format, post!.hashtags], ["carousel", ["launch"]]);
    assertEquals(post!.mediaUrls, ["https://media.example/a", "https://media.example/b"]);
    const { views, impressions, reach, likes, saves, clicks } = post!.metrics;
    assertEquals([views, impressions, reach, likes, saves, clicks], [100, 100, 80, 0, null, null]);
    assertEquals([film!.format, film!.title, film!.thumbnailUrl], [
      "video",
      "A film",
      "https://media.example/v",
    ]);
    assertEquals([film!.metrics.views, film!.metrics.impressions, film!.metrics.clicks], [
      33,
      50,
      5,
    ]);
    assertEquals(film!.metrics.reach, null);
  });
});

Deno.test("YouTube's videos and reports become videos and reels; counts are strings", async () => {
  const video = (id: string, duration: string, statistics: object, status = "public") => ({
    id,
    snippet: {
      publishedAt: "2026-10-01T12:00:00Z",
      title: `Film ${id} #Dough`,
      description: "How it is made",
      thumbnails: {
        default: { url: "https://i.ytimg.example/d.jpg" },
        maxres: { url: "https://i.ytimg.example/m.jpg" },
      },
      liveBroadcastContent: "none",
    },
    contentDetails: { duration, definition: "hd" },
    status: { privacyStatus: status },
    statistics,
  });
  const items = ["dQw", "abc", "prv"].map((videoId) => ({
    contentDetails: { videoId, videoPublishedAt: "2026-10-01T12:00:00Z" },
  }));
  await played("youtube", "channel", "UCabc", [
    { path: "/youtube/v3/playlistItems?part=contentDetails&playlistId=UUabc", body: { items } },
    {
      path: "/youtube/v3/videos",
      body: {
        items: [
          video("dQw", "PT58S", { viewCount: "1234", likeCount: "56", commentCount: "7" }),
          video("abc", "PT1H2M3S", { viewCount: "9" }),
          video("prv", "PT5M", { viewCount: "1" }, "private"),
        ],
      },
    },
    {
      path: "/v2/reports?ids=channel==MINE",
      body: {
        kind: "youtubeAnalytics#resultTable",
        columnHeaders: [{ name: "shares" }, { name: "video" }],
        rows: [[12, "dQw"]],
      },
    },
  ], async (r, _, failed) => {
    assertEquals(failed, 0);
    const posts = new Map((await r.posts("youtube")).map((post) => [post.url, post]));
    assertEquals(posts.size, 2);
    const short = posts.get("https://www.youtube.com/shorts/dQw")!;
    assertEquals([short.format, short.title, short.hashtags], ["reel", "Film dQw #Dough", [
      "dough",
    ]]);
    assertEquals(short.thumbnailUrl, "https://i.ytimg.example/m.jpg");
    const { views, impressions, reach, likes, comments, shares, saves, clicks } = short.metrics;
    assertEquals([views, impressions, reach, likes, comments, shares, saves, clicks], [
      1234,
      1234,
      null,
      56,
      7,
      12,
      null,
      null,
    ]);
    const film = posts.get("https://www.youtube.com/watch?v=abc")!;
    assertEquals([film.metrics.likes, film.metrics.comments, film.metrics.shares], [0, 0, 0]);
  });
});

Deno.test("a malformed answer is reported and stores nothing", async () => {
  for (const body of ["<html>502</html>", { data: "none" }, {}]) {
    const recordings = [{ path: "/stories", body: { data: [] } }, { path: "/media", body }];
    await played("instagram", "professional", "1", recordings, async (r, _, failed) => {
      assertEquals(failed, 1);
      assertEquals(await r.posts("instagram"), []);
      assertStringIncludes(r.logged, '"fault":"malformed"');
    });
  }
});
