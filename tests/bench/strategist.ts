/** The autopilot in worlds whose truth is known: does it find what earns more, and nothing where nothing is? */
import { DAY, HOUR, iso, WEEK } from "../../domain/calendar.ts";
import type { PostDetail, PostFormat } from "../../domain/posts/shape.ts";
import { normal, pick, seededRandom } from "../../domain/random.ts";
import { type PlannedSlot, planSlots } from "../../domain/series/planner.ts";
import type { StoredSeries, Strategy } from "../../domain/series/records.ts";
import type { Situation } from "../../domain/strategist/arms.ts";
import { proposeDirections } from "../../domain/strategist/directions.ts";
import {
  measure,
  type Measured,
  type PublishedSlot,
  weigh,
} from "../../domain/strategist/evidence.ts";
import { type Draft, draftPlaybook, standing } from "../../domain/strategist/playbook.ts";
import type { Playbook } from "../../domain/strategist/shape.ts";
import type { Bench, Figure } from "./figure.ts";

const WEEKS = 8;
const PER_WEEK = 7;
/** Standard deviation of log engagement between like posts: 0.25 is two thirds within -22 % and +28 %. */
const NOISE = 0.25;
/** Stated beside it: what becomes of the regret in a noisier world. */
const MORE_NOISE = 0.4;
const EFFECT = 0.3;
const START = Date.parse("2026-01-05T00:00:00Z");
const FORMATS: StoredSeries["formats"] = ["post", "carousel", "story"];
const HOURS = [9, 12, 15, 6];
const POST_FORMAT: Record<string, PostFormat> = {
  post: "image",
  carousel: "carousel",
  story: "story",
};

const SERIES: StoredSeries = {
  id: "",
  brandId: "",
  name: "",
  mode: "autopilot",
  active: true,
  theme: null,
  goal: "Sell more weekend pottery classes",
  guidance: null,
  caption: null,
  format: null,
  formats: FORMATS,
  aspectRatio: "portrait",
  cadenceDays: null,
  hourUtc: HOURS[0]!,
  maxPerWeek: null,
  postsPerWeek: PER_WEEK,
  creditBudgetMonthly: null,
  castMemberId: null,
  inspirationAssetIds: [],
  overlay: null,
  socialAccountId: null,
  createdAt: iso(START),
  deletedAt: null,
  slotsPlanned: 0,
  drops: 0,
};

type Choice = Pick<PublishedSlot, "direction" | "format" | "hour" | "template">;
type Better = Pick<Choice, "direction" | "format" | "hour">;
const KEYS = ["direction", "format", "hour"] as const;

interface World {
  seed: string;
  /** What each better arm earns more; 0 in a world without differences. */
  effect: number;
  noise: number;
}

interface Run {
  /** Share of the last week's slots that went to the better arm. */
  late: Record<typeof KEYS[number], number>;
  /** Expected engagement lost against the best plan, over what uniform planning loses. */
  regret: number;
  /** Whether any review called any arm of any dimension better than the rest. */
  crowned: boolean;
  /** Whether the last review pushes the better direction. */
  found: boolean;
}

function live({ seed, effect, noise }: World): Run {
  const random = seededRandom(`${seed} world`);
  const situation: Situation = { ...SERIES, id: seed, goal: SERIES.goal!, carouselImages: 4 };
  const first = proposeDirections(situation.goal, null, [], 4);
  const better: Better = {
    direction: pick(random, first),
    format: pick(random, FORMATS),
    hour: pick(random, HOURS),
  };
  const slots: PublishedSlot[] = [];
  const posts: Post[] = [];
  let previous: Playbook | null = null;
  let [crowned, lost, uniform] = [false, 0, 0];
  let draft: Draft | null = null;
  for (let week = 0; week < WEEKS; week++) {
    const at = START + week * WEEK;
    draft = review(situation, slots, posts, previous, at);
    previous = draft.playbook;
    crowned ||= draft.figures.some(({ action }) => action === "push");
    for (const { at: publishedAt, format, decision } of plan(seed, draft, slots.length, at)) {
      const choice: Choice = {
        format,
        direction: decision.direction,
        template: decision.overlayTemplate,
        hour: publishedAt % DAY / HOUR,
      };
      const expected = worth(choice, better, effect);
      const total = 200 * expected * Math.exp(noise * normal(random) - noise ** 2 / 2);
      posts.push({ id: `post_${posts.length}`, format: choice.format, publishedAt, total });
      slots.push({
        ...choice,
        slotId: `slt_${slots.length}`,
        externalPostId: posts.at(-1)!.id,
        platform: "instagram",
      });
      lost += (1 + EFFECT) ** 3 - expected;
      uniform += (1 + EFFECT) ** 3 -
        (1 + EFFECT / 4) * (1 + EFFECT / FORMATS.length) * (1 + EFFECT / HOURS.length);
    }
  }
  const last = slots.slice(-PER_WEEK);
  const share = (key: keyof Better) =>
    last.filter((slot) => slot[key] === better[key]).length / last.length;
  return {
    late: { direction: share("direction"), format: share("format"), hour: share("hour") },
    regret: lost / uniform,
    crowned,
    found: draft!.figures.some(({ arm, action }) => arm === better.direction && action === "push"),
  };
}

/** The real review: evidence from readings, figures, Thompson shares, playbook. */
function review(
  situation: Situation,
  slots: PublishedSlot[],
  posts: Post[],
  previous: Playbook | null,
  at: number,
): Draft {
  const measured = new Map<string, Measured>();
  for (const post of posts) {
    const found = measure(detail(post, at));
    if (found !== null) measured.set(`instagram ${post.id}`, found);
  }
  const evidence = weigh(slots, measured, []);
  const ground = { situation, evidence, previous, seed: `${situation.id} ${iso(at)}` };
  const chosen = standing(ground);
  const known = [...chosen.kept, ...chosen.dropped];
  const fresh = proposeDirections(situation.goal, null, known, chosen.wanted);
  return draftPlaybook(ground, chosen, fresh);
}

/** The real planner's week, by the review's strategy. */
function plan(seed: string, draft: Draft, slotsPlanned: number, at: number): PlannedSlot[] {
  const { playbook, allocation } = draft;
  const strategy: Strategy = { reviewId: "rev_1", reviewedAt: at, playbook, allocation };
  const series = { ...SERIES, id: seed, slotsPlanned };
  return planSlots({ series, strategy, slots: [], spent: new Map(), now: at, until: at + WEEK - 1 })
    .add;
}

function worth(choice: Choice, better: Better, effect: number): number {
  return KEYS.reduce((product, key) => product * (choice[key] === better[key] ? 1 + effect : 1), 1);
}

interface Post {
  id: string;
  format: string;
  publishedAt: number;
  /** Engagement once it has earned all it will. */
  total: number;
}

/** The post as the platform shows it at `at`: a reading at the end of each day. */
function detail({ id, format, publishedAt, total }: Post, at: number): PostDetail {
  const story = format === "story";
  const lifetime = (story ? 4 : 12) * HOUR;
  const snapshots = [];
  for (let day = 1; day <= 4; day++) {
    const read = Math.floor(publishedAt / DAY) * DAY + day * DAY - HOUR / 2;
    const end = story ? Math.min(read, publishedAt + DAY) : read;
    if (end > at) break;
    const earned = Math.round(total * (1 - Math.exp(-(end - publishedAt) / lifetime)));
    snapshots.push({
      views: earned * 20,
      impressions: earned * 20,
      reach: null,
      likes: earned,
      comments: 0,
      shares: 0,
      saves: null,
      clicks: null,
      engagementRate: 0.05,
      capturedAt: iso(end),
    });
  }
  return {
    id,
    platform: "instagram",
    format: POST_FORMAT[format]!,
    title: null,
    url: "https://instagram.example/p/1",
    caption: "",
    hashtags: [],
    thumbnailUrl: null,
    mediaUrls: [],
    publishedAt: iso(publishedAt),
    metrics: snapshots.at(-1)!,
    snapshots,
  };
}

export const bench: Bench = ({ quick }) => {
  const seeds = Array.from({ length: quick ? 3 : 50 }, (_, at) => `seed ${at + 1}`);
  const real = seeds.map((seed) => live({ seed, effect: EFFECT, noise: NOISE }));
  const flat = seeds.map((seed) => live({ seed: `flat ${seed}`, effect: 0, noise: NOISE }));
  const noisy = seeds.map((seed) => live({ seed, effect: EFFECT, noise: MORE_NOISE }));
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const sizes = `${seeds.length} seeds, ${PER_WEEK} slots a week, noise ${NOISE} of log engagement`;
  const figures: Figure[] = [
    ...KEYS.map((key) => ({
      name: `strategist: share of week 8's slots that the better ${key} gets`,
      measured: mean(real.map(({ late }) => late[key])),
      atLeast: 0.7,
      note: `${sizes}; at least 0.7 in ${real.filter(({ late }) => late[key] >= 0.7).length} seeds`,
    })),
    {
      name: "strategist: regret over 8 weeks / that of uniform planning",
      measured: mean(real.map(({ regret }) => regret)),
      atMost: 0.5,
      note: `worst seed ${Math.max(...real.map(({ regret }) => regret)).toFixed(2)}`,
    },
    {
      name: "strategist: seeds without differences in which no review pushes anything",
      measured: mean(flat.map(({ crowned }) => crowned ? 0 : 1)),
      atLeast: 0.9,
      note: "any of 8 reviews, any direction, format, hour or template",
    },
    {
      name: `strategist: the same regret with noise ${MORE_NOISE}`,
      measured: mean(noisy.map(({ regret }) => regret)),
    },
    {
      name: "strategist: seeds in which review 8 pushes the better direction",
      measured: mean(real.map(({ found }) => found ? 1 : 0)),
    },
  ];
  return Promise.resolve(figures);
};
