/** The four stories of the prompts, each walked by a script without a model, in at most 12 calls. */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { DAY, HOUR, iso } from "../../domain/foundation/calendar.ts";
import { PROMPTS } from "../../mcp/prompts.ts";
import { itemsKit, TUESDAY } from "../support/items.ts";
import { callTool } from "../support/mcp_twins.ts";
import { NOON, type TestService, testService } from "../support/service.ts";
import { postOf } from "../support/stored_series.ts";
import type { Json } from "../support/json.ts";

/** More would not be light. */
const MOST_CALLS = 12;

/** What a script sends and gets, as the prompt of this name would have it. */
async function agent(t: TestService, prompt: string, given: object = {}) {
  const kit = await itemsKit(t);
  const rpc = async (method: string, params: object): Promise<Json> => {
    const body = { jsonrpc: "2.0", id: 1, method, params };
    return (await (await t.call(kit.secret, "/mcp", { method: "POST", body })).json()).result;
  };
  const { messages } = await rpc("prompts/get", { name: prompt, arguments: given });
  const text: string = messages[0].content.text;
  const called = new Set<string>();
  let calls = 0;
  return {
    kit,
    text,
    async tool(name: string, input: object = {}): Promise<Json> {
      assertStringIncludes(text, name, `${prompt} does not name ${name}`);
      called.add(name);
      calls++;
      assert(calls <= MOST_CALLS, `${prompt} takes more than ${MOST_CALLS} calls`);
      const { isError, structuredContent, content } = await callTool(
        { t, secret: kit.secret },
        name,
        { ...input },
      );
      assert(!isError, `${name}: ${JSON.stringify(structuredContent)}`);
      return structuredContent ?? content;
    },
  };
}

/** 40 posts of the last two months; carousels do three times as well as images. */
async function withHistory(t: TestService, brandId: string): Promise<void> {
  const posts = Array.from({ length: 40 }, (_, n) => {
    const isCarousel = n % 2 === 0;
    const post = postOf(`h${n}`, NOON - (n + 3) * 1.5 * DAY, (isCarousel ? 900 : 300) + n % 5);
    return { ...post, format: isCarousel ? "carousel" as const : "image" as const };
  });
  await upsertPosts(t.service, brandId, posts);
}

Deno.test("plan next week: from what worked to posts that wait for approval", async () => {
  await using t = await testService();
  const { tool, kit } = await agent(t, "plan_next_week", { focus: "rye" });
  await withHistory(t, kit.brand.id);
  const { accounts, credits } = await tool("get_brand");
  const { groups } = await tool("get_insights", { view: "compare", by: "platform" });
  assertEquals(groups.map(({ value }: Json) => value), ["instagram"]);
  const { cells } = await tool("get_insights", { view: "when" });
  assert(cells.length > 0);
  const fields = ["url", "format", "publishedAt", "metrics"];
  const from = iso(NOON - 30 * DAY).slice(0, 10);
  const best = await tool("list_posts", { from, sort: "engagementRate", perPage: 5, fields });
  assertEquals(best.data.length, 5);
  assertEquals(Object.keys(best.data[0]), fields);
  const week = { from: "2026-11-23", to: "2026-11-29" };
  assertEquals((await tool("list_items", week)).data, []);
  assertEquals((await tool("list_accounts")).data[0].atRisk, []);
  const planned: Json[] = [];
  for (const day of ["2026-11-24", "2026-11-26"]) {
    planned.push(
      await tool("create_item", {
        prompts: ["A rye loaf on a stone table"],
        scheduledFor: `${day}T09:00:00.000Z`,
        socialAccountId: accounts[0].id,
        needsApproval: true,
      }),
    );
  }
  await t.worker.drain();
  const { data } = await tool("list_items", week);
  assertEquals(data.map(({ id }: Json) => id), planned.map(({ id }) => id));
  assertEquals(data.map(({ status }: Json) => status), ["ready", "ready"]);
  const { credits: after } = await tool("get_brand");
  assertEquals(after.remaining, credits.remaining - 2);
  await kit.passAt(TUESDAY);
  assertEquals(await kit.published(), [], "a person has not approved them");
});

Deno.test("rescue what is held: the cause, the thing to do, and ready again", async () => {
  await using t = await testService();
  const { tool, kit } = await agent(t, "rescue_held_posts");
  const ids = await kit.pictures(2);
  const made: Json[] = [];
  for (const id of ids) {
    made.push(
      await kit.schedule({
        creationIds: [id],
        caption: `Loaf ${id}`,
        socialAccountId: kit.account.id,
        scheduledFor: iso(NOON + HOUR),
      }),
    );
  }
  // Nothing ran for two days, so both are held as late.
  await kit.passAt(iso(NOON + 2 * DAY));
  const { data: held } = await tool("list_items", { status: "held" });
  assertEquals(held.length, 2);
  const why = await tool("explain_item", { id: held[0].id });
  assertStringIncludes(why.todo.text, "new time");
  await tool("explain_item", { itemId: held[1].id });
  const scheduledFor = iso(NOON + 3 * DAY);
  const moved = await tool("update_item", { itemId: held[0].id, scheduledFor });
  assertEquals(moved.status, "ready");
  const { data } = await tool("batch_items", { ids: [held[1].id], verb: "skip" });
  assertEquals(data[0].ok, true);
  assertEquals((await tool("list_items", { status: "held" })).data, []);
  await kit.passAt(scheduledFor);
  assertEquals(await kit.published(), [held[0].caption]);
});

Deno.test("make two pictures and schedule them: looked at, checked, on the calendar", async () => {
  await using t = await testService();
  const { tool, kit } = await agent(t, "make_and_schedule", { idea: "loaves at dawn and dusk" });
  const working = { open: true };
  const work = (async () => {
    while (working.open) {
      await t.worker.drain();
      await new Promise((done) => setTimeout(done, 10));
    }
  })();
  const { accounts } = await tool("get_brand");
  const { prompt } = await tool("compose_prompt", { idea: "A loaf" });
  const items: Json[] = [];
  for (const [at, light] of ["dawn", "dusk"].entries()) {
    const { id, status } = await tool("generate_image", {
      prompt: `${prompt} At ${light}.`,
      idea: `A loaf at ${light}`,
      aspectRatio: "portrait",
      wait: 60,
      idempotencyKey: light,
    });
    assertEquals(status, "complete");
    assertNotEquals((await tool("get_creation", { creationId: id, preview: true })).url, null);
    const item = await tool("create_item", {
      creationIds: [id],
      caption: `A loaf at ${light}.`,
      hashtags: ["bread"],
      scheduledFor: iso(Date.parse(TUESDAY) + at * DAY),
      socialAccountId: accounts[0].id,
    });
    assertEquals((await tool("validate_item", { itemId: item.id })).ok, true);
    items.push(item);
  }
  working.open = false;
  await work;
  for (const { scheduledFor } of items) await kit.passAt(scheduledFor);
  const published = await kit.published();
  assertEquals(published.length, 2);
  for (const light of ["dawn", "dusk"]) {
    assert(published.some((caption) => caption.startsWith(`A loaf at ${light}.`)), light);
  }
});

Deno.test("what worked last month, with proof: each finding has its figures and its posts", async () => {
  await using t = await testService();
  const { tool, kit } = await agent(t, "review_last_month", { platform: "instagram" });
  await withHistory(t, kit.brand.id);
  const month = { from: "2026-10-01", to: "2026-10-31", platform: "instagram" };
  const summary = await tool("get_insights", { view: "summary", ...month });
  assert(summary.posts > 0 && summary.previous.posts >= 0);
  for (const by of ["format", "hashtag", "hour"]) {
    const { groups } = await tool("get_insights", {
      view: "compare",
      by,
      platform: "instagram",
    });
    if (by === "format") {
      const { verdict } = groups.find(({ value }: Json) => value === "carousel");
      assertEquals(verdict, "better");
    }
    for (const { verdict, effect, posts } of groups) {
      assert(posts > 0);
      if (verdict !== "cantTell") assert(effect.low > 1 || effect.high < 1, verdict);
    }
  }
  const fields = ["id", "url", "metrics"];
  const page = { ...month, sort: "engagementRate", perPage: 5, fields };
  const best = (await tool("list_posts", { ...page, dir: "desc" })).data;
  const weakest = (await tool("list_posts", { ...page, dir: "asc" })).data;
  assert(best[0].metrics.engagementRate >= weakest[0].metrics.engagementRate);
  for (const { id } of [...best.slice(0, 3), weakest[0]]) {
    const standing = await tool("get_post_standing", { postId: id });
    assertEquals(standing.postId, id);
    assert(standing.among >= 5 && standing.percentile !== null, JSON.stringify(standing));
  }
});

Deno.test("every prompt has its story here", () => {
  assertEquals(PROMPTS.map(({ name }) => name), [
    "plan_next_week",
    "rescue_held_posts",
    "make_and_schedule",
    "review_last_month",
  ]);
});
