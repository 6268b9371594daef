/** The slots on which a series pass started work: noted by its jobs, then waited for and counted. */
import { MINUTE, SECOND } from "../domain/foundation/calendar.ts";
import { dueIds } from "../domain/kv/jobs/indexes.ts";
import type { JobKind } from "../domain/kv/jobs/kinds.ts";
import { readJob } from "../domain/kv/jobs/records.ts";
import { type Commit, getEach, reader } from "../domain/kv/transact.ts";
import {
  LOOK_BACK,
  SERIES,
  slotKey,
  type StoredSeries,
  type StoredSlot,
} from "../domain/series/records.ts";
import { listSlots } from "../domain/series/slot_list.ts";
import { ONE_OFFS, type OneOffs } from "../domain/series/slot_rows.ts";
import type { Service } from "../domain/service/service.ts";
import { type Counts, type PassRun, pollAgain } from "./pass.ts";

/** A pass stops waiting after this; the work itself continues. */
const LONGEST_WAIT = 5 * MINUTE;
/** How long a pass by hand waits for work that others have started. */
const OTHERS_WAIT = 20 * SECOND;
const KEEP_NOTES_MS = 60 * MINUTE;
/** Slots that are watched together, and records read in one portion. */
const AT_ONCE = 100;
/** Kinds of jobs that move a slot to its next status. */
const MOVING: readonly JobKind[] = ["generate", "settleSlot", "publishSlot"];

/** A slot on which work was started, and its status then. */
interface Started {
  brandId: string;
  seriesId: string | null;
  slotId: string;
  status: StoredSlot["status"];
}

const startedPrefix = (passId: string): Deno.KvKey => ["passStarted", passId];

export function noteStarted(commit: Commit, passId: string, slot: StoredSlot): void {
  const note = startedOn(slot);
  commit.set([...startedPrefix(passId), note.slotId], note, { expireIn: KEEP_NOTES_MS });
}

function startedOn({ brandId, seriesId, id: slotId, status }: StoredSlot): Started {
  return { brandId, seriesId, slotId, status };
}

/**
 * Waits until the slots that the pass has started have left the status they had then, and counts
 * them. Returns true when there are new images whose time has passed already, because another round
 * can publish them at once.
 */
export async function awaitStarted(
  service: Service,
  run: PassRun,
  counts: Counts,
): Promise<boolean> {
  const count = (what: string) => counts[what] = (counts[what] ?? 0) + 1;
  let overdue = false;
  const seen = ({ status, scheduledFor }: StoredSlot) => {
    overdue ||= status === "ready" && Date.parse(scheduledFor) <= service.now();
  };
  const moved = (note: Started, slot: StoredSlot | null) => {
    if (slot?.status === "held") count("held");
    else if (note.status === "generating" && slot !== null) count("generated");
    else if (slot?.status === "published") count("published");
    if (slot !== null) seen(slot);
  };
  await watchAll(service, ownNotes(service, run.passId), LONGEST_WAIT, moved);
  if (run.byHand) await watchOthers(service, run.brandId, moved, seen);
  return overdue;
}

type Moved = (note: Started, slot: StoredSlot | null) => void;

/**
 * A pass by hand leaves nothing half done, so it also waits for work that others have started. It
 * calls `seen` for every slot, because others' images may be complete before it looks.
 */
async function watchOthers(
  service: Service,
  brandId: string | null,
  moved: Moved,
  seen: (slot: StoredSlot) => void,
): Promise<void> {
  const giveUpAt = performance.now() + OTHERS_WAIT;
  let anyMoved = true;
  // A slot with new images may be on its way to the platform next, so look until none moves.
  while (anyMoved) {
    anyMoved = false;
    const notes = underWay(service, brandId, seen);
    await watchAll(service, notes, giveUpAt - performance.now(), (note, slot) => {
      anyMoved = true;
      moved(note, slot);
    });
  }
}

/** Like `watch` for any number of slots, of which it holds a few at a time. */
async function watchAll(
  service: Service,
  notes: AsyncIterable<Started>,
  ms: number,
  moved: Moved,
): Promise<void> {
  const giveUpAt = performance.now() + ms;
  let few: Started[] = [];
  for await (const note of notes) {
    few.push(note);
    if (few.length < AT_ONCE) continue;
    await watch(service, few, giveUpAt - performance.now(), moved);
    few = [];
  }
  await watch(service, few, giveUpAt - performance.now(), moved);
}

/** Calls `moved` for each slot that has left its noted status; waits at most `ms`. */
async function watch(
  service: Service,
  notes: Started[],
  ms: number,
  moved: Moved,
): Promise<void> {
  const giveUpAt = performance.now() + ms;
  let open = notes;
  while (open.length > 0 && performance.now() < giveUpAt) {
    // Asked before the slots are read: with no work left, they are as that work has left them.
    const mayMove = await isAtWork(service);
    const slots = await getEach<StoredSlot>(
      service.kv,
      open.map(({ brandId, seriesId, slotId }) => slotKey(brandId, seriesId, slotId)),
    );
    open = open.filter((note, index) => {
      const slot = slots[index] ?? null;
      if (slot?.status === note.status) return true;
      moved(note, slot);
      return false;
    });
    // Work that was put off until later is not waited for.
    if (open.length === 0 || !mayMove) return;
    await pollAgain(service);
  }
}

/** Whether a job that moves slots is running or due. */
async function isAtWork({ kv, now }: Service): Promise<boolean> {
  for (const kind of MOVING) {
    for await (const id of dueIds(kv, kind, Infinity, { batchSize: 10 })) {
      const job = await readJob(reader(kv), id);
      if (job !== null && (job.state === "running" || job.dueAt <= now())) return true;
    }
  }
  return false;
}

/** The slots on which the pass itself started work. */
async function* ownNotes({ kv }: Service, passId: string): AsyncGenerator<Started> {
  const notes = kv.list<Started>({ prefix: startedPrefix(passId) }, { batchSize: AT_ONCE });
  for await (const { value } of notes) yield value;
}

/** Slots on which work is under way. */
async function* underWay(
  { kv, now }: Service,
  brandId: string | null,
  seen: (slot: StoredSlot) => void,
): AsyncGenerator<Started> {
  const from = now() - LOOK_BACK;
  for await (const source of sources(kv, brandId)) {
    for (const slot of await listSlots(kv, source.brandId, source.seriesId, { from })) {
      seen(slot);
      if (slot.status === "generating" || slot.status === "publishing") yield startedOn(slot);
    }
  }
}

/** The live series, then the brands with one-off posts. */
async function* sources(
  kv: Deno.Kv,
  brandId: string | null,
): AsyncGenerator<Pick<StoredSlot, "brandId" | "seriesId">> {
  const range = (collection: string) => {
    const start = brandId === null ? [collection] : [collection, brandId];
    return { start, end: [...start, true] };
  };
  for await (const { value } of kv.list<StoredSeries>(range(SERIES), { batchSize: AT_ONCE })) {
    if (value.deletedAt === null) yield { brandId: value.brandId, seriesId: value.id };
  }
  for await (const { value } of kv.list<OneOffs>(range(ONE_OFFS), { batchSize: AT_ONCE })) {
    yield { brandId: value.brandId, seriesId: null };
  }
}
