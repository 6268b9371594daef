/** What one brand's work costs the others: large images, sources that stall, hard searches. */
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { picture } from "../support/pictures.ts";
import { freePort } from "../support/process.ts";
import { type Bench, type Figure, percentile } from "./figure.ts";

export const bench: Bench = async ({ quick }) => [
  await uploads(quick),
  await sources(quick),
  await searches(quick),
];

/** B's whole upload, again and again, while ten images of 49.7 megapixels of A's wait. */
async function uploads(quick: boolean): Promise<Figure> {
  await using server = await start({ brands: 2 });
  const [a, b] = [server.client(0), server.client(1)];
  const side = quick ? 2_100 : 7_050;
  const sharp = await loadSharp();
  const create = { width: side, height: side, channels: 3, background: "teal" } as const;
  const large = new Uint8Array(await sharp({ create }).webp({ effort: 0 }).toBuffer());
  const small = await picture("jpeg", 100, 80);
  await b.upload(small, "image/jpeg");
  let [waiting, failure]: [number, unknown] = [10, null];
  for (let at = 0; at < 10; at++) {
    a.upload(large, "image/webp").then(() => waiting--).catch((error) => failure = error);
  }
  const times: number[] = [];
  for (let round = 0; round < (quick ? 3 : 60); round++) {
    await new Promise((done) => setTimeout(done, 100));
    const started = performance.now();
    await b.upload(small, "image/jpeg");
    times.push(performance.now() - started);
  }
  // The server is stopped before the last of the ten has ended.
  if (failure !== null) throw failure;
  return {
    name: "an upload while another brand's ten images of 49.7 megapixels wait, p95, ms",
    measured: percentile(times, 0.95),
    atMost: 1_000,
    note: `${times.length} uploads, ${waiting} of the ten still waited after the last`,
  };
}

/** Memory that 100 requests of 25 brands take whose source stalls just before 10 MB. */
async function sources(quick: boolean): Promise<Figure> {
  const part = new Uint8Array(1024 * 1024 - 1);
  await using source = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
    let sent = 0;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      if (sent++ < 10) return controller.enqueue(part);
      return new Promise<void>(() => {});
    };
    return new Response(new ReadableStream({ pull }));
  });
  const host = `127.0.0.1:${source.addr.port}`;
  await using server = await start({ brands: 25, source: host });
  const before = await server.memory();
  let answered = 0;
  for (let at = 0; at < 100; at++) {
    const body = { kind: "inspiration", name: "A", sourceUrl: `http://${host}/` };
    void server.client(at % 25).send("/v1/assets", body).then(() => answered++, () => answered++);
  }
  let most = 0;
  for (let look = 0; look < (quick ? 10 : 140); look++) {
    await new Promise((done) => setTimeout(done, 100));
    most = Math.max(most, await server.memory());
  }
  return {
    name: "memory of 100 requests whose sourceUrl stalls just before 10 MB, MB",
    measured: most - before,
    atMost: 250,
    note: `25 brands; ${answered} were answered meanwhile`,
  };
}

/** The longest that B waits for a page or a search while A searches many posts for all it can. */
async function searches(quick: boolean): Promise<Figure> {
  const posts = quick ? 500 : 100_000;
  await using server = await start({ brands: 2, posts });
  const [a, b] = [server.client(0), server.client(1)];
  const longest = async (goesOn: () => boolean) => {
    let most = 0;
    for (let at = 0; goesOn(); at++) {
      const started = performance.now();
      await b.read(at % 2 === 0 ? "/v1/posts" : `/v1/posts?q=coffee+${at % 20}`);
      most = Math.max(most, performance.now() - started);
    }
    return most;
  };
  for (const query of ["?sort=views", "?sort=clicks"]) await a.read(`/v1/posts${query}`);
  const until = performance.now() + (quick ? 100 : 3_000);
  const alone = await longest(() => performance.now() < until);
  let running = true;
  const hard = hardest();
  const searching = (async () => {
    const started = performance.now();
    for (const q of hard) await a.read(`/v1/posts?sort=views&q=${encodeURIComponent(q)}`);
    return performance.now() - started;
  })().finally(() => running = false);
  const measured = await longest(() => running);
  const took = await searching;
  return {
    name: `the longest wait of a brand while another searches ${
      posts.toLocaleString("en-US")
    } posts, ms`,
    measured,
    atMost: 50,
    note: `${hard.length} searches in ${Math.round(took)} ms; ${alone.toFixed(1)} ms without them`,
  };
}

/** 20 words each that most or many texts contain, and that no other of the searches has. */
function hardest(): string[] {
  const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
  const pairs = letters.flatMap((one) => letters.map((other) => one + other));
  const common = Array.from({ length: 30 }, (_, at) => pairs.slice(at * 20, at * 20 + 20));
  return [letters.slice(0, 20), letters.slice(16), ...common].map((words) => words.join(" "));
}

/** A server of `bounds_server.ts` in a process of its own. */
async function start({ brands, source = "", posts = 50 }: {
  brands: number;
  source?: string;
  posts?: number;
}) {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-bench-" });
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-prompt", "--allow-net", "--allow-env", "--allow-read", "--allow-write"],
      ...["--allow-ffi", "--allow-sys", new URL("./bounds_server.ts", import.meta.url).pathname],
      ...[dataDir, source, String(brands), String(posts), String(port)],
    ],
    stdout: "piped",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.endsWith("\n")) {
    const { value, done } = await lines.read();
    if (done) throw new Error("The server did not start");
    text += value;
  }
  const secrets: string[] = JSON.parse(text);
  const url = `http://127.0.0.1:${port}`;
  return {
    client: (brand: number) => client(url, secrets[brand]!),
    /** Resident memory, MB. */
    memory: async () => Number(await (await fetch(`${url}/memory`)).text()) / 1e6,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await lines.cancel();
      await child.status;
      await Deno.remove(dataDir, { recursive: true });
    },
  };
}

/** A brand's requests. A refusal is thrown. */
function client(url: string, secret: string) {
  const checked = async (answer: Response) => {
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status} ${text}`);
    return text;
  };
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const send = async (path: string, body: unknown) => {
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return JSON.parse(await checked(await fetch(`${url}${path}`, init)));
  };
  return {
    send,
    read: async (path: string) => await checked(await fetch(`${url}${path}`, { headers })),
    async upload(bytes: Uint8Array<ArrayBuffer>, contentType: string) {
      const wanted = { kind: "inspiration", name: "A", contentType, size: bytes.length };
      const started = await send("/v1/assets/uploads", wanted);
      const put = { method: "PUT", headers: { "content-type": contentType }, body: bytes };
      await checked(await fetch(started.uploadUrl, put));
      await send("/v1/assets", { key: started.key, url: started.url });
    },
  };
}
