/** The brand kit: base style of every prompt, and the webhook for digests and alerts. */
import { z } from "zod";
import { invalid } from "./errors.ts";
import { type Commit, transact } from "./kv.ts";
import { operation } from "./operation.ts";
import type { Service } from "./service.ts";
import type { Settings } from "./settings.ts";
import { optionalText } from "./text.ts";

export const BrandKit = z.object({
  baseStylePrompt: z.string().describe("Style text prepended to every composed prompt."),
  discordWebhookUrl: z.string().nullable().describe(
    "Discord webhook for digests and alerts; null when cleared.",
  ),
}).meta({ id: "BrandKit" });
export type BrandKit = z.output<typeof BrandKit>;

export const NewBrandKit = z.object({
  baseStylePrompt: optionalText(4_000),
  discordWebhookUrl: z.string().max(2_000).nullable().describe(
    "`https://discord.com/api/webhooks/{id}/{token}`; empty or null clears it.",
  ),
});

export const WebhookStatus = z.enum(["on", "off"]);
export type WebhookStatus = z.output<typeof WebhookStatus>;

/** A kit as stored. `off`: the webhook is dead; writing the kit switches it on again. */
export type StoredKit = BrandKit & { webhookStatus: WebhookStatus };

const kitKey = (brandId: string): Deno.KvKey => ["brandKit", brandId];
const EMPTY: StoredKit = { baseStylePrompt: "", discordWebhookUrl: null, webhookStatus: "on" };

export async function readKit(kv: Deno.Kv, brandId: string): Promise<StoredKit> {
  return (await kv.get<StoredKit>(kitKey(brandId))).value ?? EMPTY;
}

/** Like `readKit`, as a read of `commit`. */
export async function requireKit(commit: Commit, brandId: string): Promise<StoredKit> {
  return await commit.get<StoredKit>(kitKey(brandId)) ?? EMPTY;
}

/** Switches a dead webhook off; a kit that names another address by now stays as it is. */
export async function switchWebhookOff(
  commit: Commit,
  brandId: string,
  deadUrl: string,
): Promise<void> {
  const kit = await requireKit(commit, brandId);
  if (kit.discordWebhookUrl !== deadUrl) return;
  commit.set(kitKey(brandId), { ...kit, webhookStatus: "off" } satisfies StoredKit);
}

export const getBrandKit = operation({
  id: "getBrandKit",
  group: "Brand kit",
  summary: "Read the brand kit.",
  scopes: ["createRead"],
  costs: "request",
  errors: [],
  input: z.object({}),
  output: BrandKit,
  run: async ({ kv, brand }) => shown(await readKit(kv, brand.id)),
});

export const putBrandKit = operation({
  id: "putBrandKit",
  group: "Brand kit",
  summary: "Replace the brand kit.",
  description: "Both fields are required; an empty string clears a field. A webhook that was " +
    "switched off because Discord no longer knew it is switched on again.",
  scopes: ["createWrite"],
  costs: "request",
  errors: [],
  input: NewBrandKit,
  output: BrandKit,
  run: (context, input) => writeKit(context, context.brand.id, input),
});

/** Replaces the kit and switches its webhook on again; an empty webhook is none. */
export async function writeKit(
  { kv, settings }: Pick<Service, "kv" | "settings">,
  brandId: string,
  { baseStylePrompt, discordWebhookUrl }: BrandKit,
): Promise<BrandKit> {
  const url = discordWebhookUrl === "" ? null : discordWebhookUrl;
  if (url !== null && !isWebhook(url, settings)) {
    throw invalid(
      "discordWebhookUrl",
      "must be a Discord webhook like https://discord.com/api/webhooks/{id}/{token}",
    );
  }
  const kit: StoredKit = { baseStylePrompt, discordWebhookUrl: url, webhookStatus: "on" };
  await transact(kv, (commit) => commit.set(kitKey(brandId), kit));
  return shown(kit);
}

function shown({ baseStylePrompt, discordWebhookUrl }: StoredKit): BrandKit {
  return { baseStylePrompt, discordWebhookUrl };
}

// Discord's own names (PLATFORMS.md E); `discordapp.com` is the older one and still answers.
const DISCORD = new Set([
  "discord.com",
  "ptb.discord.com",
  "canary.discord.com",
  "discordapp.com",
]);
const WEBHOOK_PATH = /^\/api\/(?:v\d{1,2}\/)?webhooks\/\d{1,20}\/[\w-]{1,200}$/;

/** Whether digests and alerts may be sent there: Discord's own hosts, or one for local work. */
export function isWebhook(value: string, settings: Settings): boolean {
  const url = URL.parse(value);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (!["https:", "http:"].includes(url.protocol)) return false;
  const port = url.port !== "" ? url.port : url.protocol === "https:" ? "443" : "80";
  if (settings.ALLOW_PRIVATE_HOSTS.includes(`${url.hostname}:${port}`)) return true;
  return url.protocol === "https:" && url.port === "" && DISCORD.has(url.hostname) &&
    WEBHOOK_PATH.test(url.pathname);
}
