/** The brand kit: PUT replaces it, and only a webhook of Discord's is taken (DECISIONS "Brand kit"). */
import { assertEquals } from "@std/assert";
import { switchWebhookOff } from "../domain/kit.ts";
import { transact } from "../domain/kv.ts";
import { COMMANDS } from "../jobs/commands.ts";
import { testService } from "./service.ts";

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
    const empty = { baseStylePrompt: "", discordWebhookUrl: null };
    assertEquals(await call(), { status: 200, kit: empty });
    const kit = { baseStylePrompt: " Warm film look.\n", discordWebhookUrl: WEBHOOK };
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

Deno.test("a webhook is one of Discord's or on a host that the settings allow", async () => {
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

Deno.test("a dead webhook is switched off and shown; writing the kit switches it on again", async () => {
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
  const off = (url: string) =>
    transact(t.service.kv, (commit) => switchWebhookOff(commit, brand.id, url));
  assertEquals(await status(), null);
  await put(WEBHOOK);
  assertEquals(await status(), "on");
  await off(`${WEBHOOK}x`);
  assertEquals(await status(), "on", "another address died");
  await off(WEBHOOK);
  assertEquals(await status(), "off");
  const kit = await (await t.call(secret, "/v1/brand-kit")).json();
  assertEquals(kit.discordWebhookUrl, WEBHOOK, "the value is kept");
  await put(WEBHOOK);
  assertEquals(await status(), "on");
});
