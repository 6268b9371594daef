/** Local servers for guarded fetches: well-behaved ones and others. */
import { assertRejects } from "@std/assert";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { guardedFetch, type GuardOptions } from "../../domain/media/net/fetch_public.ts";

export const LIMITS = { maxBytes: 1_000_000, field: "sourceUrl" };

/** The refusal's code and words. */
export async function refused(url: string, options: Partial<GuardOptions> = {}): Promise<string> {
  const get = guardedFetch({ allowed: [], ...options });
  const error = await assertRejects(() => get(url, LIMITS), ServiceError);
  return `${error.code} ${error.message}`;
}

/** A local HTTP server with the guard that may reach it, and how many requests it saw. */
export function origin(answer: (request: Request) => Response | Promise<Response>) {
  let requests = 0;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    requests++;
    return answer(request);
  });
  const host = `127.0.0.1:${server.addr.port}`;
  return {
    host,
    url: `http://${host}/`,
    seen: () => requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** A local server that sends `text` as it stands, then ends the connection or leaves it open. */
export function rawOrigin(text: string, then: "end" | "hang") {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const open: Deno.Conn[] = [];
  let heard = "";
  const done = (async () => {
    for await (const connection of listener) {
      open.push(connection);
      const head = new Uint8Array(8_192);
      heard += new TextDecoder("latin1").decode(head.subarray(0, await connection.read(head) ?? 0));
      await connection.write(new TextEncoder().encode(text));
      if (then === "end") connection.closeWrite();
    }
  })();
  return {
    host: `127.0.0.1:${listener.addr.port}`,
    heard: () => heard,
    async [Symbol.asyncDispose]() {
      listener.close();
      await done;
      for (const connection of open) connection.close();
    },
  };
}
