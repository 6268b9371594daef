/** Studio's settings: each form stores what it shows, and leaves alone what another page shows. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { readKit } from "../../domain/brands/kit.ts";
import { reader } from "../../domain/kv/transact.ts";
import { testService } from "../support/service.ts";
import { studioPerson } from "../support/studio.ts";
import { add } from "../support/uploads.ts";

const WEBHOOK = "https://discord.com/api/webhooks/123/abc";

Deno.test("the brand's form stores voice, language, zone, colours and fonts, and no page undoes another", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const notified = await person.send("/settings/notifications", { discordWebhookUrl: WEBHOOK });
  assertEquals(notified.status, 303);
  const fields = {
    name: "Harbour Coffee",
    language: "de",
    timeZone: "Europe/Berlin",
    tone: "Warm and short",
    use: "harbour\r\nfirst cup\r\n",
    avoid: "cheap",
    examples: "First cup at six.\r\nSee you.\r\n\r\nRain outside, cake inside.",
    baseStylePrompt: "Soft light",
    headingFont: "Playfair Display",
    bodyFont: "",
    "colour-0": "#1A2b3c",
    "colour-1": "ff0000",
    "colour-2": "",
  };
  const saved = await person.send("/settings", fields);
  assertEquals(saved.status, 303, saved.text);
  assertStringIncludes((await person.open(saved.next)).text, "Saved.");
  const kit = await readKit(reader(t.service.kv), person.brand.id);
  assertEquals(kit.voice, {
    tone: "Warm and short",
    use: ["harbour", "first cup"],
    avoid: ["cheap"],
    examples: ["First cup at six.\nSee you.", "Rain outside, cake inside."],
  });
  assertEquals([kit.language, kit.timeZone], ["de", "Europe/Berlin"]);
  assertEquals(kit.colors, ["#1A2b3c", "#ff0000"]);
  assertEquals([kit.headingFont, kit.bodyFont], ["Playfair Display", null]);
  assert(kit.webhook !== null, "the webhook of the other page stays");
  const page = (await person.open("/settings")).text;
  for (const shown of ["first cup\ncheap".split("\n")[0]!, "Rain outside, cake inside."]) {
    assertStringIncludes(page, shown);
  }
  assertMatch(page, /<option value="Europe\/Berlin" selected/);
  assertMatch(page, /fill="#1A2b3c"/);
  await person.send("/settings/notifications", { discordWebhookUrl: "" });
  const after = await readKit(reader(t.service.kv), person.brand.id);
  assertEquals(after, { ...kit, webhook: null });
  const empty = { tone: "", use: "", avoid: "", examples: "", "colour-0": "" };
  await person.send("/settings", empty);
  const cleared = await readKit(reader(t.service.kv), person.brand.id);
  assertEquals([cleared.voice, cleared.colors, cleared.language], [null, null, "de"]);
});

Deno.test("the logo's colours are shown for the brand on request, and count once they are saved", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const ask = "/settings?colours=logo";
  assertStringIncludes((await person.open(ask)).text, "or there is none yet");
  const { secret } = await t.key(person.brand.id, ["createRead", "createWrite"]);
  await add(t, secret, { kind: "logo" });
  const { colors } = await (await t.call(secret, "/v1/brand/colors")).json();
  assert(colors.length > 0, "the logo has colours");
  assert(!(await person.open("/settings")).text.includes(`fill="${colors[0]}"`));
  const page = (await person.open(ask)).text;
  for (const colour of colors) assertStringIncludes(page, `fill="${colour}"`);
  const kit = await readKit(reader(t.service.kv), person.brand.id);
  assertEquals(kit.colors ?? null, null, "looking stores nothing");
});

Deno.test("a wrong colour or webhook is refused in words, and what was typed is kept", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const colour = await person.send("/settings", { tone: "Kept words", "colour-0": "blue" });
  assertEquals(colour.status, 400);
  assertStringIncludes(colour.text, "must be a colour like #1a2b3c");
  assertStringIncludes(colour.text, "Kept words</textarea>");
  const webhook = await person.send("/settings/notifications", {
    discordWebhookUrl: "https://example.com/x",
  });
  assertEquals(webhook.status, 400);
  assertStringIncludes(webhook.text, "Webhook must be a Discord webhook");
  assertStringIncludes(webhook.text, 'value="https://example.com/x"');
});

Deno.test("a preset makes a key with its scopes and limits, and the page says how to use it", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const made = await person.send("/settings/keys", { name: "Planner", preset: "agent" });
  const secret = /mq_[0-9A-Za-z]{49}/.exec(made.text)?.[0] ?? "";
  for (const client of ["Claude Code", "Claude Desktop", "Cursor", "curl"]) {
    assertStringIncludes(made.text, `<summary>${client}</summary>`);
  }
  assertStringIncludes(made.text, `Bearer ${secret}`);
  const key = await (await t.call(secret, "/v1/key")).json();
  assertEquals(key.scopes, ["postsRead", "createRead", "createWrite", "publishWrite"]);
  assertEquals([key.budgets.publishesPerDay, key.budgets.creditsPerDay], [3, 10]);
  const page = (await person.open("/settings/keys")).text;
  assert(!page.includes(secret));
  assertStringIncludes(page, "At most 3 posts a day, 10 credits a day");
  const own = await person.send("/settings/keys", {
    ...{ name: "Reader", preset: "read", publishesPerDay: "0", lastDay: "2026-12-24" },
  });
  const second = /mq_[0-9A-Za-z]{49}/.exec(own.text)?.[0] ?? "";
  const { scopes, budgets, expiresAt } = await (await t.call(second, "/v1/key")).json();
  assertEquals([scopes, budgets.publishesPerDay], [["postsRead", "createRead"], 0]);
  assertEquals(expiresAt, "2026-12-25T00:00:00.000Z");
  const past = { name: "Late", preset: "read", lastDay: "2020-01-01" };
  const refused = await person.send("/settings/keys", past);
  assertStringIncludes(refused.text, "Last day must be after now");
});

Deno.test("the audit page says who did what in words, and goes back page by page", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  for (let n = 0; n < 60; n++) {
    t.turn(1_000);
    await person.send("/settings", { baseStylePrompt: `Light ${n}` });
  }
  await person.send("/settings/people", { role: "viewer" });
  const { text } = await person.open("/settings/audit");
  assertStringIncludes(text, "made an invitation as viewer");
  assertEquals(text.match(/<li>/g)?.length, 50);
  const older = /href="([^"]+audit\?before=[^"]+)"/.exec(text)?.[1] ?? "";
  const rest = (await person.open(older)).text;
  assertStringIncludes(rest, "made the brand");
  assertStringIncludes(rest, "changed the brand&#39;s settings");
  assert(!rest.includes("?before="), "nothing is older");
});
