/** HTTP load from a process of its own: raw keep-alive connections, so that the client costs little. */
import { median, percentile } from "./figure.ts";

export interface Load {
  port: number;
  connections: number;
  seconds: number;
  /** Whole requests, each sent in turn by every connection from a different place in the list. */
  requests: string[];
}

export interface Loaded {
  requestsPerSecond: number;
  /** Answers whose status was not 200. */
  failed: number;
  /** Of all answers, ms. */
  latency: { median: number; p99: number };
}

const decoder = new TextDecoder("latin1");

/** One GET with its headers, ready for the wire. */
export function getRequest(path: string, secret = "none"): string {
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${secret}\r\n\r\n`;
}

/** Runs the load in a child process. */
export async function load(options: Load): Promise<Loaded> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-net", new URL(import.meta.url).pathname],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(options)));
  await writer.close();
  return JSON.parse(new TextDecoder().decode((await child.output()).stdout));
}

if (import.meta.main) {
  const options: Load = JSON.parse(await new Response(Deno.stdin.readable).text());
  await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(await run(options))));
}

async function run({ port, connections, seconds, requests }: Load): Promise<Loaded> {
  const wire = requests.map((request) => new TextEncoder().encode(request));
  const endAt = performance.now() + seconds * 1_000;
  const latencies: number[] = [];
  let failed = 0;
  await Promise.all(Array.from({ length: connections }, async (_, at) => {
    using connection = await Deno.connect({ port, hostname: "127.0.0.1", transport: "tcp" });
    connection.setNoDelay(true);
    const answers = reader(connection);
    let next = Math.floor(at * wire.length / connections);
    while (performance.now() < endAt) {
      const sentAt = performance.now();
      await connection.write(wire[next++ % wire.length]!);
      if (await answers() !== 200) failed++;
      latencies.push(performance.now() - sentAt);
    }
  }));
  return {
    requestsPerSecond: latencies.length / seconds,
    failed,
    latency: { median: median(latencies), p99: percentile(latencies, 0.99) },
  };
}

/** Reads one answer after the other; gives each one's status. */
function reader(connection: Deno.Conn): () => Promise<number> {
  const buffer = new Uint8Array(256 * 1024);
  return async () => {
    let filled = 0;
    let expected = Infinity;
    let status = 0;
    while (filled < expected) {
      const read = await connection.read(buffer.subarray(filled));
      if (read === null) throw new Error("The server closed the connection");
      filled += read;
      if (expected !== Infinity) continue;
      const head = decoder.decode(buffer.subarray(0, Math.min(filled, 2_048)));
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) continue;
      status = Number(head.slice(9, 12));
      expected = end + 4 + Number(/content-length: (\d+)/i.exec(head)![1]);
    }
    return status;
  };
}
