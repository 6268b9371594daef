/** Deno Deploy's rules: crons found and awaited, a start without secrets, an end within 5 seconds. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { PASS_NAMES } from "../../domain/kv/passes.ts";
import { BODY } from "../support/creations.ts";
import { CronPlatform } from "../support/cron_platform.ts";
import { OpenAiServer } from "../support/openai_server.ts";
import { admin, launch, startProcess } from "../support/process.ts";

const SECRET_KEY = "a secret for tests only, long enough for Deno Deploy";

/** What Deploy sets, and the settings that it needs; no test here stores an image in the bucket. */
const deployed = (dataDir: string) => ({
  DENO_DEPLOY: "true",
  DENO_TIMELINE: "production",
  DENO_KV_DEFAULT_PATH: `${dataDir}/kv.sqlite3`,
  SECRET_KEY,
  S3_BUCKET: "images",
  S3_ENDPOINT: "http://127.0.0.1:1",
  AWS_ACCESS_KEY_ID: "id",
  AWS_SECRET_ACCESS_KEY: "secret",
});

async function folder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir({ prefix: "marquee-deploy-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

async function createKey(dataDir: string) {
  const environ = { SECRET_KEY };
  const brand = await admin(
    dataDir,
    ["brand", "create", "--name", "B", "--plan", "studio"],
    environ,
  );
  const args = ["key", "create", "--brand", brand.id, "--scopes", "createRead,createWrite"];
  const { secret } = await admin(dataDir, args, environ);
  return { authorization: `Bearer ${secret}`, "content-type": "application/json" };
}

/** Asks for an image, and waits until its model is at work. */
async function order(url: string, headers: HeadersInit, asked: Promise<void>): Promise<string> {
  const body = JSON.stringify(BODY);
  const made = await fetch(`${url}/v1/creations`, { method: "POST", headers, body });
  const { id } = await made.json();
  await asked;
  return `${url}/v1/creations/${id}`;
}

Deno.test("Deploy finds the crons although the store does not answer", async () => {
  await using dir = await folder();
  await using platform = new CronPlatform();
  // Takes connections and never says a word.
  using store = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const environ = {
    ...deployed(dir.path),
    ...platform.environ,
    KV_URL: `http://127.0.0.1:${store.addr.port}`,
    DENO_KV_ACCESS_TOKEN: "none",
  };
  await using _service = launch({ dataDir: dir.path, environ });
  const everyMinute = Object.fromEntries(PASS_NAMES.map((name) => [name, "* * * * *"]));
  assertEquals(await platform.registered(PASS_NAMES.length), everyMinute);
});

Deno.test("a cron ends only after the jobs that are due", async () => {
  await using dir = await folder();
  await using platform = new CronPlatform();
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()];
  await using model = new OpenAiServer(() => {
    asked.resolve();
    return answer.promise;
  });
  const openAi = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: model.url };
  const environ = { ...openAi, ...platform.environ, SECRET_KEY };
  await using service = await startProcess({ dataDir: dir.path, environ });
  await platform.registered(PASS_NAMES.length);
  const headers = await createKey(dir.path);
  const creation = await order(service.url, headers, asked.promise);
  let ended = false;
  const ran = platform.run("series").then((success) => {
    ended = true;
    return success;
  });
  // Enough time for the passes, which have nothing to do.
  for (let n = 0; n < 30; n++) await (await fetch(`${service.url}/healthz`)).body?.cancel();
  const endedBefore = ended;
  answer.resolve(Response.json({ error: { message: "no" } }, { status: 400 }));
  assertEquals(await ran, true);
  assertEquals(endedBefore, false, "the cron ended before the image was made");
  assertEquals((await (await fetch(creation, { headers })).json()).status, "failed");
  await service.kill();
});

Deno.test("on Deploy a start without secrets ends with one line for each thing to set", async () => {
  await using dir = await folder();
  const { SECRET_KEY: _, S3_BUCKET: __, ...bare } = deployed(dir.path);
  const cases = [
    { environ: { ...bare, SECRET_KEY: "" }, missing: ["SECRET_KEY", "S3_BUCKET"] },
    { environ: { ...bare, SECRET_KEY: "short" }, missing: ["SECRET_KEY", "S3_BUCKET"] },
    { environ: { ...bare, SECRET_KEY }, missing: ["S3_BUCKET"] },
    { environ: { ...deployed(dir.path), AWS_ACCESS_KEY_ID: "" }, missing: ["AWS_ACCESS_KEY_ID"] },
  ];
  for (const { environ, missing } of cases) {
    await using service = launch({ dataDir: dir.path, environ });
    const { code, output } = await service.ended();
    const lines = output.trim().split("\n");
    assertEquals([code, lines.length], [1, missing.length], output);
    missing.forEach((name, index) => assertStringIncludes(lines[index] ?? "", name));
  }
  assertEquals([...Deno.readDirSync(dir.path)], []);
});

Deno.test("on Deploy without a KV database the start ends with one line that says so", async () => {
  await using dir = await folder();
  const environ = { ...deployed(dir.path), DENO_KV_DEFAULT_PATH: `${dir.path}/none/kv.sqlite3` };
  await using service = launch({ dataDir: dir.path, environ });
  const { code, output } = await service.ended();
  assertEquals(code, 1);
  assertMatch(
    output.trim(),
    /^Cannot use the app's KV database: [^\n]+ `deno task deploy` assigns one$/,
  );
});

Deno.test("a build or preview without secrets runs and answers 503 with what is missing", async () => {
  await using dir = await folder();
  const trials = [{ DENO_TIMELINE: "preview/rev_1" }, { DENO_TIMELINE: "", CI: "1" }];
  for (const trial of trials) {
    await using platform = new CronPlatform();
    const environ = { DENO_DEPLOY: "true", SECRET_KEY: "", ...trial, ...platform.environ };
    await using service = await startProcess({ dataDir: dir.path, environ });
    await platform.registered(PASS_NAMES.length);
    for (const path of ["/", "/healthz", "/v1/posts"]) {
      const answer = await fetch(service.url + path);
      assertEquals(answer.status, 503);
      const { error } = await answer.json();
      assertEquals(error.code, "serviceUnavailable");
      for (const name of ["SECRET_KEY", "S3_BUCKET"]) assertStringIncludes(error.message, name);
    }
    assertEquals(await platform.run("metrics"), true, "the cron hangs");
    await service.kill();
  }
  assertEquals([...Deno.readDirSync(dir.path)], []);
});

Deno.test("on Deploy the process ends within 5 seconds of the signal, whatever is in flight", async () => {
  await using dir = await folder();
  const [asked, hanging] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()];
  await using model = new OpenAiServer(() => {
    asked.resolve();
    return hanging.promise;
  });
  const openAi = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: model.url };
  await using service = await startProcess({
    dataDir: dir.path,
    environ: { ...deployed(dir.path), ...openAi },
  });
  const headers = await createKey(dir.path);
  await order(service.url, headers, asked.promise);
  const { writable, readable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const stuck = fetch(`${service.url}/v1/brand-kit`, { method: "PUT", headers, body: readable });
  const left = stuck.then((answer) => answer.body?.cancel(), () => {});
  await writer.write(new TextEncoder().encode("{"));
  await (await fetch(`${service.url}/healthz`)).body?.cancel(); // the body has arrived by now
  const since = performance.now();
  const { code } = await service.stop("SIGINT");
  const tookMs = performance.now() - since;
  assert(tookMs < 5_000, `it took ${tookMs} ms`);
  assertEquals(code, 0);
  hanging.resolve(new Response(null, { status: 500 }));
  await writer.abort().catch(() => {});
  await left;
});
