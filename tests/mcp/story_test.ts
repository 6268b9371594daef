/** An agent's whole story against a fresh `deno task dev`: the official client, and the Inspector. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import type { Client } from "@modelcontextprotocol/sdk/client";
import { openClient } from "../support/mcp_client.ts";
import { leaveOutPast } from "../support/no_past.ts";
import { npmTool, runTool } from "../support/npm_tool.ts";
import { admin, type ServiceProcess, startProcess } from "../support/process.ts";
import type { Json } from "../support/json.ts";

const inspector = await npmTool("npm:@modelcontextprotocol/inspector@2.12.0");
const HANDLE = "lanternfold.coffee";

interface Dev extends AsyncDisposable {
  service: ServiceProcess;
  dataDir: string;
  brandId: string;
  key: { id: string; secret: string };
}

/** A service as `deno task dev` starts it, once its demo brand has its posts. */
async function dev(): Promise<Dev> {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-test-" });
  const service = await startProcess({ dataDir, mode: "dev" });
  await leaveOutPast(dataDir);
  const call = (...args: string[]) => admin(dataDir, args, { SANDBOX: "on" });
  const giveUpAt = performance.now() + 60_000;
  for (;;) {
    const [brand] = await call("brand", "list");
    const accounts: Json[] = brand === undefined
      ? []
      : await call("social", "list", "--brand", brand.id);
    if (accounts.length === 3) {
      await call("pass", "run", "metrics", "--brand", brand.id);
      const scopes = "postsRead,createRead,createWrite,publishWrite,brandsWrite";
      const key = await call("key", "create", "--brand", brand.id, "--scopes", scopes);
      const stop = async () => {
        await service.kill();
        await Deno.remove(dataDir, { recursive: true });
      };
      return { service, dataDir, brandId: brand.id, key, [Symbol.asyncDispose]: stop };
    }
    assert(performance.now() < giveUpAt, "The demo brand did not come");
  }
}

/** Makes a call that must work. Returns its sentence for people and its data. */
async function call(
  client: Client,
  name: string,
  input: Record<string, unknown> = {},
  onprogress?: () => void,
): Promise<{ says: string; data: Json }> {
  const progress = onprogress === undefined ? {} : { onprogress };
  const result = await client.callTool({ name, arguments: input }, undefined, {
    timeout: 90_000,
    ...progress,
  });
  const content = result.content as { text: string }[];
  assertEquals(result.isError ?? false, false, content[0]!.text);
  return { says: content[0]!.text, data: result.structuredContent };
}

Deno.test("an agent looks, composes, generates, plans, reviews and publishes by the official client", async () => {
  await using d = await dev();
  const client = await openClient(`${d.service.url}/mcp`, d.key.secret);
  assertStringIncludes(client.getInstructions() ?? "", "get_brand");
  const { data: brand } = await call(client, "get_brand");
  assertEquals(brand.name, "Lanternfold Coffee");
  const account = brand.accounts.find((one: Json) => one.handle === HANDLE);
  const { data: posts } = await call(client, "list_posts", { sort: "engagementRate", perPage: 5 });
  assertEquals(posts.data.length, 5);
  const { data: post } = await call(client, "get_post", { id: posts.data[0].id });
  assert(post.snapshots.length > 0);

  const { data: composed } = await call(client, "compose_prompt", { idea: "harbour at dawn" });
  let heard = 0;
  const { data: image } = await call(
    client,
    "generate_image",
    { prompt: composed.prompt, idea: "dawn", aspectRatio: "portrait", wait: 60 },
    () => heard++,
  );
  assertEquals(image.status, "complete");
  assert(heard > 0, "no progress was told");
  const looked = await client.callTool({
    name: "get_creation",
    arguments: { id: image.id, preview: true },
  });
  const kinds = (looked.content as { type: string }[]).map(({ type }) => type);
  assertEquals(kinds, ["text", "image", "resource_link", "text"]);

  const { data: series } = await call(client, "save_series", {
    name: "Slow mornings",
    mode: "autopilot",
    goal: "More people at the harbour before nine",
    postsPerWeek: 7,
    socialAccountId: account.id,
  });
  const { data: review } = await call(client, "run_autopilot_review", { id: series.id });
  assertEquals(review.playbook.cadencePerWeek, 7);
  const { data: simulated } = await call(client, "simulate_series", { id: series.id, days: 7 });
  assert(simulated.slots.length > 0);
  await admin(d.dataDir, ["pass", "run", "series", "--brand", d.brandId], { SANDBOX: "on" });
  const { data: queue } = await call(client, "get_series_queue", { id: series.id });
  const planned = queue.items.find((item: Json) => item.status === "planned");
  const ids = { seriesId: series.id, itemId: planned.id };
  const { data: before } = await call(client, "get_credits");
  const keyed = { ...ids, idempotencyKey: "story-1" };
  const { data: ready } = await call(client, "generate_item", keyed);
  assertEquals(ready.status, "ready");
  assertEquals((await call(client, "generate_item", keyed)).data.id, ready.id);
  const { data: after } = await call(client, "get_credits");
  assertEquals(after.used, before.used + ready.creations.length, "paid once");
  const again = await client.callTool({ name: "generate_item", arguments: ids });
  assertEquals((again.structuredContent as Json).error.code, "conflict");

  assertMatch((await call(client, "publish_item", ids)).says, /^It is published: https:/);
  const { data: done } = await call(client, "get_series_queue", { id: series.id });
  const published = done.items.find((item: Json) => item.id === planned.id);
  assertEquals(published.status, "published");
  const truth = await (await fetch(`${d.service.url}/sandbox/instagram/${HANDLE}/posts`)).json();
  assertEquals(truth[0].id, published.externalPostId);
  assert(truth[0].caption.startsWith(published.caption), truth[0].caption);

  await admin(d.dataDir, ["key", "revoke", "--id", d.key.id]);
  await assertRejects(() => call(client, "get_credits"), Error, "unauthorized");
  await client.close();
});

Deno.test({
  name: `the Inspector's command line lists the tools and calls them${inspector.needs}`,
  ignore: inspector.ignore,
  fn: async () => {
    await using d = await dev();
    const inspect = async (...args: string[]): Promise<Json> => {
      const { code, output, errors } = await runTool(inspector, [
        ...["--cli", `${d.service.url}/mcp`, "--transport", "http"],
        ...["--header", `Authorization: Bearer ${d.key.secret}`, ...args],
      ]);
      assertEquals(code, 0, output + errors);
      return JSON.parse(output);
    };
    const tool = (name: string, ...args: string[]) =>
      inspect(
        "--method",
        "tools/call",
        "--tool-name",
        name,
        ...args.flatMap((arg) => [
          "--tool-arg",
          arg,
        ]),
      );
    const { tools } = await inspect("--method", "tools/list");
    assert(tools.some(({ name }: Json) => name === "publish_item"));
    const { structuredContent } = await tool("list_posts", "perPage=3", "platform=instagram");
    assertEquals(structuredContent.data.length, 3);
    const prompt = "prompt=A quiet harbour at dawn";
    const image = await tool(
      "generate_image",
      prompt,
      "idea=dawn",
      "aspectRatio=square",
      "wait=60",
    );
    assertEquals(image.structuredContent.status, "complete");
    assertMatch(image.content[1].uri, /^http/);
  },
});
