/**
 * The audit trail: who did what, and from where. A row is written in the commit of the fact, so neither
 * is ever stored without the other.
 */
import { DAY, iso, type Now } from "../foundation/calendar.ts";
import { idsFrom, newId } from "../foundation/ids.ts";
import { type Commit, transact } from "./transact.ts";

/** Everything that leaves a row. */
export const ACTIONS = [
  "account.created",
  "account.passwordChanged",
  "account.signedIn",
  "account.signInFailed",
  "account.signedOut",
  "account.signedOutEverywhere",
  "asset.changed",
  "asset.created",
  "asset.deleted",
  "asset.purged",
  "brand.created",
  "brand.changed",
  "brand.deleted",
  "brand.restored",
  "castMember.created",
  "castMember.changed",
  "castMember.deleted",
  "creation.created",
  "creation.changed",
  "creation.retried",
  "creation.deleted",
  "credits.granted",
  "item.approved",
  "item.captioned",
  "item.changed",
  "item.created",
  "item.deleted",
  "item.ordered",
  "item.publishing",
  "item.published",
  "item.regenerated",
  "item.skipped",
  "item.unapproved",
  "job.retried",
  "key.created",
  "key.revoked",
  "kit.changed",
  "member.changed",
  "member.invited",
  "member.joined",
  "member.removed",
  "member.uninvited",
  "posts.imported",
  "series.created",
  "series.changed",
  "series.deleted",
  "series.reviewed",
  "social.connected",
  "social.disconnected",
  "upload.started",
  "webhook.changed",
  "webhook.created",
  "webhook.deleted",
  "webhook.replayed",
  "webhook.rotated",
  "webhook.tested",
] as const;
export type Action = typeof ACTIONS[number];

export type Actor =
  | { kind: "key"; id: string; name: string }
  /** A person who is signed in, in a brand with their role there. */
  | { kind: "account"; id: string; email: string | null; role?: string }
  /** `deno task admin`. */
  | { kind: "admin" }
  /** A pass, a job or the start of the service: nobody asked for it at that moment. */
  | { kind: "system" }
  /** Somebody who is not signed in. */
  | { kind: "visitor" };

/** Who acts, and from where. */
export interface By {
  readonly actor: Actor;
  /** A property of its own, so that the address is looked up only when a row is written. */
  readonly from: { readonly address: string | null };
}

/** What code that writes to the store has of the service. */
export interface Acting {
  readonly kv: Deno.Kv;
  readonly now: Now;
  readonly by: By;
}

const NOWHERE = { address: null };
export const SYSTEM: By = { actor: { kind: "system" }, from: NOWHERE };
export const ADMIN: By = { actor: { kind: "admin" }, from: NOWHERE };

/** Short facts: names, ids and numbers. Never a secret, a prompt or a caption. */
type Details = Record<string, string | number>;

export interface NewRow {
  action: Action;
  /** Whose trail it belongs to: a brand's id, or an account's for what concerns no single brand. */
  of: string;
  /** The id of what was written. */
  subject: string;
  details?: Details | undefined;
}

/** A row as stored and as listed. */
export interface AuditRow {
  id: string;
  at: string;
  action: Action;
  actor: Actor;
  /** The client's address; null where there was no request. */
  address: string | null;
  subject: string;
  details?: Details;
}

/** How long rows are kept (DECISIONS "Second round"). */
const KEPT_MS = 90 * DAY;

const AUDIT = "audit";
const rowKey = (of: string, id: string): Deno.KvKey => [AUDIT, of, id];

/** Adds a row to the commit of the fact. Needs no check, because its id is new. */
export function audit(
  commit: Commit,
  { now, by }: Pick<Acting, "now" | "by">,
  { action, of, subject, details }: NewRow,
): void {
  const at = now();
  const row: AuditRow = {
    id: newId("audit", at),
    at: iso(at),
    action,
    actor: by.actor,
    address: by.from.address,
    subject,
    ...(details === undefined ? {} : { details }),
  };
  commit.set(rowKey(of, row.id), row, { expireIn: KEPT_MS });
}

/** Adds a row in a commit of its own: for a fact that is a refusal, or that takes many commits. */
export function auditAlone(acting: Acting, row: NewRow): Promise<void> {
  return transact(acting.kv, (commit) => audit(commit, acting, row));
}

/** The newest rows of a trail, newest first. @param before the id of the last row that was seen */
export async function newestRows(
  kv: Deno.Kv,
  of: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<AuditRow[]> {
  const prefix = [AUDIT, of];
  const range = before === null ? { prefix } : { prefix, end: rowKey(of, before) };
  const rows: AuditRow[] = [];
  for await (const { value } of kv.list<AuditRow>(range, { reverse: true, limit })) {
    rows.push(value);
  }
  return rows;
}

/**
 * The rows of these trails from the instant `from` (ms) on, oldest first. Reads them in batches, so
 * memory does not grow with their number.
 */
export async function* auditRows(
  { kv, now }: Pick<Acting, "kv" | "now">,
  trails: string[],
  from = 0,
): AsyncGenerator<AuditRow> {
  // The store may delete a row some time after it has expired.
  const first = idsFrom("audit", Math.max(from, now() - KEPT_MS));
  const heads: { row: AuditRow; rest: AsyncIterator<Deno.KvEntry<AuditRow>> }[] = [];
  const advance = async (rest: AsyncIterator<Deno.KvEntry<AuditRow>>) => {
    const next = await rest.next();
    if (next.done !== true) heads.push({ row: next.value.value, rest });
  };
  for (const of of trails) {
    const rows = kv.list<AuditRow>({ prefix: [AUDIT, of], start: rowKey(of, first) });
    await advance(rows[Symbol.asyncIterator]());
  }
  for (;;) {
    heads.sort((a, b) => a.row.id < b.row.id ? -1 : 1);
    const oldest = heads.shift();
    if (oldest === undefined) return;
    yield oldest.row;
    await advance(oldest.rest);
  }
}
