/**
 * Invitations: links with which a person joins a brand, once. The store keeps a hash of the link's token.
 */
import { HOUR, iso, type Now } from "../foundation/calendar.ts";
import { noSuch, ServiceError } from "../foundation/errors.ts";
import { newToken, sha256 } from "../foundation/secrets.ts";
import { type Acting, audit } from "../kv/audit.ts";
import { type Commit, type Reader, reader, transact } from "../kv/transact.ts";
import { requireBrand } from "./brands.ts";
import type { Role } from "./roles.ts";

export interface Invite {
  /** The hash of its token. */
  hash: string;
  role: Role;
  /** ISO 8601. */
  at: string;
  /** Instant, ms. */
  expiresAt: number;
  /** The account that invites. */
  by: string | null;
}

/** How long a link works, ms. */
export const INVITE_MS = 72 * HOUR;
/** Open invitations of a brand. */
const MOST_INVITES = 20;
/** Where a link leads, below the service's address. The token is in the query, which is never logged. */
export const INVITE_PATH = "/studio/join";

const invitesKey = (brandId: string): Deno.KvKey => ["invites", brandId];

/** The open invitations of a brand, oldest first. */
export async function listInvites(
  from: Reader,
  now: Now,
  brandId: string,
): Promise<Invite[]> {
  const stored = await from.get<Invite[]>(invitesKey(brandId)) ?? [];
  return stored.filter(({ expiresAt }) => expiresAt > now());
}

/** All are over when the youngest is. */
function store(commit: Commit, brandId: string, invites: Invite[]): void {
  if (invites.length === 0) return commit.delete(invitesKey(brandId));
  commit.set(invitesKey(brandId), invites, { expireIn: INVITE_MS });
}

/**
 * Makes an invitation and returns its token.
 * @throws ServiceError `conflict` if the brand has as many open ones as it may
 */
export async function invite(acting: Acting, brandId: string, role: Role): Promise<string> {
  const { kv, now, by: { actor } } = acting;
  const token = newToken();
  const hash = await sha256(token);
  await transact(kv, async (commit) => {
    await requireBrand(commit, brandId);
    const open = await listInvites(commit, now, brandId);
    if (open.length >= MOST_INVITES) {
      throw new ServiceError(
        "conflict",
        `${MOST_INVITES} invitations are open. Withdraw one first.`,
      );
    }
    const by = actor.kind === "account" ? actor.id : null;
    const made: Invite = { hash, role, at: iso(now()), expiresAt: now() + INVITE_MS, by };
    store(commit, brandId, [...open, made]);
    note(commit, acting, "member.invited", brandId, made);
  });
  return token;
}

/** @throws ServiceError `notFound` */
export function withdrawInvite(acting: Acting, brandId: string, hash: string): Promise<void> {
  return transact(acting.kv, async (commit) => {
    const open = await listInvites(commit, acting.now, brandId);
    const found = open.find((one) => one.hash === hash);
    if (found === undefined) throw noSuch("invitation");
    store(commit, brandId, open.filter((one) => one !== found));
    note(commit, acting, "member.uninvited", brandId, found);
  });
}

/** Withdraws what the account has invited, in `commit`. */
export async function withdrawInvitesOf(
  commit: Commit,
  brandId: string,
  accountId: string,
): Promise<void> {
  const stored = await commit.get<Invite[]>(invitesKey(brandId)) ?? [];
  const kept = stored.filter(({ by }) => by !== accountId);
  if (kept.length < stored.length) store(commit, brandId, kept);
}

/** The invitation that the token opens, or null. */
export async function readInvite(
  { kv, now }: Pick<Acting, "kv" | "now">,
  brandId: string,
  token: string,
): Promise<Invite | null> {
  const hash = await sha256(token);
  const open = await listInvites(reader(kv), now, brandId);
  return open.find((one) => one.hash === hash) ?? null;
}

/**
 * Uses the invitation up in `commit`.
 * @throws ServiceError `forbidden` for one that was used, was withdrawn or has expired
 */
export async function useInvite(
  commit: Commit,
  now: Now,
  brandId: string,
  hash: string,
): Promise<Invite> {
  const open = await listInvites(commit, now, brandId);
  const found = open.find((one) => one.hash === hash);
  if (found === undefined) throw inviteIsOver();
  store(commit, brandId, open.filter((one) => one !== found));
  return found;
}

export function inviteIsOver(): ServiceError {
  return new ServiceError(
    "forbidden",
    "This invitation was used or withdrawn, or it has expired. Ask for a new one.",
  );
}

function note(
  commit: Commit,
  acting: Acting,
  action: "member.invited" | "member.uninvited",
  brandId: string,
  { role }: Invite,
): void {
  audit(commit, acting, { action, of: brandId, subject: brandId, details: { role } });
}
