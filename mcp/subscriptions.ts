/**
 * What is stored of a session: the resources that it is subscribed to, or that it has ended. So the
 * process that holds its stream need not be the one that took the subscription.
 */
import type { ApiKey } from "../domain/brands/keys.ts";
import { newestEvents } from "../domain/events/feed.ts";
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
  /** When the row was made. Instant, ms. */
  at: number;
}

/** Resources that a session may subscribe to. */
const MOST_URIS = 100;
/** Sessions of one key of which something is stored. Many clients leave without ending theirs. */
const MOST_ROWS = 300;

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

async function liveRow(commit: Commit, session: Session): Promise<SessionRow | null> {
  const row = await commit.get<SessionRow>(rowKey(session));
  if (row?.hasEnded === true) throw noSession();
  return row;
}

async function write(
  commit: Commit,
  { kv, now }: Parts,
  session: Session,
  before: SessionRow | null,
  after: Omit<SessionRow, "at">,
): Promise<void> {
  if (before === null) await makeRoom(commit, kv, session);
  const row: SessionRow = { ...after, at: before?.at ?? now() };
  commit.set(rowKey(session), row, { expireIn: Math.max(1, session.expiresAt - now()) });
}

/**
 * Forgets a session of the key when there are too many: the oldest one, but one that has ended before
 * one that may still be listened to.
 */
async function makeRoom(commit: Commit, kv: Deno.Kv, { brandId, keyId }: Session): Promise<void> {
  const prefix = keyPrefix({ brandId, id: keyId });
  const rows = await Array.fromAsync(kv.list<SessionRow>({ prefix }));
  if (rows.length < MOST_ROWS) return;
  const ended = rows.filter(({ value }) => value.hasEnded);
  const oldest = (ended.length > 0 ? ended : rows)
    .reduce((one, other) => other.value.at < one.value.at ? other : one);
  commit.delete(oldest.key);
}
