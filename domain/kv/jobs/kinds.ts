/** Every kind of job and what it names; `jobs/` has a handler for each. */
import type { PassName } from "../passes.ts";

/** By kind, the ids that a job carries. Its handler reads what they name, as it may have changed. */
interface JobSubjects {
  deliver: { deliveryId: string };
  deliverEvent: { webhookId: string; deliveryId: string };
  digest: { digestId: string; passId: string };
  fanOut: Fanned;
  generate: { creationId: string; generation: number };
  metrics: { accountId: string; passId: string };
  passPage: PassPage;
  reseal: { keyId: string };
  publishSlot: SlotSubject;
  /** Without a series: the brand's one-off posts. */
  series: { seriesId: string | null; passId: string };
  settleSlot: SlotSubject;
  sweepFiles: { reservationId: string };
}

/** Either these events, to all webhooks that want them; or all since an instant, to one. */
type Fanned = { eventIds: string[] } | { webhookId: string; since: string };

interface SlotSubject {
  /** Null: a one-off post. */
  seriesId: string | null;
  slotId: string;
}

/** A part of the records that a pass walks over. */
interface PassPage {
  pass: PassName;
  passId: string;
  byHand: boolean;
  round: number;
  /** What the pass found out once, for all its pages. */
  known: string[];
  /** The keys of the page's records: from `start` to before `end`. */
  start: PageBound;
  end: PageBound;
}

/** A key; `true` at its end sorts after every key that begins like it. */
export type PageBound = (string | true)[];

export type JobKind = keyof JobSubjects;
export type JobSubject<Kind extends JobKind = JobKind> = JobSubjects[Kind];

/** A job, as far as its turn needs it. */
interface InTurn<Kind extends JobKind> {
  kind: Kind;
  brandId: string;
  subject: JobSubject<Kind>;
}

const byBrand = ({ brandId }: { brandId: string }) => brandId;

/**
 * Kinds whose jobs take turns, so that nobody waits behind another's pile: brands, and for what is sent
 * to webhooks also each brand's webhooks, as a receiver may hang.
 */
const TURNS: { [Kind in JobKind]?: (job: InTurn<Kind>) => string } = {
  deliverEvent: ({ brandId, subject }) => `${brandId}/${subject.webhookId}`,
  fanOut: byBrand,
  generate: byBrand,
};

export const takesTurns = (kind: JobKind): boolean => TURNS[kind] !== undefined;

/** In whose turn a job runs; undefined: its kind takes no turns. */
export function turnOf<Kind extends JobKind>(job: InTurn<Kind>): string | undefined {
  return TURNS[job.kind]?.(job);
}

/** The brand that a turn belongs to. */
export const brandOfTurn = (turn: string): string => turn.split("/", 1).join();

/** A subject as any version has stored it: earlier ones wrote numbers as text. */
export type StoredSubject<Kind extends JobKind> = {
  [Name in keyof JobSubject<Kind>]: JobSubject<Kind>[Name] | string;
};

export function subjectFrom<Kind extends JobKind>(stored: StoredSubject<Kind>): JobSubject<Kind> {
  const numbers = "generation" in stored ? { generation: Number(stored.generation) } : {};
  return { ...stored, ...numbers } as JobSubject<Kind>;
}
