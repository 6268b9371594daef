/** Whole stories by one face alone: two pictures for Tuesday, and a month from an empty brand. */
import { assert, assertEquals } from "@std/assert";
import { DAY, HOUR, iso } from "../../domain/foundation/calendar.ts";
import { connectSandboxAccount } from "../../domain/platforms/sandbox_account.ts";
import { ONE_OFFS } from "../../domain/series/slot_rows.ts";
import { TUESDAY } from "../support/items.ts";
import { callTool } from "../support/mcp_twins.ts";
import { caller, pass, truth } from "../support/series.ts";
import { NOON, type TestService, testService } from "../support/service.ts";
import type { Json } from "../support/json.ts";

const IDEA = { idea: "loaf", aspectRatio: "square" };

async function emptyBrand(t: TestService) {
  const { brand, secret } = await t.brand();
  await connectSandboxAccount(t.service, brand.id, "instagram", "bakery");
  t.worker.start();
  const published = async () =>
    (await truth(t, "instagram", "bakery", NOON)).map(({ caption }) => caption);
  return { secret, published };
}

Deno.test("by REST: two pictures, a look, on Tuesday with this text, one published now", async () => {
  await using t = await testService();
  const { secret, published } = await emptyBrand(t);
  const send = caller(t, secret);
  const call = async (...sent: Parameters<typeof send>): Promise<Json> => {
    const { status, body } = await send(...sent);
    assert(status < 300, JSON.stringify(body));
    return body;
  };
  const [account] = (await call("GET", "/v1/accounts")).data;
  const items: Json[] = [];
  for (const prompt of ["A loaf at dawn", "A loaf at dusk"]) {
    const { id } = await call("POST", "/v1/creations", { ...IDEA, prompt });
    const look = await call("GET", `/v1/creations/${id}?wait=10`);
    assertEquals((await t.app.request(look.url)).status, 200);
    items.push(
      await call("POST", "/v1/items", {
        creationIds: [id],
        caption: `${prompt}. See you on Tuesday.`,
        scheduledFor: TUESDAY,
        socialAccountId: account.id,
      }),
    );
  }
  const [first, second] = items;
  await call("POST", `/v1/items/${first.id}/publish`, { expectedHash: first.contentHash });
  assertEquals(await published(), ["A loaf at dawn. See you on Tuesday."]);
  const day = TUESDAY.slice(0, 10);
  const { data } = await call("GET", `/v1/items?from=${day}&to=${day}`);
  assertEquals(
    data.map(({ id, status }: Json) => [id, status]).toSorted(),
    [[first.id, "published"], [second.id, "ready"]].toSorted(),
  );
  t.turnTo(TUESDAY);
  await pass(t);
  assertEquals((await call("GET", `/v1/items/${second.id}`)).status, "published");
  assertEquals((await published()).length, 2);
  // The pass forgets a brand without open one-off posts, and knows it again with the next.
  const marks = async () =>
    (await Array.fromAsync(t.service.kv.list({ prefix: [ONE_OFFS] }))).length;
  assertEquals(await marks(), 1);
  await pass(t);
  assertEquals(await marks(), 0);
  await call("POST", "/v1/items", { creationIds: [first.creations[0].id], caption: "More" });
  assertEquals(await marks(), 1);
});

Deno.test("by MCP: two pictures, a look, on Tuesday with this text, one published now", async () => {
  await using t = await testService();
  const { secret, published } = await emptyBrand(t);
  let calls = 0;
  const tool = async (name: string, input: object = {}): Promise<Json> => {
    calls++;
    const { isError, structuredContent } = await callTool({ t, secret }, name, { ...input });
    assert(!isError, JSON.stringify(structuredContent));
    return structuredContent;
  };
  const { accounts: [account] } = await tool("get_brand");
  const items: Json[] = [];
  for (const prompt of ["A loaf at dawn", "A loaf at dusk"]) {
    const { id } = await tool("generate_image", { ...IDEA, prompt, wait: 10 });
    await tool("get_creation", { id, preview: true });
    items.push(
      await tool("create_item", {
        creationIds: [id],
        caption: `${prompt}. See you on Tuesday.`,
        scheduledFor: TUESDAY,
        socialAccountId: account.id,
      }),
    );
  }
  const [first, second] = items;
  const told = await tool("publish_item", { itemId: first.id, expectedHash: first.contentHash });
  assertEquals(told.status, "published");
  assert(told.url !== null && told.externalPostId !== null);
  const { data } = await tool("list_items", { status: "ready" });
  assertEquals(data.map(({ id }: Json) => id), [second.id]);
  assert(calls <= 12, `${calls} calls`);
  assertEquals(await published(), ["A loaf at dawn. See you on Tuesday."]);
});

Deno.test("a month steered by REST alone, from an empty brand", async () => {
  await using t = await testService();
  const { secret, published } = await emptyBrand(t);
  const send = caller(t, secret);
  const call = async (...sent: Parameters<typeof send>): Promise<Json> => {
    const { status, body } = await send(...sent);
    assert(status < 300, `${sent.join(" ")}: ${JSON.stringify(body)}`);
    return body;
  };
  assertEquals((await call("GET", "/v1/brand")).timeZone, "UTC");
  assertEquals((await call("GET", "/v1/key")).left, null);
  const [account] = (await call("GET", "/v1/accounts")).data;
  const series = await call("POST", "/v1/series", {
    name: "Loaves",
    mode: "manual",
    theme: "Loaves",
    format: "post",
    cadenceDays: 3,
    needsApproval: true,
    socialAccountId: account.id,
  });
  const event = await call("POST", "/v1/items", {
    prompts: ["The harvest feast"],
    caption: "The feast",
    scheduledFor: iso(NOON + 20 * DAY),
    socialAccountId: account.id,
  });
  let [edited, skipped] = [0, 0];
  for (let day = 0; day <= 30; day++) {
    t.turnTo(iso(NOON + day * DAY));
    await pass(t);
    const ready = (await call("GET", `/v1/items?status=ready&seriesId=${series.id}`)).data;
    for (const item of ready) {
      const { ok } = await call("POST", `/v1/items/${item.id}/validate`);
      assert(ok);
      const turn = edited + skipped;
      if (turn % 4 === 3) {
        await call("POST", "/v1/items/batch", { ids: [item.id], verb: "skip" });
        skipped++;
        continue;
      }
      const time = iso(Math.max(t.service.now() + HOUR, Date.parse(item.scheduledFor)));
      const { contentHash } = await call("PATCH", `/v1/items/${item.id}`, {
        caption: `Loaf ${edited}`,
        hashtags: [],
        scheduledFor: time,
      });
      const approved = await call("POST", `/v1/items/${item.id}/approve`, {
        expectedHash: contentHash,
      });
      assert(approved.approvedAt !== null);
      edited++;
    }
  }
  t.turn(DAY);
  await pass(t);
  const { data, pagination } = await call("GET", "/v1/items?perPage=100");
  const by = (status: string) => data.filter((item: Json) => item.status === status);
  assertEquals(pagination.total, data.length);
  assertEquals(by("skipped").length, skipped);
  assertEquals(by("held"), []);
  assert(edited >= 6 && skipped >= 2, `${edited} edited, ${skipped} skipped`);
  const public_ = await published();
  const expected = Array.from({ length: edited }, (_, n) => `Loaf ${n}`);
  assertEquals(public_.toSorted(), [...expected, "The feast"].toSorted());
  assertEquals(by("published").length, edited + 1);
  assertEquals((await call("GET", `/v1/items/${event.id}`)).status, "published");
  assertEquals((await call("GET", "/v1/accounts")).data[0].status, "connected");
});
