/** The official MCP client, over the whole service in memory or over real sockets. */
import { Client, type ClientOptions } from "@modelcontextprotocol/sdk/client";
// @ts-types="@modelcontextprotocol/sdk/client/streamableHttp"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { TestService } from "./service.ts";

/** A connected client whose requests go to `t`; the clock moves on a second with each. */
export function connectClient(t: TestService, secret: string): Promise<Client> {
  return openClient(`${t.service.settings.BASE_URL}/mcp`, secret, async (input, init) => {
    t.turn(1_000);
    return await t.app.request(new Request(input, init));
  });
}

export async function openClient(
  url: string,
  secret: string,
  send: typeof fetch = fetch,
  options: ClientOptions = {},
): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${secret}` } },
    fetch: send,
  });
  const client = new Client({ name: "test", version: "1.0.0" }, options);
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  return client;
}
