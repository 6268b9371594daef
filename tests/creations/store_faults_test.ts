/** Refusals when the image store is down or has lost an image, and when the service itself fails. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createLog } from "../../domain/foundation/log.ts";
import type { ImageModel } from "../../domain/models/model.ts";
import { post, read, used } from "../support/creations.ts";
import { put, start } from "../support/uploads.ts";
import { PICTURE, runOut } from "../support/openai_server.ts";
import { picture } from "../support/pictures.ts";
import { type TestService, testService } from "../support/service.ts";

const OVERLAY = { template: "captionBar", text: "Ride on" };

/** A bucket that keeps what it is given, and fails while `fault` is set. */
class Bucket implements AsyncDisposable {
  fault: { status: number; code: string } | null = null;
  readonly #files = new Map<string, Uint8Array<ArrayBuffer>>();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor() {
    const options = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
    this.#server = Deno.serve(options, async (request) => {
      const { pathname } = new URL(request.url);
      const bytes = await request.bytes();
      if (this.fault !== null) {
        const { status, code } = this.fault;
        return new Response(`<Error><Code>${code}</Code></Error>`, { status });
      }
      if (request.method === "PUT") this.#files.set(pathname, bytes);
      const file = this.#files.get(pathname);
      return file === undefined
        ? new Response("<Error><Code>NoSuchKey</Code></Error>", { status: 404 })
        : new Response(request.method === "GET" ? file : null);
    });
  }

  /** Loses all that it keeps. */
  clear(): void {
    this.#files.clear();
  }

  get environ() {
    return {
      S3_BUCKET: "b",
      S3_ENDPOINT: `http://127.0.0.1:${this.#server.addr.port}`,
      S3_REGION: "us-east-1",
      S3_FORCE_PATH_STYLE: "true",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Paints at once. */
const imageModel: ImageModel = {
  name: "quick",
  atOnce: 2,
  paint: () =>
    Promise.resolve({ bytes: Uint8Array.fromBase64(PICTURE), contentType: "image/jpeg" }),
};

async function withBucket(
  body: (bucket: Bucket, t: TestService, secret: string) => Promise<void>,
): Promise<void> {
  await using bucket = new Bucket();
  await using t = await testService({ environ: bucket.environ, dependencies: { imageModel } });
  await body(bucket, t, (await t.brand()).secret);
}

const retry = (t: TestService, secret: string, id: string) =>
  t.call(secret, `/v1/creations/${id}/retry`, { method: "POST" });
const overlay = (t: TestService, secret: string, id: string) =>
  t.call(secret, `/v1/creations/${id}/overlay`, { method: "POST", body: { overlay: OVERLAY } });

for (const [status, code] of [[403, "AccessDenied"], [503, "ServiceUnavailable"]] as const) {
  Deno.test(`${status} from the image store fails the creation with that reason, and a retry succeeds`, async () => {
    await withBucket(async (bucket, t, secret) => {
      bucket.fault = { status, code };
      const { creation } = await post(t, secret);
      await runOut(t);
      const failed = await read(t, secret, creation.id);
      assertEquals(failed.status, "failed");
      assertEquals(failed.error, "The image store did not answer. Retrying is free.");
      bucket.fault = null;
      assertEquals((await retry(t, secret, creation.id)).status, 202);
      await runOut(t);
      assertEquals((await read(t, secret, creation.id)).status, "complete");
      assertEquals(await used(t, secret), 1);
      assertEquals(await t.service.jobs.list("dead"), []);
    });
  });
}

Deno.test("an overlay is a 503 that names the image store while it does not answer", async () => {
  await withBucket(async (bucket, t, secret) => {
    const { creation } = await post(t, secret);
    await runOut(t);
    for (const [status, code] of [[403, "AccessDenied"], [404, "NoSuchBucket"]] as const) {
      bucket.fault = { status, code };
      const answer = await overlay(t, secret, creation.id);
      const { error } = await answer.json();
      assertEquals([answer.status, error.code], [503, "serviceUnavailable"]);
      assertMatch(error.message, /^The image store did not answer/);
      assert(Number(answer.headers.get("retry-after")) > 0);
    }
    bucket.fault = null;
    assertEquals((await overlay(t, secret, creation.id)).status, 200);
    bucket.clear();
    const answer = await overlay(t, secret, creation.id);
    assertEquals(answer.status, 503);
    assertMatch((await answer.json()).error.message, /^The image store does not have/);
    assert(Number(answer.headers.get("retry-after")) > 0);
  });
});

Deno.test("a folder that can't be read or written counts as an image store that does not answer", async () => {
  const lines: string[] = [];
  const write = (bytes: Uint8Array) => {
    lines.push(new TextDecoder().decode(bytes));
    return Promise.resolve(bytes.length);
  };
  const log = createLog("error", { write }, () => 0);
  await using t = await testService({ dependencies: { imageModel, log } });
  const { secret } = await t.brand();
  const { creation } = await post(t, secret);
  await runOut(t);
  const { DATA_DIR } = t.service.settings;
  await Deno.rename(`${DATA_DIR}/media`, `${DATA_DIR}/away`);
  // No folder, so that whatever asks below it fails, whoever runs the test.
  await Deno.writeTextFile(`${DATA_DIR}/media`, "");
  const answer = await overlay(t, secret, creation.id);
  assertEquals(answer.status, 503);
  assertMatch((await answer.json()).error.message, /^The image store did not answer/);
  const other = await post(t, secret);
  await runOut(t);
  const { error } = await read(t, secret, other.creation.id);
  assertEquals(error, "The image store did not answer. Retrying is free.");
  await log.flush();
  assertMatch(lines.join(""), /"event":"storage\.failed".*"cause":/);
});

Deno.test("every operation reports a failing image store in the same words", async () => {
  await using t = await testService({ dependencies: { fetchPublic: () => picture() } });
  const { secret } = await t.brand();
  const bytes = await picture();
  const { key, url, uploadUrl } = await start(t, secret, { size: bytes.length });
  await put(t, uploadUrl, bytes);
  const { DATA_DIR } = t.service.settings;
  await Deno.remove(`${DATA_DIR}/media`, { recursive: true });
  await Deno.writeTextFile(`${DATA_DIR}/media`, "");
  const fetched = { kind: "logo", name: "L", sourceUrl: "http://pictures.test/" };
  const other = await start(t, secret, { size: bytes.length });
  const answers = await Promise.all([
    t.call(secret, "/v1/assets", { method: "POST", body: { key, url } }),
    t.call(secret, "/v1/assets", { method: "POST", body: fetched }),
    t.app.request(url),
    t.app.request(other.uploadUrl, {
      method: "PUT",
      headers: { "content-type": "image/jpeg" },
      body: bytes,
    }),
  ]);
  for (const answer of answers) {
    assertEquals(answer.status, 503);
    assertMatch((await answer.json()).error.message, /^The image store did not answer/);
  }
});

Deno.test("an internal fault also says what a retry costs", async () => {
  const odd = { name: "odd", atOnce: 2, paint: () => Promise.reject(new TypeError("a bug")) };
  await using t = await testService({ dependencies: { imageModel: odd } });
  const { secret } = await t.brand();
  const { creation } = await post(t, secret);
  for (const cost of ["is free", "is free", "is free", "costs a credit", "is free"]) {
    await runOut(t);
    const words = `An unexpected error stopped the generation. Retrying ${cost}.`;
    assertEquals((await read(t, secret, creation.id)).error, words);
    await retry(t, secret, creation.id);
  }
  assertEquals(await used(t, secret), 2);
});
