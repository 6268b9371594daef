/** The naive model of `GET /v1/posts`: filters, sorts and cuts plain objects, one sentence of the decisions a line. */
import fc from "fast-check";
import { PostQuery } from "../../domain/posts/query.ts";
import type { IncomingPost, Post, Reading } from "../../domain/posts/shape.ts";

export interface Asked {
  page?: number;
  perPage?: number;
  q?: string;
  from?: string;
  to?: string;
  platform?: string;
  format?: string;
  hashtag?: string;
  sort?: string;
  dir?: string;
}

const SORTS: Record<string, (post: Post) => number | null> = {
  published: (post) => Date.parse(post.publishedAt),
  views: (post) => post.metrics.views,
  impressions: (post) => post.metrics.impressions,
  clicks: (post) => post.metrics.clicks,
  comments: (post) => post.metrics.comments,
  engagementRate: (post) => post.metrics.engagementRate,
};

/** A post that the service answered, with what was brought in for it. */
export interface Known {
  post: Post;
  incoming: IncomingPost;
}

export function naive(known: Known[], asked: Asked): { ids: string[]; total: number } {
  const { page = 1, perPage = 20, sort = "published", dir = "desc" } = asked;
  const found = known.filter((one) => matches(one, asked)).map(({ post }) => post);
  found.sort((a, b) => compare(SORTS[sort]!(a), SORTS[sort]!(b), dir) || tie(a, b));
  const ids = found.slice((page - 1) * perPage, page * perPage).map((post) => post.id);
  return { ids, total: found.length };
}

function matches({ post, incoming }: Known, asked: Asked): boolean {
  const day = post.publishedAt.slice(0, 10);
  const tag = asked.hashtag?.toLowerCase().replace(/^#/, "");
  const fields = [incoming.title ?? "", incoming.caption, incoming.coverText ?? ""].map(plain);
  return (asked.from === undefined || day >= asked.from) &&
    (asked.to === undefined || day <= asked.to) &&
    (asked.platform === undefined || post.platform === asked.platform) &&
    (asked.format === undefined || post.format === asked.format) &&
    (tag === undefined || post.hashtags.includes(tag)) &&
    plain(asked.q ?? "").split(/\s+/).every((word) => fields.some((text) => text.includes(word)));
}

function plain(text: string): string {
  const bare = text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  return bare.toLowerCase().replace(/ς/g, "σ");
}

function compare(a: number | null, b: number | null, dir: string): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return dir === "asc" ? a - b : b - a;
}

/** Newer first, then id ascending, whatever the direction. */
function tie(a: Post, b: Post): number {
  return Date.parse(b.publishedAt) - Date.parse(a.publishedAt) || (a.id < b.id ? -1 : 1);
}

/** The newest reading's numbers as spec 2.1 shows them. */
export function shown(platform: string, readings: Reading[]) {
  const newest = readings.reduce((a, b) =>
    Date.parse(b.capturedAt) >= Date.parse(a.capturedAt) ? b : a
  );
  const saves = platform === "instagram" ? newest.saves : null;
  const { likes, comments, shares, impressions } = newest;
  const parts = likes + comments + shares + (saves ?? 0);
  return {
    ...newest,
    saves,
    reach: platform === "youtube" ? null : newest.reach,
    engagementRate: impressions === 0 ? 0 : Math.round(parts * 1e4 / impressions) / 1e4,
  };
}

/** Questions about such posts: pieces of their texts, their hashtags, any order. */
export function questions(incoming: IncomingPost[]): fc.Arbitrary<Asked> {
  const texts = incoming.flatMap((post) => [post.title, post.caption, post.coverText])
    .filter((text) => text != null && text !== "") as string[];
  const tags = [...new Set(incoming.flatMap((post) => post.hashtags))];
  const days = fc.integer({ min: 0, max: 200 }).map((day) =>
    new Date(Date.UTC(2025, 11, 1) + day * 86_400_000).toISOString().slice(0, 10)
  );
  // A piece of a text, cut anywhere between code points, in capitals or not.
  const piece = fc.tuple(
    fc.constantFrom(...texts),
    fc.nat(),
    fc.integer({ min: 1, max: 9 }),
    fc.boolean(),
  )
    .map(([text, at, length, capitals]) => {
      const points = [...text];
      const cut = points.slice(at % points.length, at % points.length + length).join("");
      return capitals ? cut.toUpperCase() : cut;
    });
  const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 1 });
  return fc.record({
    page: fc.integer({ min: 1, max: 6 }),
    perPage: fc.constantFrom(1, 2, 7, 20, 100),
    q: optional(fc.oneof(piece, fc.tuple(piece, piece).map((two) => two.join(" ")), fc.string())),
    from: optional(days),
    to: optional(days),
    platform: optional(fc.constantFrom("instagram", "linkedin", "youtube")),
    format: optional(fc.constantFrom("carousel", "image", "reel", "story", "video")),
    hashtag: optional(fc.constantFrom(...tags, "none").map((tag) => `#${tag}`)),
    sort: optional(fc.constantFrom(...PostQuery.shape.sort.unwrap().options)),
    dir: optional(fc.constantFrom("asc", "desc")),
  }).filter(({ from, to }) => from === undefined || to === undefined || from <= to) as fc.Arbitrary<
    Asked
  >;
}
