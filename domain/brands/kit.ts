/** The brand kit: base style of all prompts, webhook for digests and alerts, voice and look. */
import { z } from "zod";
import { invalid } from "../foundation/errors.ts";
import { type Acting, audit } from "../kv/audit.ts";
import { type Commit, getEach, type Reader, transact } from "../kv/transact.ts";
import type { Secrets } from "../foundation/secrets.ts";
import type { Settings } from "../foundation/settings.ts";
import { optionalText } from "../foundation/text.ts";
import { changedFields, KitFields, kitFields, NewKitFields, NO_FIELDS } from "./kit_fields.ts";

/** What `isWebhook` takes, for the description: Discord's hosts, or an empty text. */
const WEBHOOK_PATTERN = String.raw`^$|^https://((ptb\.|canary\.)?discord|discordapp)\.com` +
  String.raw`/api/(v\d{1,2}/)?webhooks/\d{1,20}/[\w-]{1,200}([?#].*)?$`;

export const BrandKit = z.object({
  baseStylePrompt: z.string().describe("Style text prepended to every composed prompt."),
  discordWebhookUrl: z.string().nullable().describe(
    "Discord webhook for digests and alerts; null when cleared.",
  ),
}).extend(KitFields.shape).meta({ id: "BrandKit" });
export type BrandKit = z.output<typeof BrandKit>;

export const NewBrandKit = z.object({
  baseStylePrompt: optionalText(4_000),
  discordWebhookUrl: z.string().max(2_000).meta({ pattern: WEBHOOK_PATTERN }).nullable().describe(
    "`https://discord.com/api/webhooks/{id}/{token}`; empty or null clears it.",
  ),
}).extend(NewKitFields.shape);
export type NewBrandKit = z.output<typeof NewBrandKit>;

/** Any of its fields. */
export const KitChange = NewBrandKit.partial();
type KitChange = z.output<typeof KitChange>;

const WebhookStatus = z.enum(["on", "off"]);
type WebhookStatus = z.output<typeof WebhookStatus>;

/** A kit as stored. */
export interface StoredKit extends KitFields {
  baseStylePrompt: string;
  /** The webhook's address, sealed because who knows it can write to the channel; null: none. */
  webhook: string | null;
  /** `off`: Discord no longer knows the webhook; saving the kit switches it on again. */
  webhookStatus: WebhookStatus;
}

/** Kits as earlier versions stored them: without the optional fields, the first with the address as it is. */
type FormerKit =
  & Pick<StoredKit, "baseStylePrompt" | "webhookStatus">
  & Partial<KitFields>
  & ({ webhook: string | null } | { discordWebhookUrl: string | null });

type KitSettings = Pick<Settings, "ALLOW_PRIVATE_HOSTS">;

export const kitKey = (brandId: string): Deno.KvKey => ["brandKit", brandId];
const EMPTY: StoredKit = {
  ...NO_FIELDS,
  baseStylePrompt: "",
  webhook: null,
  webhookStatus: "on",
};

export async function readKit(from: Reader, brandId: string): Promise<StoredKit> {
  return kitFrom(await from.get<FormerKit>(kitKey(brandId)));
}

/** The kits of brands, in order, read in as few calls to the store as it takes. */
export async function readKits(kv: Deno.Kv, brandIds: string[]): Promise<StoredKit[]> {
  return (await getEach<FormerKit>(kv, brandIds.map(kitKey))).map(kitFrom);
}

function kitFrom(stored: FormerKit | null): StoredKit {
  if (stored === null) return EMPTY;
  const { baseStylePrompt, webhookStatus } = stored;
  const webhook = "webhook" in stored ? stored.webhook : stored.discordWebhookUrl;
  return { ...kitFields(stored), baseStylePrompt, webhook, webhookStatus };
}

/** The webhook's address, or null when there is none. @throws when no known secret sealed it */
export async function webhookOf(
  secrets: Secrets,
  brandId: string,
  { webhook }: Pick<StoredKit, "webhook">,
): Promise<string | null> {
  return webhook === null || isPlain(webhook) ? webhook : await secrets.open(webhook, brandId);
}

const isPlain = (webhook: string) => webhook.startsWith("http");

/** False for a webhook that is sealed with an earlier secret. Without a webhook it is true. */
export function isSealedNow(secrets: Secrets, { webhook }: StoredKit): boolean {
  return webhook === null || secrets.isCurrent(webhook);
}

/** The brands that have a kit. */
export async function* brandsWithKit(kv: Deno.Kv): AsyncGenerator<string> {
  for await (const { key } of kv.list({ prefix: ["brandKit"] })) yield String(key[1]);
}

/** Seals the webhook's address with the current secret. @throws when no known secret sealed it */
export function resealKit(kv: Deno.Kv, secrets: Secrets, brandId: string): Promise<void> {
  return transact(kv, async (commit) => {
    const kit = await readKit(commit, brandId);
    if (isSealedNow(secrets, kit)) return;
    const url = await webhookOf(secrets, brandId, kit);
    const webhook = url === null ? null : await secrets.seal(url, brandId);
    commit.set(kitKey(brandId), { ...kit, webhook } satisfies StoredKit);
  });
}

/** Switches the kit's webhook off, unless the kit was saved again since `dead`, as stored, failed. */
export async function switchWebhookOff(
  commit: Commit,
  brandId: string,
  dead: string,
): Promise<void> {
  const kit = await readKit(commit, brandId);
  if (kit.webhook !== dead) return;
  commit.set(kitKey(brandId), { ...kit, webhookStatus: "off" } satisfies StoredKit);
}

type KitActing = Acting & { settings: KitSettings; secrets: Secrets };

/**
 * Replaces the kit and switches its webhook on again. An empty address means no webhook. Optional fields
 * that are left out keep their values.
 */
export async function writeKit(
  acting: KitActing,
  brandId: string,
  sent: NewBrandKit,
): Promise<BrandKit> {
  const kit = await changeKit(acting, brandId, sent);
  const discordWebhookUrl = sent.discordWebhookUrl === "" ? null : sent.discordWebhookUrl;
  return { baseStylePrompt: kit.baseStylePrompt, discordWebhookUrl, ...kitFields(kit) };
}

/** Changes the fields that are given. A webhook that is given is switched on again. */
export async function changeKit(
  acting: KitActing,
  brandId: string,
  { baseStylePrompt, discordWebhookUrl, ...sent }: KitChange,
): Promise<StoredKit> {
  const { kv, settings, secrets } = acting;
  const url = discordWebhookUrl === "" ? null : discordWebhookUrl;
  if (url !== undefined && url !== null && !isWebhook(url, settings)) {
    throw invalid(
      "discordWebhookUrl",
      "must be a Discord webhook like https://discord.com/api/webhooks/{id}/{token}",
    );
  }
  const sealed = url === undefined || url === null ? null : await secrets.seal(url, brandId);
  return await transact(kv, async (commit) => {
    const before = await readKit(commit, brandId);
    const kit: StoredKit = {
      ...changedFields(before, sent),
      baseStylePrompt: baseStylePrompt ?? before.baseStylePrompt,
      webhook: url === undefined ? before.webhook : sealed,
      webhookStatus: url === undefined ? before.webhookStatus : "on",
    };
    commit.set(kitKey(brandId), kit);
    audit(commit, acting, { action: "kit.changed", of: brandId, subject: brandId });
    return kit;
  });
}

/** A stored kit as the API shows it. An address that can't be read is shown as none. */
export async function shownKit(
  secrets: Secrets,
  brandId: string,
  kit: StoredKit,
): Promise<BrandKit> {
  const discordWebhookUrl = await webhookOf(secrets, brandId, kit).catch(() => null);
  return { baseStylePrompt: kit.baseStylePrompt, discordWebhookUrl, ...kitFields(kit) };
}

// Discord's own hosts (PLATFORMS.md E). `discordapp.com` is an older name that still works.
const DISCORD = new Set([
  "discord.com",
  "ptb.discord.com",
  "canary.discord.com",
  "discordapp.com",
]);
const WEBHOOK_PATH = /^\/api\/(?:v\d{1,2}\/)?webhooks\/\d{1,20}\/[\w-]{1,200}$/;

/** Whether `value` is a webhook at Discord, or at a host that ALLOW_PRIVATE_HOSTS names. */
export function isWebhook(value: string, settings: KitSettings): boolean {
  const url = URL.parse(value);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (!["https:", "http:"].includes(url.protocol)) return false;
  const port = url.port !== "" ? url.port : url.protocol === "https:" ? "443" : "80";
  if (settings.ALLOW_PRIVATE_HOSTS.includes(`${url.hostname}:${port}`)) return true;
  return url.protocol === "https:" && url.port === "" && DISCORD.has(url.hostname) &&
    WEBHOOK_PATH.test(url.pathname);
}
