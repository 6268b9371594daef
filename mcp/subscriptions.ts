/**
 * What is stored of a session: the resources that it is subscribed to, or that it has ended. So the
 * process that holds its stream need not be the one that took the subscription.
 */
import type { ApiKey } from "../domain/brands/keys.ts";
import { newestEvents } from "../domain/events/feed.ts";
import { DAY, MINUTE } from "../domain/foundation/calendar.ts";
import { invalid, ServiceError } from "../domain/foundation/errors.ts";
import { headKey } from "../domain/kv/outbox.ts";
import { type Commit, reader, transact } from "../domain/kv/transact.ts";
import type { Service } from "../domain/service/service.ts";
import type { Session } from "./session.ts";

export interface SessionRow {
  /** Addresses of resources. */
  uris: string[];
  /** The brand's newest event when the first of them was subscribed to; null: there was none. */
  after: string | null;
  hasEnded: boolean;
  /** When the row was made, or a stream of the session was opened since. Instant, ms. */
  at: number;
}

/** Resources that a session may subscribe to. */
const MOST_URIS = 100;
/** Sessions of one key that are subscribed to something, and as many that have ended. */
const MOST_ROWS = 300;
/** How long a session that had to make room is known as ended: its client hears of it by then. */
const TOLD_MS = DAY;
/** A stream that is opened again so soon is not noted, because that is a write. */
const NOTED_MS = 10 * MINUTE;

const keyPrefix = ({ brandId, id }: Pick<ApiKey, "brandId" | "id">): Deno.KvKey => [
  "mcpSession",
  brandId,
  id,
];
const rowKey = ({ brandId, keyId, id }: Session): Deno.KvKey => [
  ...keyPrefix({ brandId, id: keyId }),
  id,
];

type Parts = Pick<Service, "kv" | "now">;

export function readRow({ kv }: Pick<Parts, "kv">, session: Session): Promise<SessionRow | null> {
  return reader(kv).get<SessionRow>(rowKey(session));
}

/** The refusal after which a client initializes again. */
export function noSession(): ServiceError {
  return new ServiceError(
    "notFound",
    "There is no such session of this key, or it has ended. Initialize again, without " +
      "Mcp-Session-Id.",
  );
}

/**
 * Has the session told of changes from now on.
 * @throws ServiceError `validationError` at the most, `notFound` when the session has ended
 */
export function subscribe(parts: Parts, session: Session, uri: string): Promise<void> {
  const { brandId } = session;
  return transact(parts.kv, async (commit) => {
    const row = await liveRow(commit, session);
    // An event that comes between the look and the commit makes the commit fail, so none is missed.
    await commit.get(headKey(brandId));
    const uris = row?.uris ?? [];
    if (uris.includes(uri)) return;
    if (uris.length >= MOST_URIS) {
      throw invalid("uri", `a session may subscribe to ${MOST_URIS} resources at most`);
    }
    const isFirst = uris.length === 0;
    const after = row === null || isFirst
      ? (await newestEvents(parts.kv, brandId, 1)).nextAfter
      : row.after;
    await write(commit, parts, session, row, { uris: [...uris, uri], after, hasEnded: false });
  });
}

/** @throws ServiceError `notFound` when the session has ended */
export function unsubscribe(parts: Parts, session: Session, uri: string): Promise<void> {
  return transact(parts.kv, async (commit) => {
    const row = await liveRow(commit, session);
    if (row === null || !row.uris.includes(uri)) return;
    const uris = row.uris.filter((one) => one !== uri);
    await write(commit, parts, session, row, { ...row, uris });
  });
}

/** Ends the session in every process, and its subscriptions. */
export function endSession(parts: Parts, session: Session): Promise<void> {
  return transact(parts.kv, async (commit) => {
    const row = await commit.get<SessionRow>(rowKey(session));
    if (row?.hasEnded === true) return;
    await write(commit, parts, session, row, { uris: [], after: null, hasEnded: true });
  });
}

/** Notes that a stream of the session is opened: whoever listens is the last to make room. */
export function noteListener(parts: Parts, session: Session): Promise<void> {
  return transact(parts.kv, async (commit) => {
    const row = await commit.get<SessionRow>(rowKey(session));
    const at = parts.now();
    if (row === null || row.hasEnded || at - row.at < NOTED_MS) return;
    set(commit, parts, session, { ...row, at });
  });
}

async function liveRow(commit: Commit, session: Session): Promise<SessionRow | null> {
  const row = await commit.get<SessionRow>(rowKey(session));
  if (row?.hasEnded === true) throw noSession();
  return row;
}

async function write(
  commit: Commit,
  parts: Parts,
  session: Session,
  before: SessionRow | null,
  after: Omit<SessionRow, "at">,
): Promise<void> {
  if (before === null) await makeRoom(commit, parts, session, after);
  set(commit, parts, session, { ...after, at: before?.at ?? parts.now() });
}

function set(commit: Commit, { now }: Parts, session: Session, row: SessionRow): void {
  commit.set(rowKey(session), row, { expireIn: Math.max(1, session.expiresAt - now()) });
}

/**
 * Keeps the key's rows within their number. Many clients leave without ending their session, so a new
 * subscriber ends the one that was listened to least recently. That one's stream ends, and its client
 * is told to begin again.
 */
async function makeRoom(
  commit: Commit,
  { kv, now }: Parts,
  { brandId, keyId }: Session,
  { hasEnded }: Pick<SessionRow, "hasEnded">,
): Promise<void> {
  const prefix = keyPrefix({ brandId, id: keyId });
  const rows = await Array.fromAsync(kv.list<SessionRow>({ prefix }));
  const [ended = [], live = []] = [true, false].map((isOver) =>
    rows.filter(({ value }) => value.hasEnded === isOver)
  );
  if (ended.length >= MOST_ROWS) commit.delete(oldestOf(ended));
  if (hasEnded || live.length < MOST_ROWS) return;
  const over: SessionRow = { uris: [], after: null, hasEnded: true, at: now() };
  commit.set(oldestOf(live), over, { expireIn: TOLD_MS });
}

/** The key of the row with the earliest instant. */
function oldestOf(rows: Deno.KvEntry<SessionRow>[]): Deno.KvKey {
  return rows.reduce((one, other) => other.value.at < one.value.at ? other : one).key;
}
