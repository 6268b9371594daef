/** Sessions over several processes on one store: no process has to be the one that began them. */
import { Client } from "@modelcontextprotocol/sdk/client";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
// @ts-types="@modelcontextprotocol/sdk/client/streamableHttp"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { createBrand } from "../../domain/brands/brands.ts";
import { createApiKey, revokeApiKey, Scope } from "../../domain/brands/keys.ts";
import { systemNow } from "../../domain/foundation/calendar.ts";
import { SYSTEM } from "../../domain/kv/audit.ts";
import { guardRemote } from "../../domain/kv/remote.ts";
import { hasDenokv, KV_TOKEN, openRemote, startDenokv } from "../support/denokv.ts";
import { itemsKit } from "../support/items.ts";
import { beginSession, sendTo } from "../support/mcp_session.ts";
import { admin, startProcess } from "../support/process.ts";
import { testService } from "../support/service.ts";

const EVENTS = "marquee://events";
const needs = hasDenokv ? "" : " (skipped: denokv is not installed)";

Deno.test({
  name: `a client goes on at another process when the one that held its stream is killed${needs}`,
  ignore: !hasDenokv,
  fn: async () => {
    await using denokv = await startDenokv();
    const dataDir = await Deno.makeTempDir({ prefix: "marquee-sessions-" });
    const options = {
      dataDir,
      environ: { KV_URL: denokv.url, DENO_KV_ACCESS_TOKEN: KV_TOKEN },
    };
    {
      await using first = await startProcess(options);
      await using second = await startProcess(options);
      using kv = guardRemote(await openRemote(denokv.url));
      const acting = { kv, now: systemNow, by: SYSTEM };
      const brand = await createBrand(acting, { name: "Bakery", plan: "studio" });
      const wanted = { brandId: brand.id, name: "agent", scopes: Scope.options };
      const { secret, key } = await createApiKey(acting, wanted);
      const event = async () => {
        const made = await createApiKey(acting, { ...wanted, name: "another" });
        return made.key.id;
      };

      // Streams go to `held`; subscriptions and reads always to the second process.
      let held = first.url;
      const opened: string[] = [];
      const transport = new StreamableHTTPClientTransport(new URL(`${second.url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${secret}` } },
        reconnectionOptions: {
          ...{ initialReconnectionDelay: 50, maxReconnectionDelay: 50 },
          ...{ reconnectionDelayGrowFactor: 1, maxRetries: 20 },
        },
        fetch: async (_, init) => {
          if (init?.method !== "GET") return await fetch(`${second.url}/mcp`, init);
          const url = held;
          const answer = await fetch(`${url}/mcp`, init);
          if (answer.ok) opened.push(url);
          return answer;
        },
      });
      const client = new Client({ name: "test", version: "1.0.0" });
      let told = Promise.withResolvers<void>();
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
        assertEquals(params.uri, EVENTS);
        told.resolve();
      });
      await client.connect(transport as Parameters<Client["connect"]>[0]);
      const newest = async () => {
        const { contents: [content] } = await client.readResource({ uri: EVENTS });
        const { data } = JSON.parse((content as { text: string }).text);
        return data.at(-1).data.keyId;
      };
      await client.subscribeResource({ uri: EVENTS });
      const before = await event();
      await told.promise;
      assertEquals(await newest(), before);

      told = Promise.withResolvers();
      held = second.url;
      await first.kill();
      const during = await event();
      await told.promise;
      assertEquals(await newest(), during);
      assertEquals(opened, [first.url, second.url]);

      const ended = Promise.withResolvers<string>();
      client.onerror = ({ message }) => ended.resolve(message);
      await revokeApiKey(acting, key.id);
      assertStringIncludes(await ended.promise, "Failed to open SSE stream");
      await client.close();
    }
    await Deno.remove(dataDir, { recursive: true });
  },
});

Deno.test("a process that is asked to stop ends its streams and does not wait for them", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-sessions-" });
  {
    await using service = await startProcess({ dataDir });
    const create = (what: string, ...args: string[]) => admin(dataDir, [what, "create", ...args]);
    const { id } = await create("brand", "--name", "Bakery", "--plan", "studio");
    const { secret } = await create("key", "--brand", id, "--scopes", "postsRead");
    const session = await beginSession((method, headers, body) =>
      fetch(`${service.url}/mcp`, {
        method,
        headers: {
          ...{ "content-type": "application/json", authorization: `Bearer ${secret}` },
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
      })
    );
    await using stream = await session.listen();
    const stopped = service.stop();
    assertEquals(await stream.next(), null);
    assertEquals((await stopped).code, 0);
  }
  await Deno.remove(dataDir, { recursive: true });
});

Deno.test({
  name: `an answer that reaches another process than the question is taken once${needs}`,
  ignore: !hasDenokv,
  fn: async () => {
    await using denokv = await startDenokv();
    const environ = { SANDBOX: "on" };
    await using asking = await testService({
      environ,
      kv: guardRemote(await openRemote(denokv.url)),
    });
    await using other = await testService({
      environ,
      kv: guardRemote(await openRemote(denokv.url)),
    });
    const kit = await itemsKit(asking);
    asking.worker.start();
    const fields = { creationIds: await kit.pictures(1), socialAccountId: kit.account.id };
    const { id } = await kit.schedule({ ...fields, caption: "Fresh loaves" });
    const transport = new StreamableHTTPClientTransport(new URL("http://any.example/mcp"), {
      requestInit: { headers: { authorization: `Bearer ${kit.secret}` } },
      fetch: async (input, init) => {
        for (const t of [asking, other]) t.turn(1_000);
        const isCall = String(init?.body).includes('"tools/call"');
        return await (isCall ? asking : other).app.request(new Request(input, init));
      },
    });
    const client = new Client({ name: "test", version: "1.0.0" }, {
      capabilities: { elicitation: {} },
    });
    const replies = [false, true];
    client.setRequestHandler(ElicitRequestSchema, () => {
      const confirm = replies.shift();
      assert(confirm !== undefined);
      return { action: "accept", content: { confirm } };
    });
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    const call = { name: "publish_item", arguments: { itemId: id } };
    assertEquals((await client.callTool(call)).isError, true);
    assertEquals(await kit.published(), []);
    assertEquals((await client.callTool(call)).isError, undefined);
    assertEquals(await kit.published(), ["Fresh loaves"]);
    await client.close();

    const session = await beginSession(sendTo(asking, kit.secret));
    assertEquals(await session.end(), 204);
    assertEquals((await session.by(sendTo(other, kit.secret)).open()).status, 404);
    assertEquals(await Array.fromAsync(asking.service.kv.list({ prefix: ["mcpQuestion"] })), []);
  },
});
