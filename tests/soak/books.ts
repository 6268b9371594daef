/** Checks the books of a site once it has settled: credits, pictures, posts, jobs, numbers. */
import { creditsKey } from "../../domain/brands/credits.ts";
import { PLANS } from "../../domain/brands/plans.ts";
import type { StoredCreation } from "../../domain/creations/shape.ts";
import { MINUTE } from "../../domain/foundation/calendar.ts";
import { listJobs } from "../../domain/kv/jobs/records.ts";
import { listValues } from "../../domain/kv/transact.ts";
import type { SocialAccount } from "../../domain/platforms/accounts.ts";
import { findAccount } from "../../domain/platforms/sandbox/accounts.ts";
import { publishedPosts } from "../../domain/platforms/sandbox/posts.ts";
import type { Reading } from "../../domain/posts/shape.ts";
import { contentOf } from "../../domain/series/making/content.ts";
import type { StoredSeries, StoredSlot } from "../../domain/series/records.ts";
import { accountIdOf, isApproved, isPaused, releaseNeeded } from "../../domain/series/steering.ts";
import type { Service } from "../../domain/service/service.ts";
import type { Known } from "./known.ts";
import type { SiteName } from "./schedule.ts";

/** One line of the summary: how many were looked at, and what is wrong with some of them. */
export interface Finding {
  name: string;
  looked: number;
  /** Each in words; empty when all is well. */
  wrong: string[];
  /** Said beside the number. */
  note?: string;
}

/** What the checks need of a site. */
export interface Books {
  name: SiteName;
  service: Pick<Service, "kv" | "now" | "storage">;
  /** A GET request to the API. */
  ask(path: string, secret: string): Promise<Response>;
}

/** What they need of a brand. */
export interface Owner {
  known: Known;
  /** Of a key. */
  secret: string;
  /** Its accounts at the platforms. */
  accounts: Pick<SocialAccount, "id" | "platform" | "handle">[];
  /** Credits beyond the plan's. */
  granted: number;
  /** Requests that were counted before the soak began. */
  counted: number;
}

/** Retries that come with each credit. */
const FREE_RETRIES = 3;
/** Passes come every 15 minutes; what is due for longer should have been done. */
const OVERDUE = 40 * MINUTE;

export async function checkBooks(books: Books, owners: Owner[]): Promise<Finding[]> {
  const findings = [
    await checkCredits(books, owners),
    await checkPictures(books, owners),
    await checkPublic(books, owners),
    await checkScheduled(books, owners),
    await checkJobs(books),
    await checkNumbers(books, owners),
  ];
  return findings.map((finding) => ({ ...finding, name: `${books.name}: ${finding.name}` }));
}

/** Every credit that was spent paid for a picture, and each picture was paid for once. */
async function checkCredits(books: Books, owners: Owner[]): Promise<Finding> {
  const wrong: string[] = [];
  let looked = 0;
  for (const { known: { brandId }, secret, granted } of owners) {
    const pictures = await creationsOf(books, brandId);
    const key = creditsKey(brandId, books.service.now());
    const month = (await books.service.kv.get<{ used: number; granted: number }>(key)).value;
    const spent = month?.used ?? 0;
    const paid = pictures.reduce((sum, { creditCost }) => sum + creditCost, 0);
    looked += spent;
    if (spent !== paid) wrong.push(`${brandId}: ${spent} spent, pictures cost ${paid}`);
    for (const { id, creditCost, generation } of pictures) {
      const must = 1 + Math.floor((generation - 1) / (FREE_RETRIES + 1));
      if (creditCost !== must) wrong.push(`${id} cost ${creditCost} instead of ${must}`);
    }
    const told = await (await books.ask("/v1/credits", secret)).json();
    const allowance = PLANS.studio.creditsPerMonth + granted;
    if (
      told.used !== spent || told.allowance !== allowance || told.remaining !== allowance - spent
    ) {
      wrong.push(`${brandId}: the API tells ${JSON.stringify(told)}, spent are ${spent}`);
    }
  }
  return { name: "credits spent, each for one picture", looked, wrong };
}

const creationsOf = ({ service: { kv } }: Books, brandId: string) =>
  listValues<StoredCreation>(kv, ["creation", brandId]);

/** No picture is still being made, and each that is complete has its files. */
async function checkPictures(books: Books, owners: Owner[]): Promise<Finding> {
  const wrong: string[] = [];
  let looked = 0;
  for (const { known: { brandId } } of owners) {
    const pictures = await creationsOf(books, brandId);
    // Each that a client asks for has an idea of its own.
    for (const idea of doubled(pictures.filter(({ slot }) => slot === null), "idea")) {
      wrong.push(`two pictures of ${brandId} were made of one request: ${idea}`);
    }
    for (const picture of pictures) {
      looked++;
      const { id, status, error, rawKey } = picture;
      if (status === "pending") wrong.push(`${id} is still pending`);
      if (status === "failed" && !error) wrong.push(`${id} failed without a reason`);
      if (status !== "complete") continue;
      const file = rawKey === null ? null : await books.service.storage.get(rawKey);
      if (file === null || file.bytes.length === 0) wrong.push(`${id} has lost its file`);
    }
  }
  return { name: "pictures, complete or failed with a reason", looked, wrong };
}

/** Texts that more than one of them has. */
function doubled<Name extends string>(all: Record<Name, string>[], name: Name): Set<string> {
  const texts = all.map((one) => one[name]).filter((text) => text !== "");
  return new Set(texts.filter((text, nth) => texts.indexOf(text) !== nth));
}

const slotsOf = ({ service: { kv } }: Books, brandId: string) =>
  listValues<StoredSlot>(kv, ["slot", brandId]);

/** What the public sees is what Marquee says it has published, each post once. */
async function checkPublic(books: Books, owners: Owner[]): Promise<Finding> {
  const wrong: string[] = [];
  let looked = 0;
  let doubtful = 0;
  for (const { known: { brandId }, accounts } of owners) {
    const slots = await slotsOf(books, brandId);
    for (const { id, platform, handle } of accounts) {
      const stand = await findAccount(books.service.kv, platform, handle);
      const shown = stand === null ? [] : await publishedPosts(books.service.kv, stand);
      looked += shown.length;
      const ours = slots.filter(({ status, socialAccountId }) =>
        status === "published" && socialAccountId === id
      );
      const ids = ours.map(({ externalPostId }) => externalPostId);
      for (const post of shown) {
        if (ids.includes(post.id)) continue;
        // A person was asked to look: the platform never said what became of it.
        const text = post.caption ?? "";
        const isAsked = slots.some(({ heldFor, caption }) =>
          heldFor === "unknownOutcome" && text.startsWith(caption)
        );
        if (isAsked) doubtful++;
        else wrong.push(`${post.id} of ${handle} is public, and no post of ours: ${text}`);
      }
      for (const [nth, slot] of ours.entries()) {
        const isShown = shown.some((post) => post.id === slot.externalPostId);
        if (!isShown) wrong.push(`${slot.id} is published as ${slot.externalPostId}, not public`);
        if (ids.indexOf(slot.externalPostId) !== nth) wrong.push(`${slot.id} shares its post`);
      }
    }
  }
  const note = doubtful === 0 ? {} : { note: `${doubtful} in doubt, for a person to look at` };
  return { name: "public posts, each ours and once", looked, wrong, ...note };
}

/** Nothing is stuck, and what is due waits for a reason. */
async function checkScheduled(books: Books, owners: Owner[]): Promise<Finding> {
  const wrong: string[] = [];
  const counts = new Map<string, number>();
  let looked = 0;
  for (const { known: { brandId } } of owners) {
    const series = await listValues<StoredSeries>(books.service.kv, ["series", brandId]);
    const seriesOf = new Map(series.map((one) => [one.id, one]));
    const slots = await slotsOf(books, brandId);
    // Each that a client schedules has a caption of its own.
    for (const caption of doubled(slots.filter(({ seriesId }) => seriesId === null), "caption")) {
      wrong.push(`two posts of ${brandId} were made of one request: ${caption}`);
    }
    for (const slot of slots) {
      looked++;
      const { id, status, heldFor, error } = slot;
      const what = status === "held" ? `held for ${heldFor}` : status;
      counts.set(what, (counts.get(what) ?? 0) + 1);
      if (status === "generating" || status === "publishing") {
        wrong.push(`${id} is stuck: ${status}`);
      }
      if (status === "held" && (heldFor === null || !error)) wrong.push(`${id} held, no reason`);
      const isDue = Date.parse(slot.scheduledFor) < books.service.now() - OVERDUE;
      if (!isDue || (status !== "ready" && status !== "planned")) continue;
      if (await waitsForPerson(books, slot, seriesOf.get(slot.seriesId ?? "") ?? null)) continue;
      wrong.push(`${id} is ${status} since ${slot.scheduledFor}`);
    }
  }
  const note = [...counts].map(([what, count]) => `${count} ${what}`).join(", ");
  return { name: "scheduled posts, none stuck or overdue", looked, wrong, note };
}

/** Whether its series is paused, it has no account, or nobody has approved it as it is now. */
async function waitsForPerson(
  { service: { kv } }: Books,
  slot: StoredSlot,
  series: StoredSeries | null,
): Promise<boolean> {
  if (series !== null && (isPaused(series) || series.deletedAt !== null)) return true;
  if (slot.status !== "ready") return false;
  const accountId = accountIdOf(slot, series);
  if (accountId === null) return true;
  if (releaseNeeded(slot, series) === null) return false;
  const content = await contentOf(kv, slot, accountId);
  return content === null || !isApproved(slot, content.hash);
}

/** A job that the model has declined for good stays dead, and its post is held. */
const EXPLAINED = /^The (text|image) model /;

async function checkJobs({ service }: Books): Promise<Finding> {
  const jobs = await listJobs(service.kv);
  const wrong = jobs.flatMap(({ id, kind, state, dueAt, error }) => {
    const isExplained = EXPLAINED.test(error ?? "");
    if (state === "dead") return isExplained ? [] : [`${kind} ${id} is dead: ${error}`];
    const late = Math.round((service.now() - dueAt) / MINUTE);
    return late * MINUTE > OVERDUE ? [`${kind} ${id} is ${state}, due for ${late} minutes`] : [];
  });
  const dead = jobs.filter(({ state }) => state === "dead").map(({ kind }) => kind);
  const note = dead.length === 0 ? {} : { note: `the model declined: ${dead.join(", ")}` };
  return { name: "jobs left, none dead or stuck", looked: jobs.length, wrong, ...note };
}

/** Readings are totals since a post was published, so they only grow. */
async function checkNumbers(books: Books, owners: Owner[]): Promise<Finding> {
  const wrong: string[] = [];
  let looked = 0;
  for (const { known: { brandId } } of owners) {
    let last: { post: string; reading: Reading } | null = null;
    const all = books.service.kv.list<Reading>({ prefix: ["postReading", brandId] });
    for await (const { key, value: reading } of all) {
      looked++;
      const post = String(key[2]);
      const before: Reading | null = last?.post === post ? last.reading : null;
      last = { post, reading };
      for (const name of ["views", "impressions", "likes", "comments", "shares"] as const) {
        if (before !== null && reading[name] < before[name]) {
          wrong.push(`${name} of ${post} fell from ${before[name]} to ${reading[name]}`);
        }
      }
    }
  }
  return { name: "readings of numbers, none below an earlier one", looked, wrong };
}
