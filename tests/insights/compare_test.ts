/** `/v1/insights/compare` against a computation that shares no code with it, on real and made posts. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { HOUR } from "../../domain/foundation/calendar.ts";
import { normal, seededRandom } from "../../domain/foundation/chance.ts";
import type { IncomingPost } from "../../domain/posts/shape.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { madePosts, REAL_POSTS, realPosts } from "../support/corpus.ts";
import { NOON, type TestService, testService } from "../support/service.ts";

interface Group {
  value: string;
  posts: number;
  effect: { low: number; mid: number; high: number } | null;
  verdict: string;
}

async function compare(t: TestService, secret: string, by: string): Promise<Group[]> {
  const answer = await t.call(secret, `/v1/insights/compare?by=${by}`);
  assertEquals(answer.status, 200);
  return (await answer.json()).groups;
}

/** Likes, comments, shares and saves 48 hours after publication, on a straight line between readings. */
function at48(post: IncomingPost): number | null {
  const byDay = new Map(
    post.readings.toSorted((a, b) => a.capturedAt < b.capturedAt ? -1 : 1)
      .map((one) => [one.capturedAt.slice(0, 10), one]),
  );
  const saves = (number: number | null) => post.platform === "instagram" ? number ?? 0 : 0;
  const points = [...byDay.values()].map((one) => ({
    age: (Date.parse(one.capturedAt) - Date.parse(post.publishedAt)) / HOUR,
    value: one.likes + one.comments + one.shares + saves(one.saves),
  })).filter(({ age }) => age > 0);
  const after = points.findIndex(({ age }) => age >= 48);
  if (after < 0) {
    const last = points.at(-1);
    return post.format === "story" && last && last.age >= 20 ? last.value : null;
  }
  const [a, b] = [points[after - 1] ?? { age: 0, value: 0 }, points[after]!];
  return b.age - a.age > 72 ? null : a.value + (b.value - a.value) * (48 - a.age) / (b.age - a.age);
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const variance = (values: number[]) =>
  values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1);

/** By definition: the integral of the density, by the trapezoid rule. */
function studentArea(t: number, dof: number): number {
  const [steps, far] = [40_000, 400];
  const density = (x: number) => (1 + x * x / dof) ** (-(dof + 1) / 2);
  const area = (to: number) => {
    let sum = (density(0) + density(to)) / 2;
    for (let step = 1; step < steps; step++) sum += density(step * to / steps);
    return sum * to / steps;
  };
  return area(t) / area(far);
}

/** What `compare` should say of a group: the ratio and the interval's bounds. */
function expected(logs: number[], others: number[]) {
  const share = others.length / (logs.length + others.length);
  const difference = mean(logs) - mean(others);
  const [ours, theirs] = [variance(logs) / logs.length, variance(others) / others.length];
  const dof = (ours + theirs) ** 2 /
    (ours ** 2 / (logs.length - 1) + theirs ** 2 / (others.length - 1));
  return {
    mid: Math.exp(share * difference),
    share,
    difference,
    error: Math.sqrt(ours + theirs),
    dof,
  };
}

async function agrees(posts: IncomingPost[], by: "platform" | "weekday" | "hashtag") {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  await upsertPosts(t.service, brand.id, posts);
  const measured = posts.flatMap((post) => {
    const value = at48(post);
    return value === null ? [] : [{ post, log: Math.log(value + 1) }];
  });
  const isStory = ({ post }: { post: IncomingPost }) => post.format === "story";
  const told = by === "platform" ? measured.filter((one) => !isStory(one)) : measured;
  const like = (post: IncomingPost) => by === "platform" ? "" : `${post.platform} ${post.format}`;
  const usual = new Map([...Map.groupBy(told, ({ post }) => like(post))].map(([name, alike]) => {
    assert(alike.length >= 5, `${name} has too few posts for this test`);
    return [name, mean(alike.map(({ log }) => log))];
  }));
  const compared = told.map(({ post, log }) => ({ post, log: log - usual.get(like(post))! }));
  const valuesOf = (post: IncomingPost): string[] => {
    if (by === "platform") return [post.platform];
    if (by === "weekday") return [String((new Date(post.publishedAt).getUTCDay() + 6) % 7 + 1)];
    return [...new Set(post.hashtags.map((tag) => tag.replace(/^#/, "").toLowerCase()))];
  };
  const groups = await compare(t, secret, by);
  assert(groups.filter(({ effect }) => effect !== null).length >= 3);
  for (const { value, posts: count, effect, verdict } of groups) {
    const has = ({ post }: { post: IncomingPost }) => valuesOf(post).includes(value);
    assertEquals(count, measured.filter(has).length, value);
    const inside = compared.filter(has).map(({ log }) => log);
    const outside = compared.filter((one) => !has(one)).map(({ log }) => log);
    if (inside.length < 5 || outside.length < 5) {
      assertEquals([effect, verdict], [null, "cantTell"], value);
      continue;
    }
    assert(effect !== null);
    const { mid, share, difference, error, dof } = expected(inside, outside);
    assertAlmostEquals(effect.mid, mid, 2e-4, value);
    for (const bound of [effect.low, effect.high]) {
      const t = Math.abs(Math.log(bound) / share - difference) / error;
      // Four decimals of a small bound are a coarse step of t.
      const step = 1e-4 / bound / share / error;
      assertAlmostEquals(studentArea(t, dof), 0.95, 0.003 + step, `${value} with ${dof} degrees`);
    }
    if (verdict === "better") assert(effect.low > 1);
    if (verdict === "worse") assert(effect.high < 1);
  }
}

Deno.test("compare agrees with an independent computation on made posts", async () => {
  await agrees(madePosts(600), "weekday");
});

Deno.test({
  name: `compare agrees with an independent computation on real posts${
    REAL_POSTS ? "" : " (needs the data set beside the project)"
  }`,
  ignore: !REAL_POSTS,
  fn: async () => {
    const posts = await realPosts(700);
    await agrees(posts, "platform");
    await agrees(posts, "hashtag");
  },
});

/** Posts of one platform and format whose hashtag multiplies what they earn. */
function taggedPosts(seed: string, effects: Record<string, number>): IncomingPost[] {
  const random = seededRandom(seed);
  const tags = Object.keys(effects);
  const [made] = madePosts(1);
  return Array.from({ length: 20 * tags.length }, (_, at) => {
    const tag = tags[at % tags.length]!;
    const published = NOON - (10 + at) * 6 * HOUR;
    const likes = Math.round(200 * (effects[tag] ?? 1) * Math.exp(0.4 * normal(random)));
    return {
      ...made!,
      ...{ externalId: `tagged-${at}`, platform: "instagram", format: "image", hashtags: [tag] },
      publishedAt: new Date(published).toISOString(),
      readings: [24, 48, 72].map((hours) => ({
        ...made!.readings[0]!,
        ...{ likes, comments: 0, shares: 0, saves: 0 },
        capturedAt: new Date(published + hours * HOUR).toISOString(),
      })),
    };
  });
}

Deno.test("a clear difference is told, and of many groups that are alike hardly ever one", async () => {
  await using t = await testService();
  const told = await t.brand();
  await upsertPosts(t.service, told.brand.id, taggedPosts("told", { good: 3, plain: 1, bad: 0.4 }));
  const verdicts = Object.fromEntries(
    (await compare(t, told.secret, "hashtag")).map(({ value, verdict }) => [value, verdict]),
  );
  assertEquals(verdicts, { good: "better", plain: "cantTell", bad: "worse" });

  const alike = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`tag${at}`, 1]));
  let [wrong, outside] = [0, 0];
  for (let world = 0; world < 8; world++) {
    const { brand, secret } = await t.brand();
    await upsertPosts(t.service, brand.id, taggedPosts(`world ${world}`, alike));
    const groups = await compare(t, secret, "hashtag");
    if (groups.some(({ verdict }) => verdict !== "cantTell")) wrong++;
    outside += groups.filter(({ effect }) => effect!.low > 1 || effect!.high < 1).length;
  }
  assert(wrong <= 1, `${wrong} of 8 worlds without differences have a verdict`);
  assert(outside > 0 && outside < 30, `${outside} of 240 intervals leave out 1`);
});
