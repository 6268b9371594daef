/** Images and files from outside: brands take turns, and nothing waits or is held without bound. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { takeIn } from "../../domain/media/images/intake.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { readDownload } from "../../domain/media/net/download.ts";
import { picture } from "../support/pictures.ts";
import { post } from "../support/uploads.ts";
import { testService } from "../support/service.ts";

const busy = (work: () => Promise<unknown>) =>
  assertRejects(work, ServiceError).then(({ code }) => assertEquals(code, "serviceUnavailable"));

/** More pixels than an ordinary image, and hardly a byte. */
async function largeImage(): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const create = { width: 2_100, height: 2_100, channels: 3, background: "white" } as const;
  return new Uint8Array(await sharp({ create }).png().toBuffer());
}

Deno.test("a brand's images are read one after the other, and no other brand waits for them", async () => {
  const small = await picture();
  const gate = Promise.withResolvers<void>();
  let reads = 0;
  const slow = async () => {
    reads++;
    await gate.promise;
    return small;
  };
  const pile = Array.from({ length: 13 }, () => takeIn("a", slow));
  await busy(() => takeIn("a", slow));
  assertEquals((await takeIn("b", () => Promise.resolve(small))).width, 64);
  assertEquals(reads, 1, "bytes are held before their turn");
  gate.resolve();
  assertEquals((await Promise.all(pile)).length, 13);
});

Deno.test("ordinary images don't wait for large ones, whosever those are", async () => {
  const [small, large] = [await picture(), await largeImage()];
  const gate = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  let decoding = 0;
  /** The second read is the one for which the image has its turn among the large ones. */
  const reader = () => {
    let reads = 0;
    return async () => {
      if (++reads === 1) return large;
      if (++decoding === 2) second.resolve();
      await gate.promise;
      return large;
    };
  };
  const pile = ["a", "a", "a", "c", "c", "d"].map((brand) => takeIn(brand, reader()));
  await second.promise;
  for (const brand of ["b", "a"]) {
    assertEquals((await takeIn(brand, () => Promise.resolve(small))).width, 64);
  }
  assertEquals(decoding, 2, "large images decoded at once");
  gate.resolve();
  for (const { width } of await Promise.all(pile)) assertEquals(width, 2_100);
});

Deno.test("a brand fetches 4 files at once, all brands 16, and what can't wait is asked to come back", async () => {
  let [inFlight, most] = [0, 0];
  const gate = Promise.withResolvers<void>();
  const image = await picture();
  await using t = await testService({
    dependencies: {
      fetchPublic: async () => {
        most = Math.max(most, ++inFlight);
        await gate.promise;
        inFlight--;
        return image;
      },
    },
  });
  const body = { kind: "inspiration", name: "A", sourceUrl: "https://example.com/a.jpg" };
  const add = async (secret: string) => {
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    t.turn(1_000);
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await t.app.request("/v1/assets", init);
    const { error } = await answer.json();
    return { status: answer.status, code: error?.code, wait: answer.headers.get("retry-after") };
  };
  const refused = { status: 503, code: "serviceUnavailable", wait: "5" };
  const { secret } = await t.brand();
  const own = Array.from({ length: 12 }, () => add(secret));
  while (inFlight < 4) await new Promise((done) => setTimeout(done, 1));
  const others: Promise<unknown>[] = [];
  for (let brand = 0; brand < 4; brand++) {
    const { secret } = await t.brand();
    for (let at = 0; at < 4; at++) others.push(add(secret));
  }
  while (inFlight < 16) await new Promise((done) => setTimeout(done, 1));
  const late = add(secret);
  assertEquals(await late, refused);
  gate.resolve();
  await Promise.all([...own, ...others]);
  assertEquals(most, 16);
  const one = await post(t, secret, "/v1/assets", body);
  assertEquals(one.status, 201);
});

Deno.test("files that are being fetched hold at most 64 MB together", async () => {
  const gate = Promise.withResolvers<void>();
  const most = 10 * 1024 * 1024;
  async function* stalling() {
    yield new Uint8Array(most - 1);
    await gate.promise;
    yield new Uint8Array(1);
  }
  const reading = Array.from({ length: 6 }, () => readDownload(most, stalling()));
  await new Promise((done) => setTimeout(done));
  await busy(() => readDownload(most, stalling()));
  gate.resolve();
  for (const bytes of await Promise.all(reading)) assertEquals(bytes?.length, most);
  assertEquals((await readDownload(most, stalling()))?.length, most);
  async function* drops() {
    for (let at = 0; at < 300; at++) yield Uint8Array.of(at);
  }
  assertEquals((await readDownload(300, drops()))?.at(-1), 299 % 256);
  assert(await readDownload(299, drops()) === null);
});
