/** Images by OpenAI, against a local server that speaks its wire format. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { SECOND } from "../domain/calendar.ts";
import { openAiImages } from "../domain/models/openai/images.ts";
import { sizeFor } from "../domain/models/openai/sizes.ts";
import { silent } from "../domain/log.ts";
import { HANDLERS } from "../jobs/handlers.ts";
import { Worker } from "../jobs/worker.ts";
import { post, read, used } from "./creating.ts";
import { OpenAiServer, painted, PICTURE, refused, type Reply } from "./openai_server.ts";
import { type TestService, testService } from "./service.ts";

async function withServer(
  body: (server: OpenAiServer, t: TestService, secret: string) => Promise<void>,
): Promise<void> {
  await using server = new OpenAiServer(painted);
  await using t = await testService({ environ: server.environ });
  const { secret } = await t.brand();
  await body(server, t, secret);
}

/** Runs the worker until nothing waits, turning the clock over back-offs; the seconds it took. */
async function runOut(t: TestService): Promise<number> {
  const startedAt = t.service.now();
  for (let round = 0; round < 10; round++) {
    await t.worker.drain();
    const waiting = (await t.service.jobs.list("waiting")).filter(({ kind }) =>
      kind === "generate"
    );
    if (waiting.length === 0) break;
    t.turn(Math.max(0, waiting[0]!.dueAt - t.service.now()));
  }
  return (t.service.now() - startedAt) / SECOND;
}

Deno.test("a prompt becomes one generation of the exact size, with the key and no SDK retries", async () => {
  await withServer(async (server, t, secret) => {
    const { creation } = await post(t, secret, { aspectRatio: "portrait" });
    await t.worker.drain();
    assertEquals((await read(t, secret, creation.id)).status, "complete");
    assertEquals(server.heard.length, 1);
    const { path, headers, fields } = server.heard[0]!;
    assertEquals(path, "/v1/images/generations");
    assertEquals(headers.get("authorization"), "Bearer sk-test");
    assertEquals(fields, {
      model: "gpt-image-2.5-flare",
      prompt: creation.prompt,
      n: 1,
      size: "1088x1360",
    });
  });
});

Deno.test("each family of models is asked for a size that it knows", () => {
  const story = { width: 1080, height: 1920 };
  const landscape = { width: 1536, height: 1024 };
  assertEquals(sizeFor("gpt-image-2", story), { width: 1088, height: 1920 });
  assertEquals(sizeFor("gpt-image-1.5", story), { width: 1024, height: 1536 });
  assertEquals(sizeFor("gpt-image-1", landscape), landscape);
  assertEquals(sizeFor("dall-e-3", story), { width: 1024, height: 1792 });
  assertEquals(sizeFor("stablediffusion", landscape), landscape);
});

/** Two cast photos and one inspiration image, added through the API. */
async function addPhotos(server: OpenAiServer, t: TestService, secret: string) {
  const bytes = Uint8Array.fromBase64(PICTURE);
  const kinds = ["inspiration", "castReference", "castReference"];
  const ids: string[] = [];
  for (const [at, kind] of kinds.entries()) {
    server.next(() => new Response(bytes, { headers: { "content-type": "image/jpeg" } }));
    const body = { kind, name: `Photo ${at}`, sourceUrl: `${server.url}/photos/${at}.jpg` };
    const answer = await t.call(secret, "/v1/assets", { method: "POST", body });
    assertEquals(answer.status, 201);
    ids.push((await answer.json()).id);
  }
  server.heard.length = 0;
  const member = {
    name: "Ada",
    lookPrompt: "Ada, short red hair",
    referenceAssetIds: ids.slice(1),
  };
  return await (await t.call(secret, "/v1/cast-members", { method: "POST", body: member })).json();
}

Deno.test("cast photos go along first, then inspiration; the shown prompt leaves out their sentence", async () => {
  await withServer(async (server, t, secret) => {
    const cast = await addPhotos(server, t, secret);
    const { creation } = await post(t, secret, { castMemberId: cast.id });
    await t.worker.drain();
    assertEquals((await read(t, secret, creation.id)).status, "complete");
    const [{ path, fields, files }] = server.heard as [typeof server.heard[0]];
    assertEquals(path, "/v1/images/edits");
    assertEquals(files.map(({ field }) => field), ["image[]", "image[]", "image[]"]);
    assertEquals(files.map(({ name }) => name.split("-")[0]), ["cast", "cast", "inspiration"]);
    assertEquals(creation.prompt, "Ada, short red hair\n\nA red bicycle in the rain");
    // Multipart bodies carry CRLF.
    assert(fields.prompt.replaceAll("\r\n", "\n").startsWith(creation.prompt));
    assertMatch(fields.prompt, /Images 1-2 show the same person.*Image 3 sets mood/);
  });
});

Deno.test("a server without edits gets the look in words, and is not asked for edits again", async () => {
  await withServer(async (server, t, secret) => {
    const cast = await addPhotos(server, t, secret);
    server.next(refused(404, { message: "no route" }));
    for (let n = 0; n < 2; n++) {
      const { creation } = await post(t, secret, { castMemberId: cast.id });
      await t.worker.drain();
      assertEquals((await read(t, secret, creation.id)).status, "complete");
    }
    assertEquals(server.heard.map(({ path }) => path.split("/").at(-1)), [
      "edits",
      "generations",
      "generations",
    ]);
    assertMatch(server.heard[1]!.fields.prompt, /^Ada, short red hair/);
  });
});

Deno.test("an answer by address is fetched", async () => {
  await withServer(async (server, t, secret) => {
    server.next(
      () => Response.json({ data: [{ url: `${server.url}/files/1.jpg` }] }),
      () => new Response(Uint8Array.fromBase64(PICTURE)),
    );
    const { creation } = await post(t, secret);
    await t.worker.drain();
    assertEquals((await read(t, secret, creation.id)).status, "complete");
    assertEquals(server.heard.at(-1)!.path, "/files/1.jpg");
  });
});

const FINAL: [number, object, RegExp][] = [
  [
    400,
    { type: "image_generation_user_error", code: "moderation_blocked", message: "no" },
    /safety/,
  ],
  [
    400,
    { type: "invalid_request_error", code: "content_policy_violation", message: "no" },
    /safety/,
  ],
  [400, { type: "invalid_request_error", code: "invalid_value", message: "Bad size." }, /Bad size/],
  [
    400,
    { type: "invalid_request_error", code: "billing_hard_limit_reached", message: "" },
    /funds/,
  ],
  [401, { type: "invalid_request_error", code: "invalid_api_key", message: "no" }, /credentials/],
  [403, { type: "invalid_request_error", code: null, message: "verify" }, /credentials/],
  [
    404,
    { type: "invalid_request_error", code: "model_not_found", message: "no" },
    /does not exist/,
  ],
  [429, { type: "insufficient_quota", code: "insufficient_quota", message: "no" }, /funds/],
];

for (const [status, error, words] of FINAL) {
  const code = (error as { code: string | null }).code ?? "no code";
  Deno.test(`${status} ${code} fails the creation after one call, in words a person understands`, async () => {
    await withServer(async (server, t, secret) => {
      server.always(refused(status, error));
      const { creation } = await post(t, secret);
      await runOut(t);
      const failed = await read(t, secret, creation.id);
      assertEquals(failed.status, "failed");
      assertMatch(failed.error ?? "", words);
      assertEquals(server.heard.length, 1);
      assertEquals(await t.service.jobs.list(), []);
      assertEquals(await used(t, secret), 1);
    });
  });
}

const cut: Reply = () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array([123]));
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-length": "1000" } });
};
const busy = { type: "requests", code: "rate_limit_exceeded", message: "slow down" };
const PASSING: [string, Reply][] = [
  ["a fault of the server", refused(500, { type: "server_error", code: null, message: "oops" })],
  ["a gateway's page of HTML", () => new Response("<h1>Bad gateway</h1>", { status: 502 })],
  ["a rate limit", refused(429, busy)],
  ["a connection cut in the middle", cut],
];

for (const [what, reply] of PASSING) {
  Deno.test(`${what} is tried again, up to three times within 100 s, for the same credit`, async () => {
    await withServer(async (server, t, secret) => {
      server.next(reply, reply, reply);
      const { creation } = await post(t, secret);
      const seconds = await runOut(t);
      const done = await read(t, secret, creation.id);
      assertEquals([done.status, done.creditCost], ["complete", 1]);
      assertEquals(server.heard.length, 4);
      assert(seconds <= 100, `${seconds} s`);

      server.always(reply);
      const other = await post(t, secret);
      await runOut(t);
      const failed = await read(t, secret, other.creation.id);
      assertEquals([failed.status, failed.creditCost], ["failed", 1]);
      assertEquals(server.heard.length, 8);
      assertEquals(await used(t, secret), 2);
      const retry = { method: "POST" };
      await t.call(secret, `/v1/creations/${other.creation.id}/retry`, retry);
      assertEquals(await used(t, secret), 2, "the free retries are all there");
    });
  });
}

const MALFORMED: [string, Reply][] = [
  ["no JSON", () => new Response("{", { headers: { "content-type": "application/json" } })],
  ["no image", () => Response.json({ data: [] })],
  ["no base64", () => Response.json({ data: [{ b64_json: "***" }] })],
  ["another file", () => Response.json({ data: [{ b64_json: btoa("<svg/>") }] })],
  [
    "half a picture",
    () => Response.json({ data: [{ b64_json: PICTURE.slice(0, PICTURE.length / 2 & ~3) }] }),
  ],
];

for (const [what, reply] of MALFORMED) {
  Deno.test(`a malformed answer (${what}) is asked for once more, then the creation fails`, async () => {
    await withServer(async (server, t, secret) => {
      server.always(reply);
      const { creation } = await post(t, secret);
      await runOut(t);
      assertEquals((await read(t, secret, creation.id)).status, "failed");
      assertEquals(server.heard.length, 2);
      assertEquals(await used(t, secret), 1);
    });
  });
}

Deno.test("Retry-After is heeded, and one beyond the window ends the waiting at once", async () => {
  await withServer(async (server, t, secret) => {
    server.next(refused(429, busy, { "retry-after": "20" }));
    const { creation } = await post(t, secret);
    await t.worker.drain();
    const [job] = await t.service.jobs.list("waiting");
    assertEquals(job!.dueAt - t.service.now(), 20 * SECOND);
    await runOut(t);
    assertEquals((await read(t, secret, creation.id)).status, "complete");

    server.always(refused(429, busy, { "x-ratelimit-reset-requests": "6m0s" }));
    const other = await post(t, secret);
    await runOut(t);
    assertEquals((await read(t, secret, other.creation.id)).status, "failed");
    assertEquals(server.heard.length, 3);
  });
});

Deno.test("a slow answer is waited for, a call that hangs is given up in time", async () => {
  await using server = new OpenAiServer(painted);
  const options = {
    apiKey: "sk-test",
    baseUrl: `${server.url}/v1`,
    imageModel: "gpt-image-2",
    imageQuality: "max",
    textModel: "none",
    http: fetch,
    fetchPublic: () => Promise.reject(new Error("not called")),
    log: silent,
    imageMs: 600,
  };
  await using t = await testService({ doors: { imageModel: openAiImages(options) } });
  const { secret } = await t.brand();
  server.next(async (heard, request) => {
    await new Promise((done) => setTimeout(done, 300));
    return await painted(heard, request);
  });
  const { creation } = await post(t, secret);
  await t.worker.drain();
  assertEquals((await read(t, secret, creation.id)).status, "complete");
  assertEquals(server.heard[0]!.fields.quality, "high", "gpt-image-2 knows no max");

  // Headers come, the body never does: only a bound on the whole call ends that.
  server.always(() =>
    new Response(new ReadableStream({ start: (c) => c.enqueue(new Uint8Array([123])) }))
  );
  const other = await post(t, secret);
  await runOut(t);
  const failed = await read(t, secret, other.creation.id);
  assertEquals(failed.status, "failed");
  assertMatch(failed.error ?? "", /did not answer in time/);
  assertEquals(await used(t, secret), 2);
});

Deno.test("a shutdown ends the call and hands the work back; another worker paints it once", async () => {
  await withServer(async (server, t, secret) => {
    const called = Promise.withResolvers<void>();
    const hanging = Promise.withResolvers<Response>();
    server.next(() => {
      called.resolve();
      return hanging.promise;
    });
    const { creation } = await post(t, secret);
    const worker = new Worker(t.service, HANDLERS);
    worker.start();
    await called.promise;
    await worker.stop(0);
    hanging.resolve(new Response());
    const [job] = await t.service.jobs.list();
    assertEquals([job!.state, job!.attempts], ["waiting", 0]);
    await t.worker.drain();
    assertEquals((await read(t, secret, creation.id)).status, "complete");
    assertEquals(await used(t, secret), 1);
  });
});
