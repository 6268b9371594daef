/** The official MCP client over the whole service in memory. */
import { Client } from "@modelcontextprotocol/sdk/client";
// @ts-types="@modelcontextprotocol/sdk/client/streamableHttp"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { TestService } from "./service.ts";

/** A connected client whose requests go to `t`; the clock moves on a second with each. */
export async function connectClient(t: TestService, secret: string): Promise<Client> {
  const url = new URL(`${t.service.settings.BASE_URL}/mcp`);
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${secret}` } },
    fetch: async (input, init) => {
      t.turn(1_000);
      return await t.app.request(new Request(input, init));
    },
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  return client;
}
