/** The brand kit: PUT replaces it, and only a webhook of Discord's is taken (DECISIONS "Brand kit"). */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { type BrandKit, kitKey, readKit, switchWebhookOff } from "../../domain/brands/kit.ts";
import { NO_FIELDS } from "../../domain/brands/kit_fields.ts";
import { reader, transact } from "../../domain/kv/transact.ts";
import { COMMANDS } from "../../jobs/commands.ts";
import { testService } from "../support/service.ts";

const WEBHOOK = "https://discord.com/api/webhooks/123456789012345678/abc-DEF_ghi";

async function withKit(
  body: (call: (kit?: unknown) => Promise<{ status: number; kit: unknown }>) => Promise<void>,
  environ = {},
): Promise<void> {
  await using t = await testService({ environ });
  const { secret } = await t.brand();
  await body(async (kit) => {
    const call = kit === undefined ? {} : { method: "PUT", body: kit };
    const answer = await t.call(secret, "/v1/brand-kit", call);
    return { status: answer.status, kit: await answer.json() };
  });
}

Deno.test("a brand starts with an empty kit; PUT replaces it; empty or null clears the webhook", async () => {
  await withKit(async (call) => {
    const empty = { baseStylePrompt: "", discordWebhookUrl: null, ...NO_FIELDS };
    assertEquals(await call(), { status: 200, kit: empty });
    const kit = { baseStylePrompt: " Warm film look.\n", discordWebhookUrl: WEBHOOK, ...NO_FIELDS };
    assertEquals(await call(kit), { status: 200, kit });
    assertEquals(await call(), { status: 200, kit });
    for (const discordWebhookUrl of ["", null]) {
      assertEquals(await call({ baseStylePrompt: "", discordWebhookUrl }), {
        status: 200,
        kit: empty,
      });
    }
  });
});

Deno.test("PUT needs both fields within their limits", async () => {
  await withKit(async (call) => {
    const bad = [
      { baseStylePrompt: "x" },
      { discordWebhookUrl: "" },
      { baseStylePrompt: null, discordWebhookUrl: "" },
      { baseStylePrompt: 5, discordWebhookUrl: "" },
      { baseStylePrompt: "x".repeat(4_001), discordWebhookUrl: "" },
    ];
    for (const kit of bad) assertEquals((await call(kit)).status, 400);
    assertEquals(
      (await call({ baseStylePrompt: "🎨".repeat(4_000), discordWebhookUrl: "" })).status,
      200,
    );
  });
});

const BOTH = { baseStylePrompt: "Film.", discordWebhookUrl: null };
const FULL: Omit<BrandKit, keyof typeof BOTH> = {
  voice: { tone: "Warm, plain.", use: ["pedal"], avoid: ["cheap"], examples: ["Come by."] },
  language: "de-DE",
  timeZone: "Europe/Berlin",
  colors: ["#0a3d62", "#FFF8E7"],
  headingFont: "Playfair Display",
  bodyFont: "Inter",
};

Deno.test("an optional field that is left out of a PUT is kept, and null clears it", async () => {
  await withKit(async (call) => {
    const full = { ...BOTH, ...FULL };
    assertEquals(await call(full), { status: 200, kit: full });
    assertEquals(await call(BOTH), { status: 200, kit: full });
    const change = { language: "fr", colors: null };
    assertEquals(await call({ ...BOTH, ...change }), { status: 200, kit: { ...full, ...change } });
    assertEquals(await call(), { status: 200, kit: { ...full, ...change } });
    assertEquals((await call({ ...BOTH, ...NO_FIELDS })).kit, { ...BOTH, ...NO_FIELDS });
    const { kit } = await call({ ...BOTH, voice: { tone: "Dry." } });
    assertEquals((kit as BrandKit).voice, { tone: "Dry.", use: [], avoid: [], examples: [] });
  });
});

Deno.test("an optional field out of its limits is refused by name, and nothing is changed", async () => {
  const voice = { tone: "", use: [], avoid: [], examples: [] };
  const bad: Record<string, unknown[]> = {
    voice: ["warm", { ...voice, tone: "t".repeat(1_000), examples: ["e".repeat(1_001)] }],
    language: ["german", "de_DE", "", 5],
    timeZone: ["Europe/Bremen", "+01:00", ""],
    colors: [["blue"], ["#123"], Array(6).fill("#123456"), "#123456"],
    headingFont: ["Comic Sans MS"],
    bodyFont: ["inter"],
  };
  await withKit(async (call) => {
    for (const [field, values] of Object.entries(bad)) {
      for (const value of values) {
        const { status, kit } = await call({ ...BOTH, [field]: value });
        assertEquals(status, 400, `${field}: ${JSON.stringify(value)}`);
        assertStringIncludes(JSON.stringify(kit), field);
      }
    }
    const tone = "ü".repeat(2_000);
    assertEquals((await call({ ...BOTH, voice: { ...voice, tone } })).status, 200);
  });
});

Deno.test("a kit of an earlier version reads as one without the optional fields", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const former = { baseStylePrompt: "Film.", webhook: null, webhookStatus: "on" };
  await t.service.kv.set(kitKey(brand.id), former);
  const kit = await (await t.call(secret, "/v1/brand-kit")).json();
  assertEquals(kit, { baseStylePrompt: "Film.", discordWebhookUrl: null, ...NO_FIELDS });
});

Deno.test("a webhook must be at Discord or at a host that the settings allow", async () => {
  const path = "/api/webhooks/123456789012345678/abc";
  const good = [
    ...["discord.com", "ptb.discord.com", "canary.discord.com", "discordapp.com"].map((host) =>
      `https://${host}${path}`
    ),
    `https://discord.com/api/v10/webhooks/1/t`,
    "http://127.0.0.1:9999/anything",
    "http://hooks.test:8080/x",
  ];
  const bad = [
    `http://discord.com${path}`,
    `https://discord.com:8443${path}`,
    `https://user:secret@discord.com${path}`,
    `https://evil.discord.com${path}`,
    `https://discord.com.evil.test${path}`,
    "https://discord.com/api/webhooks/123",
    `https://discord.com${path}/slack`,
    "https://example.org/hook",
    "http://127.0.0.1:9998/anything",
    "http://127.0.0.1/",
    "ftp://127.0.0.1:9999/",
    "discord",
  ];
  await withKit(async (call) => {
    for (const [urls, status] of [[good, 200], [bad, 400]] as const) {
      for (const discordWebhookUrl of urls) {
        assertEquals(
          (await call({ baseStylePrompt: "", discordWebhookUrl })).status,
          status,
          discordWebhookUrl,
        );
      }
    }
  }, { ALLOW_PRIVATE_HOSTS: "127.0.0.1:9999, hooks.test:8080" });
});

Deno.test("a dead webhook is switched off, and saving the kit switches it on again", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const put = (url: string) =>
    t.call(secret, "/v1/brand-kit", {
      method: "PUT",
      body: { baseStylePrompt: "", discordWebhookUrl: url },
    });
  const status = async () => {
    const brands = await COMMANDS["brand list"]!(t.service, {}) as { webhookStatus: string }[];
    return brands[0]!.webhookStatus;
  };
  const stored = async () => (await readKit(reader(t.service.kv), brand.id)).webhook!;
  const off = (webhook: string) =>
    transact(t.service.kv, (commit) => switchWebhookOff(commit, brand.id, webhook));
  assertEquals(await status(), null);
  await put(WEBHOOK);
  assertEquals(await status(), "on");
  const before = await stored();
  await put(WEBHOOK);
  await off(before);
  assertEquals(await status(), "on", "the kit was saved again since");
  await off(await stored());
  assertEquals(await status(), "off");
  const kit = await (await t.call(secret, "/v1/brand-kit")).json();
  assertEquals(kit.discordWebhookUrl, WEBHOOK, "the value is kept");
  await put(WEBHOOK);
  assertEquals(await status(), "on");
});
