/** Two processes on one denokv behind the guide's haproxy, with and without a process for each key. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { SYSTEM } from "../../domain/kv/audit.ts";
import { PLANS } from "../../domain/brands/plans.ts";
import { createBrand } from "../../domain/brands/brands.ts";
import { createApiKey } from "../../domain/brands/keys.ts";
import { systemNow } from "../../domain/foundation/calendar.ts";
import { hasDenokv, KV_TOKEN, openRemote, startDenokv } from "../support/denokv.ts";
import { hasHaproxy, startHaproxy } from "../support/haproxy.ts";
import { freePort, type ServiceProcess, startProcess } from "../support/process.ts";

const BRANDS = 6;
const REQUESTS = 30;

const missing = hasDenokv ? hasHaproxy ? null : "haproxy" : "denokv";

/** What a process has logged of a key. */
function requestsOf(process: ServiceProcess, keyId: string): number {
  return process.printed.split("\n")
    .filter((line) => line.includes('"event":"request"') && line.includes(`"${keyId}"`)).length;
}

Deno.test({
  name:
    "behind haproxy a key's requests reach one process; anywhere, the counts are exact all the same" +
    (missing === null ? "" : ` (skipped: ${missing} is not installed)`),
  ignore: missing !== null,
  fn: async () => {
    await using denokv = await startDenokv();
    const ports = [freePort(), freePort()] as const;
    const processes: [string, string] = [`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`];
    const behind = { processes, denokv: new URL(denokv.url).host };
    await using pinned = await startHaproxy(behind);
    await using anywhere = await startHaproxy(behind, { anywhere: true });
    const store = { KV_URL: pinned.kvUrl, DENO_KV_ACCESS_TOKEN: KV_TOKEN };
    const environ = { ...store, LOG_LEVEL: "info", BASE_URL: pinned.url };
    const dataDir = await Deno.makeTempDir({ prefix: "marquee-balancer-" });
    const keys: { id: string; secret: string }[] = [];
    {
      await using first = await startProcess({ dataDir, environ, port: ports[0] });
      await using second = await startProcess({ dataDir, environ, port: ports[1] });
      for (const balancer of [pinned, anywhere]) await reachesAll(balancer.url, [first, second]);
      using kv = await openRemote(denokv.url);
      for (let n = 0; n < BRANDS; n++) {
        const brand = await createBrand({ kv, now: systemNow, by: SYSTEM }, {
          name: `B${n}`,
          plan: "studio",
        });
        const wanted = { brandId: brand.id, name: "test", scopes: ["createRead" as const] };
        const { key, secret } = await createApiKey({ kv, now: systemNow, by: SYSTEM }, wanted);
        keys.push({ id: key.id, secret });
      }
      const counted = new Map<string, number>();
      /** Asks once, and returns what is left of the month when the request was counted. */
      const ask = async (url: string, secret: string): Promise<number | null> => {
        const headers = { authorization: `Bearer ${secret}` };
        const answer = await fetch(`${url}/v1/credits`, { headers });
        await answer.body?.cancel();
        if (answer.status !== 200) return null;
        counted.set(secret, (counted.get(secret) ?? 0) + 1);
        return Number(answer.headers.get("x-quota-remaining"));
      };
      for (const { secret } of keys) {
        for (let n = 0; n < REQUESTS; n += 3) {
          await Promise.all([1, 2, 3].map(() => ask(pinned.url, secret)));
        }
      }
      await Promise.all([first, second].map((process) => logged(process)));
      for (const { id, secret } of keys) {
        const [a, b] = [requestsOf(first, id), requestsOf(second, id)];
        assertEquals(Math.min(a, b), 0);
        // A request that the store was too slow for is refused before its key is known.
        assert(a + b > 0 && a + b >= (counted.get(secret) ?? 0), `${a} + ${b}`);
      }
      for (const { secret } of keys) {
        await Promise.all(Array.from({ length: REQUESTS }, () => ask(anywhere.url, secret)));
        let left = await ask(anywhere.url, secret);
        while (left === null) left = await ask(anywhere.url, secret);
        assertEquals(PLANS.studio.requestsPerMonth - left, counted.get(secret));
      }
    }
    await Deno.remove(dataDir, { recursive: true });
  },
});

/**
 * Waits until the balancer, which started before the processes, sends requests to each of them. So
 * keys are also spread over the processes.
 */
async function reachesAll(url: string, processes: ServiceProcess[]): Promise<void> {
  const sent: string[] = [];
  const isReached = ({ printed }: ServiceProcess) => sent.some((id) => printed.includes(id));
  while (!processes.every(isReached)) {
    const id = crypto.randomUUID();
    sent.push(id);
    // Each has another key, so that in time each process is asked.
    const answer = await fetch(`${url}/v1/${id}`, { headers: { authorization: `Bearer ${id}` } });
    await answer.body?.cancel();
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Waits until what the process has logged so far is read. */
async function logged(process: ServiceProcess): Promise<void> {
  const id = crypto.randomUUID();
  await (await fetch(`${process.url}/v1/${id}`)).body?.cancel();
  while (!process.printed.includes(id)) await new Promise((done) => setTimeout(done, 5));
}

/** A process that answers reads, and ends without an answer when `isLast` says so of a request. */
function endingProcess(isLast: (head: string) => boolean): { address: string; close(): void } {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  const close = () => {
    listener.close();
    for (const connection of open) connection.close();
  };
  const serve = async (connection: Deno.Conn) => {
    open.add(connection);
    const read = new TextDecoderStream();
    void connection.readable.pipeTo(read.writable as WritableStream<Uint8Array>).catch(() => {});
    for await (const head of read.readable) {
      if (isLast(head)) return close();
      await connection.write(
        new TextEncoder().encode("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
      );
    }
  };
  void (async () => {
    for await (const connection of listener) void serve(connection).catch(() => {});
  })().catch(() => {});
  const { port } = listener.addr as Deno.NetAddr;
  return { address: `127.0.0.1:${port}`, close };
}

Deno.test({
  name: "a write that a process took and did not answer is sent to no other, a read is" +
    (hasHaproxy ? "" : " (skipped: haproxy is not installed)"),
  ignore: !hasHaproxy,
  fn: async () => {
    for (const method of ["POST", "GET"]) {
      const taken: string[] = [];
      const isLast = (head: string) => {
        if (!head.includes("/last")) return false;
        taken.push(head);
        return taken.length === 1;
      };
      const both = [endingProcess(isLast), endingProcess(isLast)];
      const processes = both.map(({ address }) => address);
      {
        await using balancer = await startHaproxy({ processes, denokv: "127.0.0.1:9" });
        const headers = { authorization: "Bearer one" };
        // So that the balancer has a connection that it uses again.
        while ((await (await fetch(balancer.url, { headers })).text()) !== "");
        const answer = await fetch(`${balancer.url}/last`, { method, headers });
        await answer.body?.cancel();
        assertEquals([answer.status, taken.length], method === "POST" ? [503, 1] : [200, 2]);
      }
      for (const { close } of both) {
        try {
          close();
        } catch { /* it has ended */ }
      }
    }
  },
});

Deno.test("the guide shows the haproxy configuration as it is", async () => {
  const guide = (file: string) =>
    Deno.readTextFile(new URL(`../../routes/docs/${file}`, import.meta.url));
  const config = await guide("haproxy.cfg");
  assertStringIncludes(await guide("growing.md"), `\`\`\`haproxy\n${config}\`\`\``);
});
