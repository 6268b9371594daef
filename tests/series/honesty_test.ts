/** What the strategist says of itself: comparisons of like with like, its record, its experiments, its doubts. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DAY, HOUR, iso, WEEK } from "../../domain/foundation/calendar.ts";
import { normal, seededRandom } from "../../domain/foundation/chance.ts";
import type { PostFormat } from "../../domain/posts/shape.ts";
import { type Experiment, NO_SCORE } from "../../domain/series/playbook.ts";
import {
  type Measured,
  type PublishedSlot,
  weigh,
} from "../../domain/series/strategist/evidence.ts";
import { experimentsAfter } from "../../domain/series/strategist/experiments.ts";
import { figuresOf, modelFor } from "../../domain/series/strategist/figures.ts";
import type { Ground } from "../../domain/series/strategist/ground.ts";
import { objectiveOf } from "../../domain/series/strategist/objective.ts";
import { proposePlaybook } from "../../domain/series/strategist/playbook.ts";
import { judge, scoreAfter } from "../../domain/series/strategist/score.ts";

interface Kind {
  format?: PublishedSlot["format"];
  direction?: string;
  hour?: number;
  /** Times the usual engagement and reach. */
  engagement?: number;
  reach?: number | null;
  clicks?: number | null;
}

const POST_FORMAT: Record<string, PostFormat> = {
  post: "image",
  carousel: "carousel",
  story: "story",
};
const ARMS = { direction: ["A", "B"], format: ["post"], hour: ["9"], template: ["none"] };

/** A post a day, of each kind in turn, with noise that follows the seed. */
function evidenceOf(kinds: Kind[], count: number, wanted = objectiveOf("Be liked")) {
  const random = seededRandom("honesty");
  const slots: PublishedSlot[] = [];
  const posts = new Map<string, Measured>();
  for (let n = 0; n < count; n++) {
    const kind = kinds[n % kinds.length]!;
    const noise = Math.exp(0.3 * normal(random));
    const { format = "post", direction = "A", hour = 9, engagement = 1, reach = 1 } = kind;
    slots.push({
      ...{ slotId: `slt_${n}`, externalPostId: `x${n}`, platform: "instagram" as const },
      ...{ format, direction, hour, template: "none" },
    });
    posts.set(`instagram x${n}`, {
      postId: `post_${n}`,
      platform: "instagram",
      format: POST_FORMAT[format]!,
      publishedAt: n * DAY + hour * HOUR,
      engagement: Math.round(200 * engagement * noise),
      reach: reach === null ? null : Math.round(3_000 * reach * noise),
      clicks: kind.clicks ?? null,
    });
  }
  return weigh(slots, posts, [], wanted);
}

function groundOf(evidence: Ground["evidence"], goal = "Be liked"): Ground {
  return {
    evidence,
    seed: "seed",
    previous: null,
    at: 60 * DAY,
    situation: {
      ...{ id: "ser_1", goal, guidance: null, formats: ["post", "story"], hourUtc: 9 },
      ...{ maxPerWeek: null, postsPerWeek: 7, creditBudgetMonthly: null, carouselImages: 4 },
      overlay: { template: "none" },
    },
  };
}

const PLAN = { kept: ["A", "B"], dropped: [], wanted: 0 };

Deno.test("stories without likes are compared with posts by reach, and equal reach is no verdict", () => {
  const evidence = evidenceOf([{ format: "story", engagement: 0 }, { format: "post" }], 60);
  assertEquals([evidence.objective, evidence.formatMeasure], ["engagement", "reach"]);
  const { playbook, figures, allocation, rationale } = proposePlaybook(
    groundOf(evidence),
    PLAN,
    [],
  );
  for (const figure of figures.filter(({ dimension }) => dimension === "format")) {
    assert(["test", "hold"].includes(figure.action), JSON.stringify(figure));
    assert(Math.abs(figure.lift) < 0.25, JSON.stringify(figure));
  }
  assert(allocation.formats.every(({ share }) => share > 0.1), JSON.stringify(allocation.formats));
  assertStringIncludes(rationale, "formats are compared by reach");
  assert(!JSON.stringify(playbook).includes("-100%"));
});

Deno.test("where stories and posts report nothing in common, neither is better and both keep their share", () => {
  const silent = { reach: null };
  const evidence = evidenceOf([
    { format: "story", engagement: 0, ...silent },
    { format: "post", ...silent },
  ], 40);
  assertEquals(evidence.formatMeasure, null);
  const { figures, allocation, rationale } = proposePlaybook(groundOf(evidence), PLAN, []);
  for (const figure of figures.filter(({ dimension }) => dimension === "format")) {
    assertEquals([figure.action, figure.rivals, figure.better], ["test", 0, 0.5]);
  }
  assertEquals(allocation.formats.map(({ share }) => share), [0.5, 0.5]);
  assertStringIncludes(rationale, "nothing in common");
});

Deno.test("the objective follows the goal where the posts report it, and the review names it", () => {
  assertEquals(
    ["More clicks to our website", "Be known for sourdough", "Sell weekend classes"].map(
      objectiveOf,
    ),
    ["clicks", "reach", "engagement"],
  );
  const reached = evidenceOf([{ direction: "A", reach: 2 }, { direction: "B" }], 40, "reach");
  const best = figuresOf(reached, modelFor(reached, ARMS)).find(({ arm }) => arm === "A")!;
  assert(best.better > 0.99, JSON.stringify(best));
  assertStringIncludes(
    proposePlaybook(groundOf(reached), PLAN, []).rationale,
    "judged by reach",
  );
  const unclicked = evidenceOf([{ direction: "A" }, { direction: "B" }], 20, "clicks");
  assertEquals(unclicked.objective, "engagement");
  assertStringIncludes(
    proposePlaybook(groundOf(unclicked), PLAN, []).rationale,
    "The goal asks for clicks, but these posts don't report it.",
  );
});

Deno.test("a wide interval is called open, with the posts and the date that it takes", () => {
  const evidence = evidenceOf([{ direction: "A", engagement: 1.1 }, { direction: "B" }], 16);
  const { playbook } = proposePlaybook(groundOf(evidence), PLAN, []);
  for (const { action, rationale } of playbook.directions) {
    assertEquals(action, "test");
    assertMatch(
      rationale,
      /Can't tell yet: to see \+30% at this account's noise takes about \d+ more posts, until about 19\d\d-/,
    );
  }
});

Deno.test("before any post a review says what it may ever learn", () => {
  const { playbook } = proposePlaybook(groundOf(weigh([], new Map(), [])), PLAN, []);
  assertMatch(
    playbook.summary,
    /to see that a direction earns 30% more takes about \d+ more posts/,
  );
  assertMatch(playbook.summary, /Differences below about \d+% will not show/);
});

Deno.test("the brand's other posts count before the series has any, and weigh by their number", () => {
  const others = (count: number): Measured[] =>
    Array.from({ length: count }, (_, n) => ({
      postId: `post_${n}`,
      platform: "instagram",
      format: n % 2 === 0 ? "carousel" : "image",
      publishedAt: n * DAY / 2,
      engagement: n % 2 === 0 ? 300 : 200,
    }));
  const share = (count: number) => {
    const ground = groundOf(weigh([], new Map(), others(count)));
    ground.situation.formats = ["post", "carousel"];
    return proposePlaybook(ground, PLAN, []).allocation.formats[1]!.share;
  };
  const [few, many] = [share(10), share(140)];
  assert(many > 0.8 && few > 0.5 && many > few, `${few}, ${many}`);
});

Deno.test("a playbook shows what it changes and the posts that each direction rests on", () => {
  const evidence = evidenceOf([{ direction: "A", engagement: 2 }, { direction: "B" }], 60);
  const first = proposePlaybook(groundOf(evidence), PLAN, []);
  assertEquals(first.diff, null);
  const [best] = first.evidence;
  assertEquals([best!.direction, best!.posts, best!.postIds.length], ["A", 30, 20]);
  assert(best!.lift! > 0.5 && best!.better! > 0.99);
  const previous = {
    ...first.playbook,
    cadencePerWeek: 3,
    directions: [{ direction: "Old", action: "hold" as const, rationale: "" }],
  };
  const { diff } = proposePlaybook({ ...groundOf(evidence), previous }, PLAN, []);
  assertEquals(diff!.cadencePerWeek, { from: 3, to: 7 });
  assertEquals(diff!.directions[0], { direction: "A", from: null, to: "push" });
  assertEquals(diff!.directions.at(-1), { direction: "Old", from: "hold", to: null });
});

Deno.test("statements are judged by later posts, and a record adds up over reviews", () => {
  const evidence = evidenceOf([{ direction: "A", engagement: 2 }, { direction: "B" }], 60);
  const model = modelFor(evidence, ARMS);
  const figures = figuresOf(evidence, model);
  const later = evidenceOf([{ direction: "A", engagement: 2 }, { direction: "B" }], 28);
  const judged = judge({ figures, noise: model.posterior.noise }, later);
  assertEquals(judged.length, 2);
  assert(judged.every(({ chance, cameTrue }) => cameTrue === chance > 0.5), JSON.stringify(judged));
  const one = scoreAfter(NO_SCORE, judged);
  assert(one.brier! < 0.01);
  const wrong = scoreAfter(one, [{ chance: 0.95, cameTrue: false }, {
    chance: 0.95,
    cameTrue: true,
  }]);
  assertEquals(wrong.judged, 4);
  const top = wrong.tenths.find(({ from }) => from === 0.9)!;
  assertEquals([top.statements, top.to], [3, 1]);
  assert(Math.abs(top.cameTrue - 2 / 3) < 1e-9 && wrong.brier! > 0.2);
  assertEquals(judge({ figures, noise: 0.3 }, evidenceOf([{ direction: "A" }], 5)), []);
});

Deno.test("an experiment is declared with its size, left alone until then, and read once", () => {
  const kinds = (lift: number): Kind[] => [{ hour: 9, engagement: 1 + lift }, { hour: 15 }];
  const inputAt = (posts: number, lift: number) => ({
    evidence: evidenceOf(kinds(lift), posts),
    allocation: {
      directions: [{ arm: "A", share: 1 }],
      formats: [{ arm: "post", share: 1 }],
      hours: [{ arm: "9", share: 0.5 }, { arm: "15", share: 0.5 }],
      templates: [],
    },
    perWeek: 7,
    noise: 0.3,
    at: posts * DAY,
  });
  const [declared] = experimentsAfter([], { ...inputAt(8, 0.6), at: 0 });
  assertEquals([declared!.arms, declared!.measure, declared!.outcome], [
    ["9", "15"],
    "engagement",
    null,
  ]);
  const { size } = declared!;
  assert(size >= 6 && size <= 28, `${size}`);
  const open = experimentsAfter([declared!], inputAt(2 * size - 2, 0.6));
  assertEquals(open, [declared!], "it is not looked at before it has its posts");
  const read = (lift: number): Experiment =>
    experimentsAfter([declared!], inputAt(2 * size, lift))[0]!;
  assertEquals(read(0.6).outcome, "confirmed");
  assertEquals(read(0).outcome, "inconclusive");
  assertEquals(read(-0.4).outcome, "refuted");
  assertMatch(read(0).result!, new RegExp(`over ${size} and ${size} posts`));
  assertEquals(experimentsAfter([read(0)], inputAt(60, 0.6)), [read(0)], "a result stays");
  const late = experimentsAfter([declared!], { ...inputAt(6, 0.6), at: 12 * WEEK });
  assertEquals([late[0]!.outcome, late[0]!.readAt], ["inconclusive", iso(12 * WEEK)]);
});
