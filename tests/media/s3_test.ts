/** Images in a bucket, against a real server that checks signatures. */
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { HOUR, MINUTE } from "../../domain/foundation/calendar.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { silent } from "../../domain/foundation/log.ts";
import { readSettings } from "../../domain/foundation/settings.ts";
import { s3Storage } from "../../domain/media/storage/s3.ts";
import {
  namingFaults,
  newFileKey,
  newPrivateName,
  PRIVATE_TYPE,
  privateKey,
  type Storage,
} from "../../domain/media/storage/storage.ts";
import { picture } from "../support/pictures.ts";
import { NOON, testService } from "../support/service.ts";

const ENDPOINT = Deno.env.get("TEST_S3_ENDPOINT");
const ACCESS = { AWS_ACCESS_KEY_ID: "test:tester", AWS_SECRET_ACCESS_KEY: "testing" };

function s3Test(name: string, run: () => Promise<void>): void {
  const reason = ENDPOINT === undefined ? " (skipped: TEST_S3_ENDPOINT names no server)" : "";
  Deno.test({ name: name + reason, ignore: ENDPOINT === undefined, fn: run });
}

const bucketClient = () =>
  new S3Client({
    endpoint: ENDPOINT!,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: { accessKeyId: "test:tester", secretAccessKey: "testing" },
  });

/** Settings for a bucket of its own. */
async function freshBucket(more: Record<string, string> = {}): Promise<Record<string, string>> {
  const bucket = `test-${crypto.randomUUID()}`;
  const client = bucketClient();
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return {
    ...ACCESS,
    S3_BUCKET: bucket,
    S3_ENDPOINT: ENDPOINT!,
    S3_REGION: "us-east-1",
    S3_FORCE_PATH_STYLE: "true",
    ...more,
  };
}

const storageOf = (environ: Record<string, string>, now = Date.now): Storage =>
  namingFaults(s3Storage(readSettings(environ, "dev"), now), silent);

async function status(url: string, init?: RequestInit): Promise<number> {
  const answer = await fetch(url, init);
  await answer.body?.cancel();
  return answer.status;
}

const put = (url: string, type: string, body: BodyInit) =>
  status(url, { method: "PUT", headers: { "content-type": type }, body });

/** The link with one character of its signature changed. */
const spoiled = (url: string) =>
  url.replace(/Signature=(.)/, (_, first) => `Signature=${first === "0" ? "1" : "0"}`);

/** Every key in the bucket. */
async function keys({ S3_BUCKET }: Record<string, string>): Promise<string[]> {
  const client = bucketClient();
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: S3_BUCKET }));
  client.destroy();
  return Contents.map(({ Key }) => Key!).sort();
}

s3Test("a file comes back from the bucket as it went in, until it is deleted", async () => {
  const bucket = await freshBucket();
  const storage = storageOf(bucket);
  const key = newFileKey("media", "image/png");
  const bytes = await picture("png");
  assertEquals(await storage.get(key), null);
  assertEquals(await storage.head(key), null);
  await storage.put(key, { bytes, contentType: "image/png" });
  assertEquals(await storage.get(key), { bytes, contentType: "image/png" });
  assertEquals(await storage.head(key), { size: bytes.length, contentType: "image/png" });
  assertEquals(await keys(bucket), [key]);
  await storage.delete(key);
  await storage.delete(key);
  assertEquals(await storage.get(key), null);
});

s3Test(
  "a private file comes back as it went in, under an address that nobody can guess",
  async () => {
    const bucket = await freshBucket();
    const storage = storageOf(bucket);
    const key = privateKey(newPrivateName(), 0);
    const file = {
      bytes: crypto.getRandomValues(new Uint8Array(50_000)),
      contentType: PRIVATE_TYPE,
    };
    await storage.put(key, file);
    assertEquals([await storage.get(key), await keys(bucket)], [file, [key]]);
    const { status: answer } = await fetch(`${ENDPOINT}/${bucket["S3_BUCKET"]}/${key}`);
    assert(answer >= 400);
    await storage.delete(key);
    assertEquals(await storage.get(key), null);
  },
);

s3Test("an upload link takes exactly its type and size, and nothing tampered with", async () => {
  const bucket = await freshBucket();
  const storage = storageOf(bucket);
  const key = newFileKey("uploads", "image/jpeg");
  const bytes = await picture();
  const contentType = "image/jpeg";
  const expiresAt = Date.now() + 15 * MINUTE;
  const url = await storage.uploadUrl({ key, contentType, size: bytes.length, expiresAt });
  assertEquals(await put(url, "image/png", bytes), 403);
  assertEquals(await put(url, contentType, bytes.subarray(1)), 403);
  assertEquals(await put(url, contentType, new Blob([bytes, "x"])), 403);
  assertEquals(await put(url.replace(/uploads\/./, "uploads/z"), contentType, bytes), 403);
  assertEquals(await put(spoiled(url), contentType, bytes), 403);
  assertEquals(await put(url.replace("Expires=900", "Expires=9000"), contentType, bytes), 403);
  assertEquals(await status(url), 403, "a link to put is no link to get");
  assertEquals(await keys(bucket), []);
  assertEquals(await put(url, contentType, bytes), 200);
  assertEquals((await storage.get(key))?.bytes, bytes);
});

s3Test("an upload link is refused once it has expired", async () => {
  const storage = storageOf(await freshBucket());
  const bytes = await picture();
  const link = { key: newFileKey("uploads", "image/jpeg"), contentType: "image/jpeg" };
  const expiresAt = Date.now() + 1_000;
  const url = await storage.uploadUrl({ ...link, size: bytes.length, expiresAt });
  assertMatch(url, /X-Amz-Expires=1&/);
  let answer = 0; // the store's clock can't be turned: ask until it says so
  for (let tries = 0; answer !== 403 && tries < 100; tries++) {
    answer = await put(url, "image/jpeg", bytes);
    if (answer === 200) await new Promise((done) => setTimeout(done, 100));
  }
  assertEquals(answer, 403);
});

s3Test("a private bucket is read through short signed links, and not without", async () => {
  const storage = storageOf(await freshBucket());
  const key = newFileKey("media", "image/webp");
  const bytes = await picture("webp");
  await storage.put(key, { bytes, contentType: "image/webp" });
  const url = await storage.url(key);
  const answer = await fetch(url);
  assertEquals(answer.headers.get("content-type"), "image/webp");
  assertEquals(await answer.bytes(), bytes);
  const seconds = Number(new URL(url).searchParams.get("X-Amz-Expires"));
  assert(seconds >= HOUR / 1000 && seconds <= 24 * HOUR / 1000, `lives ${seconds} s`);
  assert(await status(url.split("?")[0]!) >= 400);
  assertEquals(await status(spoiled(url)), 403);
});

s3Test("links are signed for the public endpoint, work there and nowhere else", async () => {
  const publicEndpoint = ENDPOINT!.replace("127.0.0.1", "localhost");
  const storage = storageOf(await freshBucket({ S3_PUBLIC_ENDPOINT: publicEndpoint }));
  const key = newFileKey("uploads", "image/jpeg");
  const bytes = await picture();
  const expiresAt = Date.now() + MINUTE;
  const link = { key, contentType: "image/jpeg", size: bytes.length, expiresAt };
  const url = await storage.uploadUrl(link);
  assert(url.startsWith(publicEndpoint));
  assertEquals(await put(url.replace("localhost", "127.0.0.1"), "image/jpeg", bytes), 403);
  assertEquals(await put(url, "image/jpeg", bytes), 200);
  assertEquals((await storage.head(key))?.size, bytes.length);
});

s3Test("an upload becomes an asset once; what is put there later changes nothing", async () => {
  const bucket = await freshBucket();
  await using t = await testService({ environ: bucket });
  const { secret } = await t.brand();
  const bytes = await picture("jpeg", 80, 60);
  const body = { kind: "logo", name: "L", contentType: "image/jpeg", size: bytes.length };
  const started = await (await t.call(secret, "/v1/assets/uploads", { method: "POST", body }))
    .json();
  const confirm = { method: "POST", body: { key: started.key, url: started.url } };
  assertEquals((await t.call(secret, "/v1/assets", confirm)).status, 409);
  assertEquals(await put(started.uploadUrl, "image/jpeg", bytes), 200);
  const created = await t.call(secret, "/v1/assets", confirm);
  const asset = await created.json();
  assertEquals([created.status, asset.width, asset.height], [201, 80, 60]);
  assertEquals((await t.call(secret, "/v1/assets", confirm)).status, 409);
  const served = await (await fetch(asset.url)).bytes();
  await put(started.uploadUrl, "image/jpeg", new Uint8Array(bytes.length));
  assertEquals(await (await fetch(asset.url)).bytes(), served);
  t.turn(2 * HOUR);
  await t.worker.drain();
  assertEquals((await keys(bucket)).map((key) => key.split("/")[0]), ["media"]);
});

s3Test("an upload that nobody confirms is swept from the bucket", async () => {
  const bucket = await freshBucket();
  await using t = await testService({ environ: bucket });
  const { secret } = await t.brand();
  const bytes = await picture();
  const body = { kind: "logo", name: "L", contentType: "image/jpeg", size: bytes.length };
  const started = await (await t.call(secret, "/v1/assets/uploads", { method: "POST", body }))
    .json();
  assertEquals(await put(started.uploadUrl, "image/jpeg", bytes), 200);
  assertEquals(await keys(bucket), [started.key]);
  t.turn(2 * HOUR);
  await t.worker.drain();
  assertEquals(await keys(bucket), []);
});

Deno.test("with a public base address, images have plain, lasting addresses", async () => {
  const storage = storageOf({
    ...ACCESS,
    S3_BUCKET: "b",
    S3_PUBLIC_URL: "https://images.example/",
  });
  assertEquals(await storage.url("media/a.jpg"), "https://images.example/media/a.jpg");
});

Deno.test("a link expires by the service's clock, whatever the store's clock says", async () => {
  const storage = storageOf({ ...ACCESS, S3_BUCKET: "b", S3_REGION: "us-east-1" }, () => NOON);
  const link = { key: "uploads/a.jpg", contentType: "image/jpeg", size: 3 };
  const url = await storage.uploadUrl({ ...link, expiresAt: NOON + 15 * MINUTE });
  assertMatch(url, /X-Amz-Expires=900&/);
  assertMatch(url, /X-Amz-SignedHeaders=content-length%3Bcontent-type%3Bhost/);
  assert(!/checksum/i.test(url), "a checksum in the link would be that of an empty body");
});

Deno.test("a store that does not answer is a 503", async () => {
  const storage = storageOf({
    ...ACCESS,
    S3_BUCKET: "b",
    S3_ENDPOINT: "http://127.0.0.1:9",
    S3_REGION: "us-east-1",
    S3_FORCE_PATH_STYLE: "true",
  });
  const refusal = await assertRejects(() => storage.get("media/a.jpg"), ServiceError);
  assertEquals(refusal.code, "serviceUnavailable");
  const file = { bytes: new Uint8Array(3), contentType: "image/png" };
  await assertRejects(() => storage.put("media/a.jpg", file), Error, "Cannot store image/png");
});
