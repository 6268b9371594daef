/** The series pass: one durable job a series, then the wait for the images and posts it started. */
import { MINUTE, SECOND } from "../domain/calendar.ts";
import { type Job, jobKey } from "../domain/jobs.ts";
import { type Commit, getEach, transact } from "../domain/kv.ts";
import { passSeries } from "../domain/series/pass.ts";
import {
  listSeries,
  listSlots,
  LOOK_BACK,
  slotKey,
  type StoredSlot,
} from "../domain/series/records.ts";
import type { Service } from "../domain/service.ts";
import type { Pass, PassRun } from "./passes.ts";
import { type Counts, exponential, type Handler } from "./queue.ts";

/** Series whose jobs are added in one commit. */
const CHUNK = 20;
const POLL_MS = 50;
/** The pass stops waiting then; the work goes on by itself. */
const LONGEST_WAIT = 5 * MINUTE;
/** How long a pass by hand waits for what others have under way. */
const OTHERS_WAIT = 20 * SECOND;
const NOTES_LIVE_MS = 60 * MINUTE;

/** A slot on which a pass started work, and what it was. */
interface Started {
  brandId: string;
  seriesId: string;
  slotId: string;
  status: StoredSlot["status"];
}

const startedPrefix = (passId: string): Deno.KvKey => ["passStarted", passId];

function noteStarted(commit: Commit, passId: string, slot: StoredSlot): void {
  const { brandId, seriesId, id: slotId, status } = slot;
  const note: Started = { brandId, seriesId, slotId, status };
  commit.set([...startedPrefix(passId), slotId], note, { expireIn: NOTES_LIVE_MS });
}

export const seriesJob: Handler = {
  // More at once would be faster, and other requests would feel it.
  concurrency: 2,
  maxAttempts: 3,
  backoff: exponential(10 * SECOND, MINUTE),
  async run(service, run) {
    const { brandId, subject } = run.job;
    const note = (commit: Commit, slot: StoredSlot) => {
      if (subject["passId"] !== undefined) noteStarted(commit, subject["passId"], slot);
    };
    const done = await passSeries(service, brandId!, subject["seriesId"]!, note);
    run.count("planned", done.planned);
    run.count("held", done.held);
  },
};

export const seriesPass: Pass = {
  counts: { series: 0, planned: 0, generated: 0, published: 0, held: 0 },
  async fanOut(service, { passId, brandId, byHand }, counts) {
    const active = (await listSeries(service.kv, brandId)).filter((series) => series.active);
    counts["series"] = active.length;
    const ids: string[] = [];
    for (let from = 0; from < active.length; from += CHUNK) {
      const chunk = active.slice(from, from + CHUNK);
      ids.push(
        ...await transact(
          service.kv,
          (commit) =>
            Promise.all(chunk.map((series) =>
              service.jobs.add(commit, {
                kind: "series",
                id: `series:${series.id}`,
                brandId: series.brandId,
                subject: { seriesId: series.id, passId },
                hurry: byHand,
              })
            )),
        ),
      );
    }
    return ids;
  },
  settle: waitForStarted,
};

/**
 * Waits until the images and posts that the pass started have come to something, and counts them.
 * True when images came of it whose time has passed already: they can be published at once.
 */
async function waitForStarted(service: Service, run: PassRun, counts: Counts): Promise<boolean> {
  const count = (what: string) => counts[what] = (counts[what] ?? 0) + 1;
  const entries = service.kv.list<Started>({ prefix: startedPrefix(run.passId) });
  const own = (await Array.fromAsync(entries)).map(({ value }) => value);
  let overdue = false;
  const moved = (note: Started, slot: StoredSlot | null) => {
    if (slot?.status === "held") count("held");
    else if (note.status === "generating" && slot !== null) count("generated");
    else if (slot?.status === "published") count("published");
    overdue ||= slot?.status === "ready" && Date.parse(slot.scheduledFor) <= service.now();
  };
  await watch(service, own, LONGEST_WAIT, moved);
  if (run.byHand) await watchOthers(service, run.brandId, moved);
  return overdue;
}

/** A pass by hand leaves nothing half done behind: what others began comes to something, too. */
async function watchOthers(service: Service, brandId: string | null, moved: Moved): Promise<void> {
  const giveUpAt = performance.now() + OTHERS_WAIT;
  let goesOn = true;
  // A slot whose images came may be on its way to the platform by now: looked at until none moves.
  while (goesOn) {
    goesOn = false;
    await watch(
      service,
      await underWay(service, brandId),
      giveUpAt - performance.now(),
      (note, slot) => {
        goesOn = true;
        moved(note, slot);
      },
    );
  }
}

type Moved = (note: Started, slot: StoredSlot | null) => void;

/** Calls `moved` for each slot that has left its noted status, at most for `ms`. */
async function watch(
  service: Service,
  notes: Started[],
  ms: number,
  moved: Moved,
): Promise<void> {
  const giveUpAt = performance.now() + ms;
  let open = notes;
  while (open.length > 0 && performance.now() < giveUpAt) {
    // Asked first: a slot that is read after the last of the work is as the work has left it.
    const goesOn = await isAtWork(service);
    const slots = await getEach<StoredSlot>(
      service.kv,
      open.map(({ brandId, seriesId, slotId }) => slotKey(brandId, seriesId, slotId)),
    );
    open = open.filter((note, at) => {
      const slot = slots[at] ?? null;
      if (slot?.status === note.status) return true;
      moved(note, slot);
      return false;
    });
    // What was put off, to be tried again later, is not waited for.
    if (open.length === 0 || !goesOn) return;
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

/** Whether a job that moves slots on is running or due. */
async function isAtWork({ kv, now }: Service): Promise<boolean> {
  for (const kind of ["generate", "settleSlot", "publishSlot"]) {
    for await (const { key } of kv.list({ prefix: ["due", kind] }, { batchSize: 10 })) {
      const job = (await kv.get<Job>(jobKey(String(key[3])))).value;
      if (job !== null && (job.state === "running" || job.dueAt <= now())) return true;
    }
  }
  return false;
}

/** Slots at which somebody is at work. */
async function underWay(service: Service, brandId: string | null): Promise<Started[]> {
  const notes: Started[] = [];
  const from = service.now() - LOOK_BACK;
  for (const series of await listSeries(service.kv, brandId)) {
    for (const slot of await listSlots(service.kv, series.brandId, series.id, { from })) {
      const { status, id: slotId, seriesId } = slot;
      if (status !== "generating" && status !== "publishing") continue;
      notes.push({ brandId: series.brandId, seriesId, slotId, status });
    }
  }
  return notes;
}
