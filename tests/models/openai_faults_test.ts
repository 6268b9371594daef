/** Creations when OpenAI fails, hangs or returns nonsense (PLATFORMS.md D.5). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { SECOND } from "../../domain/foundation/calendar.ts";
import { silent } from "../../domain/foundation/log.ts";
import { openAiImages } from "../../domain/models/openai/images.ts";
import { HANDLERS } from "../../jobs/handlers.ts";
import { Worker } from "../../jobs/worker.ts";
import { post, read, used } from "../support/creations.ts";
import {
  OpenAiServer,
  painted,
  PICTURE,
  refused,
  type Reply,
  runOut,
  withServer,
} from "../support/openai_server.ts";
import { testService } from "../support/service.ts";

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
    /does not have the image model/,
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

Deno.test("Retry-After is respected, and one beyond the window ends the tries at once", async () => {
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

Deno.test("a slow answer is awaited, and a hanging call is given up in time", async () => {
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
  await using t = await testService({ dependencies: { imageModel: openAiImages(options) } });
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

Deno.test("a shutdown ends the call, and another worker paints the image once", async () => {
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
