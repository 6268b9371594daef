/** The strategist's figures: correct, repeatable, and never more certain than the posts allow. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DAY, HOUR, iso } from "../../domain/foundation/calendar.ts";
import { normal, pick, seededRandom } from "../../domain/foundation/chance.ts";
import type { SeriesFormat } from "../../domain/platforms/contract/format.ts";
import {
  engagementAt,
  EQUAL_AGE,
  type Evidence,
  type Measured,
  type Scored,
  weigh,
} from "../../domain/series/strategist/evidence.ts";
import { figuresOf, modelFor } from "../../domain/series/strategist/figures.ts";
import type { Ground } from "../../domain/series/strategist/ground.ts";
import { proposePlaybook, rounded } from "../../domain/series/strategist/playbook.ts";
import type { Share } from "../../domain/series/playbook.ts";
import { beliefIn, normalCdf, posteriorOf } from "../../domain/series/strategist/posterior.ts";
import { TELLING } from "../../domain/series/strategist/verdicts.ts";
import { studentCdf, studentQuantile } from "../../domain/foundation/student.ts";
import { citesOnly } from "../../domain/series/strategist/words.ts";

const ARMS = {
  direction: ["A", "B", "C"],
  format: ["post", "carousel"] as SeriesFormat[],
  hour: ["9", "18"],
  template: ["none"],
};

/** Posts in a world in which direction B earns `lift` more. */
function posts(count: number, lift: number, seed = "posts"): Scored[] {
  const random = seededRandom(seed);
  const scored = Array.from({ length: count }, (_, n) => {
    const direction = pick(random, ARMS.direction);
    const expected = 200 * (direction === "B" ? 1 + lift : 1);
    return {
      slotId: `slt_${n}`,
      postId: `post_${String(n).padStart(26, "0")}`,
      direction,
      format: pick(random, ARMS.format),
      hour: Number(pick(random, ARMS.hour)),
      template: "none",
      publishedAt: n * DAY,
      engagement: Math.round(expected * Math.exp(0.2 * normal(random))),
      baseline: 0,
      platformBaseline: 0,
    };
  });
  const mean = scored.reduce((sum, { engagement }) => sum + Math.log(engagement + 1), 0) / count;
  return scored.map((post) => ({ ...post, baseline: mean, platformBaseline: mean }));
}

function groundOf(scored: Scored[], seed = "seed"): Ground {
  const evidence: Evidence = { scored, waiting: 0, formatPrior: {}, goodHours: [] };
  return {
    evidence,
    seed,
    previous: null,
    situation: {
      id: "ser_1",
      goal: "Sell more weekend pottery classes",
      guidance: null,
      formats: ARMS.format,
      hourUtc: 9,
      maxPerWeek: null,
      postsPerWeek: null,
      creditBudgetMonthly: null,
      overlay: { template: "none" },
      carouselImages: 4,
    },
  };
}

const PLAN = { kept: ARMS.direction, dropped: [], wanted: 0 };

Deno.test("a posterior equals a naive recomputation by Gaussian elimination", () => {
  const random = seededRandom("naive");
  const rows = Array.from({ length: 40 }, () => ({
    columns: [0, 1, 2 + Math.floor(random() * 2)],
    values: [1, random(), 1],
    y: normal(random),
  }));
  const [noise, widths] = [0.5, [1, 0.3, 0.2, 0.2]];
  const means = Float64Array.from([0, 0, 0.1, -0.1]);
  const scales = { noise, weight: 0, widths: Float64Array.from(widths) };
  const posterior = posteriorOf(rows, means, 2, [scales]);
  const matrix = widths.map((width, i) => [
    ...widths.map((_, j) => i === j ? width ** -2 : 0),
    means[i]! * width ** -2,
  ]);
  for (const { columns, values, y } of rows) {
    const x = widths.map((_, i) => columns.includes(i) ? values[columns.indexOf(i)]! : 0);
    for (const i of x.keys()) {
      for (const j of x.keys()) matrix[i]![j]! += x[i]! * x[j]! / noise ** 2;
      matrix[i]![4]! += x[i]! * y / noise ** 2;
    }
  }
  for (let i = 0; i < 4; i++) {
    for (let row = 0; row < 4; row++) {
      if (row === i) continue;
      const factor = matrix[row]![i]! / matrix[i]![i]!;
      for (let column = i; column <= 4; column++) {
        matrix[row]![column]! -= factor * matrix[i]![column]!;
      }
    }
  }
  const effect = (i: number) => matrix[i]![4]! / matrix[i]![i]!;
  const { centre, low, high } = beliefIn(posterior, Float64Array.from([1, -1]));
  assert(Math.abs(centre - (effect(2) - effect(3))) < 1e-9);
  assert(low < centre && centre < high);
});

Deno.test("a figure has its posts, their mean against the baseline and an interval around the lift", () => {
  const scored = posts(40, 0.5);
  const { evidence } = groundOf(scored);
  const figures = figuresOf(evidence, modelFor(evidence, ARMS));
  for (const [dimension, arms] of Object.entries(ARMS)) {
    for (const arm of arms) {
      const figure = figures.find((each) => each.dimension === dimension && each.arm === arm)!;
      const own = scored.filter((post) => String(post[dimension as "hour"]) === arm);
      const logs = own.map(({ engagement, baseline }) => Math.log(engagement + 1) - baseline);
      const ratio = Math.exp(logs.reduce((sum, log) => sum + log, 0) / own.length);
      assertEquals(figure.posts, own.length);
      assert(Math.abs(figure.ratio! - ratio) < 1e-9);
      assert(figure.low < figure.lift && figure.lift < figure.high);
      assert(Math.abs(figure.better + figure.worse - 1) < 1e-9);
    }
  }
});

Deno.test("the normal distribution agrees with the printed tables", () => {
  for (const [z, p] of [[0, 0.5], [1, 0.841345], [-1.959964, 0.025], [3.090232, 0.999]] as const) {
    assert(Math.abs(normalCdf(z) - p) < 1e-6, `${z}`);
  }
});

Deno.test("Student's t agrees with the printed tables", () => {
  for (const [dof, value] of [[4, 2.7764], [10, 2.2281], [30, 2.0423], [1, 12.7062]] as const) {
    assert(Math.abs(studentQuantile(0.975, dof) - value) < 1e-4, `${dof} degrees of freedom`);
    assert(Math.abs(studentCdf(-value, dof) - 0.025) < 1e-5);
  }
});

Deno.test("intervals of 95 % hold the truth about that often, over worlds like those expected", () => {
  let held = 0;
  const random = seededRandom("effects");
  for (let seed = 0; seed < 200; seed++) {
    // Effects about as wide as the prior expects them.
    const lift = Math.expm1(0.15 * normal(random));
    const { evidence } = groundOf(posts(60, lift, `coverage ${seed}`));
    const figure = figuresOf(evidence, modelFor(evidence, ARMS)).find(({ arm }) => arm === "B")!;
    if (figure.low <= lift && lift <= figure.high) held++;
  }
  assert(held >= 0.91 * 200 && held < 200, `${held} of 200`);
});

Deno.test("engagement at equal age lies on the line between two readings, and is unknown without them", () => {
  const reading = (hours: number, likes: number) => ({
    ...{ views: 0, impressions: 0, reach: null, comments: 0, shares: 0, saves: null, clicks: null },
    ...{ likes, engagementRate: 0, capturedAt: iso(hours * HOUR) },
  });
  assertEquals(engagementAt([reading(36, 100), reading(60, 200)], 0, EQUAL_AGE), 150);
  assertEquals(engagementAt([reading(48, 70)], 0, EQUAL_AGE), 70);
  assertEquals(engagementAt([reading(36, 100)], 0, EQUAL_AGE), null, "too young");
  assertEquals(engagementAt([reading(24 * 30, 900)], 0, EQUAL_AGE), null, "read a month later");
});

Deno.test("the same evidence and seed give the same playbook, another seed other shares of the same figures", () => {
  const scored = posts(12, 0.3);
  const first = proposePlaybook(groundOf(scored), PLAN, []);
  assertEquals(proposePlaybook(groundOf(scored), PLAN, []), first);
  const other = proposePlaybook(groundOf(scored, "another"), PLAN, []);
  assertEquals(other.figures, first.figures);
  assert(JSON.stringify(other.allocation) !== JSON.stringify(first.allocation));
});

Deno.test("a direction that surely earns more is pushed, and gets most slots", () => {
  const { playbook, allocation } = proposePlaybook(groundOf(posts(60, 0.5)), PLAN, []);
  const [best] = playbook.directions;
  assertEquals([best!.direction, best!.action], ["B", "push"]);
  assertMatch(
    best!.rationale,
    /^\d+ posts at 1\.\d\d times the brand's baseline; all else equal \+\d+%/,
  );
  assert(allocation.directions.find(({ arm }) => arm === "B")!.share > 0.9);
});

Deno.test("a direction that surely earns less is dropped, and gets none", () => {
  const { playbook, allocation } = proposePlaybook(groundOf(posts(80, -0.5)), PLAN, []);
  const worst = playbook.directions.at(-1)!;
  assertEquals([worst.direction, worst.action], ["B", "drop"]);
  assertEquals(allocation.directions.find(({ arm }) => arm === "B"), undefined);
});

Deno.test("too little data is said, and leads to exploration", () => {
  const { playbook, allocation } = proposePlaybook(groundOf(posts(3, 5)), PLAN, []);
  assertStringIncludes(playbook.summary, "too little data");
  assert(playbook.directions.every(({ action }) => action === "test"));
  assertEquals(allocation.directions.map(({ share }) => share), [0.34, 0.33, 0.33]);
  assertEquals(allocation.formats.map(({ share }) => share), [0.5, 0.5]);
});

Deno.test("every number in a review is one of its figures", () => {
  const ground = groundOf(posts(30, 0.4));
  const { playbook, figures, allocation } = proposePlaybook(ground, PLAN, []);
  for (const { direction, rationale } of playbook.directions) {
    const figure = figures.find(({ arm }) => arm === direction)!;
    const percents = [figure.lift, figure.low, figure.high, TELLING]
      .map((value) => Math.round(value * 100));
    for (const [, number] of rationale.matchAll(/([+-]?\d+)%(?! interval)/g)) {
      assert(percents.includes(Number(number)), `${number} in ${rationale}`);
    }
    assertStringIncludes(rationale, `${figure.posts} posts at ${figure.ratio!.toFixed(2)}`);
    for (const [id] of rationale.matchAll(/post_\w+/g)) {
      assert(
        ground.evidence.scored.some((post) => post.postId === id && post.direction === direction),
      );
    }
  }
  const weights = playbook.formatWeights.reduce((sum, { weight }) => sum + weight, 0);
  assert(Math.abs(weights - 1) < 1e-9);
  for (const shares of Object.values(allocation) as Share[][]) {
    assert(Math.abs(shares.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-9);
  }
});

Deno.test("shares are whole hundredths that add up to 1", () => {
  const thirds = ["a", "b", "c"].map((arm) => ({ arm, share: 1 / 3 }));
  assertEquals(rounded(thirds).map(({ share }) => share), [0.34, 0.33, 0.33]);
  assertEquals(rounded([{ arm: "a", share: 0.995 }, { arm: "b", share: 0.005 }]), [
    { arm: "a", share: 1 },
    { arm: "b", share: 0 },
  ]);
});

Deno.test("a model's numbers must be ours: percentages, counts, posts and amounts in words", () => {
  const ours =
    "12 posts at 1.28 times the brand's baseline; +31% (95% interval 12%). Best: post_01AB.";
  for (
    const text of [
      "It earned 31% more over 12 posts.",
      "The 12 posts did well, post_01AB most.",
      "No figures.",
    ]
  ) {
    assert(citesOnly(text, ours), text);
  }
  for (
    const text of [
      "It earned 45% more.",
      "It earned 12.5% more.",
      "31 posts did well.",
      "It lost -31%.",
      "Engagement doubled.",
      "Thirty percent more.",
      "See post_01XY.",
      "A thousand people liked it.",
    ]
  ) assert(!citesOnly(text, ours), text);
});

Deno.test("what a platform earns more passes neither for a format's merit nor for an hour's", () => {
  const others = (
    platform: Measured["platform"],
    format: Measured["format"],
    hour: number,
    engagement: number,
  ): Measured[] =>
    Array.from({ length: 6 }, (_, day) => ({
      postId: `post_${platform}_${hour}_${day}`,
      platform,
      format,
      publishedAt: (day * 24 + hour) * HOUR,
      engagement,
    }));
  const apart = weigh([], new Map(), [
    ...others("instagram", "carousel", 9, 999),
    ...others("linkedin", "image", 18, 9),
  ]);
  assertEquals(Object.keys(apart.formatPrior).sort(), ["carousel", "post"]);
  assert(Object.values(apart.formatPrior).every((effect) => Math.abs(effect) < 1e-9));
  const both = weigh([], new Map(), [
    ...others("instagram", "carousel", 9, 1_999),
    ...others("instagram", "image", 18, 999),
    ...others("linkedin", "carousel", 6, 39),
    ...others("linkedin", "image", 20, 19),
  ]);
  assert(both.formatPrior.carousel! > 0.05 && both.formatPrior.post! < -0.05);
  assertEquals(new Set(both.goodHours.slice(0, 2)), new Set([6, 9]));
});
