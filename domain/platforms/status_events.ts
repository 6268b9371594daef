/** Tells others when a person has to act on a connected account, in the commit of its new status. */
import { emit } from "../kv/outbox.ts";
import type { Commit } from "../kv/transact.ts";

/** What is told of an account. */
interface Told {
  id: string;
  brandId: string;
  platform: string;
  handle: string;
  status: string;
  error: string | null;
  tokenExpiresAt: string | null;
}

/** @param at instant of the change, ms */
export function emitStatus(commit: Commit, before: Told, account: Told, at: number): void {
  const { id: accountId, brandId, platform, handle, status, error, tokenExpiresAt } = account;
  if (status === before.status) return;
  const about = { accountId, platform, handle };
  if (status === "expiring") {
    const data = { ...about, expiresAt: tokenExpiresAt };
    emit(commit, { brandId, at, type: "account.expiring", data });
  } else if (status === "reconnect") {
    emit(commit, { brandId, at, type: "account.reconnect", data: { ...about, error } });
  }
}
