/** The log never stops the service, even if it is read late or never, or its disk is full. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createLog, type Sink } from "../../domain/foundation/log.ts";
import { plainLine } from "../../domain/foundation/plain_line.ts";
import { freePort, sendSignal, startProcess } from "../support/process.ts";
import { NOON, testService } from "../support/service.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
/** Requests in flight are given this long after a signal to stop, ms. */
const GRACE_MS = 10_000;
/** Each line carries its request's path: far more than the 64 kB that a pipe holds. */
const REQUESTS = 500;
const PATH = `/${"x".repeat(1_000)}`;

interface Line {
  event: string;
  path?: string;
  at?: number;
  lines?: number;
}

/** Fails on anything that is not a whole line. */
function linesOf(text: string): Line[] {
  assert(text === "" || text.endsWith("\n"));
  return text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}

/** A sink that keeps what `take` lets through of each write, in bytes; it may throw. */
function sinkOf(take: (bytes: Uint8Array) => number | Promise<number>) {
  const decoder = new TextDecoder();
  const kept = { text: "" };
  const sink: Sink = {
    async write(bytes) {
      const taken = await take(bytes);
      kept.text += decoder.decode(bytes.subarray(0, taken), { stream: true });
      return taken;
    },
  };
  return { kept, log: createLog("info", sink, () => NOON) };
}

Deno.test("the log contains neither keys in paths nor queries", async () => {
  const { kept, log } = sinkOf(({ length }) => length);
  await using t = await testService({ dependencies: { log } });
  const { secret } = await t.brand();
  await (await t.call(secret, `/v1/posts/${secret}?q=private`)).body?.cancel();
  await log.flush();
  assert(kept.text.includes('"path":"/v1/posts/mq_..."'), kept.text);
  for (const word of [secret, "private"]) assert(!kept.text.includes(word), kept.text);
});

Deno.test("dev's log is one short line a request, and what goes wrong", async () => {
  let text = "";
  const sink: Sink = {
    write(bytes) {
      text += new TextDecoder().decode(bytes);
      return Promise.resolve(bytes.length);
    },
  };
  const log = createLog("info", sink, () => NOON, plainLine("info"));
  await using t = await testService({ dependencies: { log } });
  await (await t.app.request("/healthz?q=private")).body?.cancel();
  log.info("pass", { pass: "metrics", posts: 0 });
  log.warn("platform.fault", { account: "soc_1", message: "Not\n\u001b[2Jnow" });
  log.error("demo", { error: "No disk", stack: "Error: No disk\n    at write (a.ts:1:2)" });
  await log.flush();
  assertMatch(
    text,
    new RegExp(
      String.raw`^12:00:0\d GET /healthz 200 in [\d.]+ ms\n` +
        String.raw`12:00:0\d warn platform\.fault: Not\\n\\u001b\[2Jnow \(account=soc_1\)\n` +
        String.raw`12:00:0\d error demo: No disk\n    at write \(a\.ts:1:2\)\n$`,
    ),
  );
});

Deno.test("log lines stay whole and in order if writes are partial or fail", async () => {
  let writes = 0;
  const { kept, log } = sinkOf((bytes) => {
    if (++writes % 3 === 0) throw new Error("No space left on device");
    return Math.min(bytes.length, 7);
  });
  for (const at of upTo(20)) {
    log.info("brød", { at });
    await log.flush();
  }
  for (const _ of upTo(200)) await log.flush();
  assertEquals(linesOf(kept.text).map(({ at }) => at), upTo(20));
});

Deno.test("a blocked log keeps a megabyte and later reports how many lines it dropped", async () => {
  const reader = Promise.withResolvers<void>();
  const { kept, log } = sinkOf((bytes) => reader.promise.then(() => bytes.length));
  log.info("first");
  const flushed = log.flush();
  for (const at of upTo(20_000)) log.info("next", { at, path: "x".repeat(100) });
  assertEquals(kept.text, "");
  reader.resolve();
  await flushed;
  log.info("last");
  await log.flush();
  const lines = linesOf(kept.text);
  assert(kept.text.length < 1_010_000, String(kept.text.length));
  assertEquals(lines.shift()?.event, "first");
  assertEquals(lines.pop()?.event, "last");
  const dropped = lines.pop();
  assertEquals(lines.map(({ at }) => at), upTo(lines.length));
  assertEquals(dropped?.event, "log.dropped");
  assertEquals(dropped?.lines, 20_000 - lines.length);
});

Deno.test("lines logged just before a signal to stop are written, whole and in order", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-test-" });
  const environ = { LOG_LEVEL: "info" };
  await using service = await startProcess({ dataDir, environ });
  const paths = upTo(50).map((at) => `/nowhere/${at}`);
  for (const path of paths) await (await fetch(service.url + path)).body?.cancel();
  const { code, output } = await service.stop("SIGTERM");
  const lines = linesOf(`${output.trim()}\n`);
  assertEquals([code, lines[0]?.event], [0, "listening"]);
  const logged = lines.map(({ path }) => path).filter((path) => path?.startsWith("/nowhere/"));
  assertEquals(logged, paths);
  await Deno.remove(dataDir, { recursive: true });
});

Deno.test("the service answers and stops while nobody reads its log", async () => {
  await using service = start("start");
  await service.started();
  await service.answers();
  assertEquals(await service.stop(), 0);
  const written = linesOf((await service.printed()).replace(/[^\n]*$/, "")).length;
  assert(written < REQUESTS, `${written} lines were read by somebody`);
});

Deno.test("the service keeps running when the reader of its log has gone", async () => {
  await using service = start("dev");
  await service.started();
  await service.closeOutput();
  await service.seeded();
  await service.answers();
  assertEquals(await service.stop(), 0);
});

Deno.test({
  name: "the service keeps running when its log's disk is full" +
    (Deno.build.os === "linux" ? "" : " [needs Linux's /dev/full]"),
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using service = start("dev", "/dev/full");
    await service.started();
    await service.seeded();
    await service.answers();
    assertEquals(await service.stop(), 0);
  },
});

/** A service whose standard output nobody reads unasked. */
class Unread implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #dataDir: string;
  readonly #url: string;

  constructor(child: Deno.ChildProcess, dataDir: string, url: string) {
    this.#child = child;
    this.#dataDir = dataDir;
    this.#url = url;
  }

  async started(): Promise<void> {
    await until(() => this.#status("/healthz").then((status) => status === 200, () => false));
  }

  /** Waits until the demo brand, of which the greeting tells, is there. */
  async seeded(): Promise<void> {
    using kv = await Deno.openKv(`${this.#dataDir}/kv.sqlite3`);
    await until(async () => (await kv.get(["demo"])).value !== null);
  }

  /** Expects an answer to each of many requests. */
  async answers(): Promise<void> {
    for (const _ of upTo(REQUESTS / 20)) {
      const answers = await Promise.all(upTo(20).map(() => this.#status(PATH)));
      assertEquals(answers, Array(20).fill(404));
    }
  }

  async closeOutput(): Promise<void> {
    await this.#child.stdout.cancel();
  }

  /** What its output still holds. */
  async printed(): Promise<string> {
    return await new Response(this.#child.stdout).text();
  }

  /** The exit code after SIGTERM; one that stays is killed. */
  async stop(): Promise<number> {
    const kill = setTimeout(() => sendSignal(this.#child, "SIGKILL"), GRACE_MS);
    sendSignal(this.#child, "SIGTERM");
    const { code } = await this.#child.status;
    clearTimeout(kill);
    return code;
  }

  async #status(path: string): Promise<number> {
    const answer = await fetch(this.#url + path, { signal: AbortSignal.timeout(GRACE_MS) });
    await answer.body?.cancel();
    return answer.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    sendSignal(this.#child, "SIGKILL");
    await this.#child.status;
    if (!this.#child.stdout.locked) await this.closeOutput();
    await Deno.remove(this.#dataDir, { recursive: true });
  }
}

/** @param output a file for its standard output, else a pipe */
function start(mode: "start" | "dev", output?: string): Unread {
  const dataDir = Deno.makeTempDirSync({ prefix: "marquee-test-" });
  const port = freePort();
  const run = `exec "$0" run -A main.ts ${mode === "dev" ? "--dev" : ""}`;
  const child = new Deno.Command("sh", {
    args: ["-c", output === undefined ? run : `${run} >${output}`, Deno.execPath()],
    cwd: ROOT,
    env: {
      DATA_DIR: dataDir,
      PORT: String(port),
      SECRET_KEY: "a secret for tests only, and long enough",
      LOG_LEVEL: "info",
    },
    stdout: "piped",
  }).spawn();
  return new Unread(child, dataDir, `http://127.0.0.1:${port}`);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 3 * GRACE_MS;
  while (!await isSo()) {
    assert(performance.now() < giveUpAt, "gave up waiting");
    await new Promise((done) => setTimeout(done, 20));
  }
}
