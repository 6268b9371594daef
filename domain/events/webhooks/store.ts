/** A brand's webhooks as stored: each a record, and for the outbox the types that active ones want. */
import { DAY, iso } from "../../foundation/calendar.ts";
import { invalid, notFound, ServiceError } from "../../foundation/errors.ts";
import { isId, newId } from "../../foundation/ids.ts";
import type { Secrets } from "../../foundation/secrets.ts";
import { type Acting, type Action, audit } from "../../kv/audit.ts";
import { countAdded, countRemoved, type Limit } from "../../kv/live.ts";
import { wantedKey, type Wants } from "../../kv/outbox.ts";
import { type Commit, listValues, type Reader, transact } from "../../kv/transact.ts";
import type { Service } from "../../service/service.ts";
import {
  type FormerSecret,
  MOST_URL,
  type NewWebhook,
  shownWebhook,
  type StoredWebhook,
  type Webhook,
  type WebhookChange,
  type WebhookWithSecret,
} from "./shape.ts";
import { newSigningSecret } from "./signature.ts";

const LIMIT: Limit = { most: 10, plural: "webhooks" };
/** How long the secret before a rotation signs, too. */
const BOTH_SIGN_MS = DAY;
/** Secrets before rotations that sign, too; each makes the header of every message longer. */
const MOST_FORMER = 4;

type Parts = Acting & Pick<Service, "secrets" | "settings">;

const webhookKey = (brandId: string, id: string): Deno.KvKey => ["webhook", brandId, id];
const countKey = (brandId: string): Deno.KvKey => ["webhookCount", brandId];

export async function listWebhooks(kv: Deno.Kv, brandId: string): Promise<Webhook[]> {
  return (await listValues<StoredWebhook>(kv, ["webhook", brandId])).map(shownWebhook);
}

export async function readWebhook(
  from: Reader,
  brandId: string,
  id: string,
): Promise<StoredWebhook | null> {
  return isId("webhook", id) ? await from.get(webhookKey(brandId, id)) : null;
}

/** @throws ServiceError `notFound` */
export async function requireWebhook(
  from: Reader,
  brandId: string,
  id: string,
): Promise<StoredWebhook> {
  const webhook = await readWebhook(from, brandId, id);
  if (webhook === null) throw notFound("webhook");
  return webhook;
}

/** Like `requireWebhook`. @throws ServiceError `conflict` if it is switched off, too */
export async function requireActive(
  from: Reader,
  brandId: string,
  id: string,
): Promise<StoredWebhook> {
  const webhook = await requireWebhook(from, brandId, id);
  if (webhook.active) return webhook;
  throw new ServiceError("conflict", "The webhook is switched off. Switch it on first.");
}

/** @throws ServiceError `validationError` for a wrong address, or past the limit */
export async function createWebhook(
  parts: Parts,
  brandId: string,
  { url, types, description }: NewWebhook,
): Promise<WebhookWithSecret> {
  const address = addressFrom(parts, url);
  const { kv, now, secrets } = parts;
  const at = now();
  const id = newId("webhook", at);
  const secret = newSigningSecret();
  const webhook: StoredWebhook = {
    ...{ id, brandId, url: address, types: [...new Set(types)], description, active: true },
    ...{ createdAt: iso(at), disabledAt: null, disabledReason: null },
    ...{ secret: await secrets.seal(secret, id), former: null, failingSince: null },
  };
  await transact(kv, async (commit) => {
    await countAdded(commit, countKey(brandId), LIMIT);
    await writeWebhook(commit, webhook);
    note(commit, parts, webhook, "webhook.created");
  });
  return { ...shownWebhook(webhook), secret };
}

/** @throws ServiceError `notFound`; `validationError` for a wrong address */
export async function changeWebhook(
  parts: Parts,
  brandId: string,
  id: string,
  change: WebhookChange,
): Promise<Webhook> {
  const address = change.url === undefined ? undefined : addressFrom(parts, change.url);
  return await transact(parts.kv, async (commit) => {
    const stored = await requireWebhook(commit, brandId, id);
    const { description = stored.description, active = stored.active } = change;
    // An earlier version stored it as it was typed.
    const former = new URL(stored.url).href;
    const url = address ?? former;
    const types = [...new Set(change.types ?? stored.types)];
    const isAfresh = url !== former || active !== stored.active;
    const off = active ? { disabledAt: null, disabledReason: null } : {};
    const next: StoredWebhook = {
      ...{ ...stored, url, description, active, types, ...off },
      ...(isAfresh ? { failingSince: null } : {}),
    };
    await writeWebhook(commit, next);
    note(commit, parts, next, "webhook.changed");
    return shownWebhook(next);
  });
}

/** Messages that are under way find no webhook and end. @throws ServiceError `notFound` */
export async function deleteWebhook(parts: Parts, brandId: string, id: string): Promise<void> {
  await transact(parts.kv, async (commit) => {
    const webhook = await requireWebhook(commit, brandId, id);
    commit.delete(webhookKey(brandId, id));
    await countRemoved(commit, countKey(brandId));
    await writeWants(commit, { ...webhook, active: false });
    note(commit, parts, webhook, "webhook.deleted");
  });
}

/**
 * Gives it a new secret. The one before signs, too, for a day, also when there is another rotation by
 * then: the answer to the first one may have been lost, so that nobody knows its secret.
 * @throws ServiceError `notFound`
 */
export async function rotateSecret(
  parts: Parts,
  brandId: string,
  id: string,
): Promise<WebhookWithSecret> {
  const { kv, now, secrets } = parts;
  const secret = newSigningSecret();
  return await transact(kv, async (commit) => {
    const stored = await requireWebhook(commit, brandId, id);
    const at = now();
    const former = { secret: stored.secret, until: iso(at + BOTH_SIGN_MS) };
    const earlier = formersOf(stored).filter((one) => isDue(one, at)).slice(0, MOST_FORMER - 1);
    const next: StoredWebhook = {
      ...{ ...stored, secret: await secrets.seal(secret, id), former, earlier },
    };
    commit.set(webhookKey(brandId, id), next);
    note(commit, parts, next, "webhook.rotated");
    return { ...shownWebhook(next), secret };
  });
}

/** The secrets that sign now, newest first. @throws when no known secret opens them */
export function signingSecrets(
  secrets: Secrets,
  webhook: StoredWebhook,
  at: number,
): Promise<string[]> {
  const formers = formersOf(webhook).filter((one) => isDue(one, at)).map(({ secret }) => secret);
  return Promise.all([webhook.secret, ...formers].map((one) => secrets.open(one, webhook.id)));
}

/** Newest first. */
function formersOf({ former, earlier = [] }: StoredWebhook): FormerSecret[] {
  return former === null ? [] : [former, ...earlier];
}

const isDue = ({ until }: FormerSecret, at: number) => Date.parse(until) > at;

/** Adds the action to the audit trail. */
export function note(
  commit: Commit,
  parts: Pick<Acting, "now" | "by">,
  { id, brandId }: Pick<StoredWebhook, "id" | "brandId">,
  action: Action,
): void {
  audit(commit, parts, { action, of: brandId, subject: id });
}

export async function writeWebhook(commit: Commit, webhook: StoredWebhook): Promise<void> {
  commit.set(webhookKey(webhook.brandId, webhook.id), webhook);
  await writeWants(commit, webhook);
}

async function writeWants(
  commit: Commit,
  { brandId, id, active, types }: StoredWebhook,
): Promise<void> {
  const { [id]: _, ...others } = await commit.get<Wants>(wantedKey(brandId)) ?? {};
  const wants: Wants = active ? { ...others, [id]: types } : others;
  if (Object.keys(wants).length === 0) commit.delete(wantedKey(brandId));
  else commit.set(wantedKey(brandId), wants);
}

/**
 * The address as the URL standard writes it, however it was typed. Its host is checked at each try,
 * because a name may lead elsewhere by then.
 * @throws ServiceError `validationError`
 */
function addressFrom({ settings }: Parts, text: string): string {
  const url = URL.parse(text);
  const isAllowed = url !== null && settings.ALLOW_PRIVATE_HOSTS.includes(portedHost(url));
  if (url === null || (url.protocol !== "https:" && !(isAllowed && url.protocol === "http:"))) {
    throw invalid("url", "must be an https address");
  }
  if (url.username !== "" || url.password !== "") {
    throw invalid("url", "must not hold a user name or password");
  }
  if (url.href.includes("#")) {
    throw invalid("url", "must not hold a fragment: what follows a # is never sent");
  }
  // Longer than it was typed: what is not ASCII is written with percent signs.
  if (url.href.length > MOST_URL) throw invalid("url", `must have at most ${MOST_URL} characters`);
  return url.href;
}

function portedHost({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

/** A webhook's secrets as stored. */
export interface SealedSecrets {
  isCurrent: boolean;
  /** @throws when no known secret opens them */
  open(): Promise<unknown>;
  /** Seals them with the current secret. @throws when no known secret opens them */
  reseal(): Promise<void>;
}

/** The secrets of all brands' webhooks. */
export async function* sealedWebhooks(
  { kv, secrets }: Pick<Service, "kv" | "secrets">,
): AsyncGenerator<SealedSecrets> {
  for await (const { key, value } of kv.list<StoredWebhook>({ prefix: ["webhook"] })) {
    const sealed = [value.secret, ...formersOf(value).map(({ secret }) => secret)];
    const again = async (one: string) =>
      secrets.isCurrent(one)
        ? one
        : await secrets.seal(await secrets.open(one, value.id), value.id);
    yield {
      isCurrent: sealed.every((one) => secrets.isCurrent(one)),
      open: () => Promise.all(sealed.map((one) => secrets.open(one, value.id))),
      reseal: () =>
        transact(kv, async (commit) => {
          const stored = await commit.get<StoredWebhook>(key);
          if (stored === null) return;
          const formers = formersOf(stored).map(async (one) => ({
            ...one,
            secret: await again(one.secret),
          }));
          const [former = null, ...earlier] = await Promise.all(formers);
          const secret = await again(stored.secret);
          commit.set(key, { ...stored, secret, former, earlier } satisfies StoredWebhook);
        }),
    };
  }
}
