/** A store over the network: each commit happens once, and a store that is away holds nobody up. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createApiKey } from "../../domain/brands/keys.ts";
import { grantCredits } from "../../domain/brands/credits.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { guardRemote } from "../../domain/kv/remote.ts";
import { transact } from "../../domain/kv/transact.ts";
import { post, used } from "../support/creations.ts";
import { hasDenokv, openRemote, startDenokv } from "../support/denokv.ts";
import { KvProxy } from "../support/kv_proxy.ts";
import { type Lossy, lossyKv } from "../support/lossy_kv.ts";
import { pass, seriesKit, truth } from "../support/series.ts";
import { NOON, type TestService, testService } from "../support/service.ts";

const ALL = 100_000;

/** A service on a store that loses answers. */
async function lossyService(): Promise<{ t: TestService; lossy: Lossy }> {
  const lossy = lossyKv(await Deno.openKv(":memory:"));
  const t = await testService({ kv: guardRemote(lossy.kv) });
  return { t, lossy };
}

/** Makes pictures, keys and a published post; every effect is to be there once. */
async function tellStory(t: TestService): Promise<void> {
  const kit = await seriesKit(t);
  const { kv } = t.service;
  const before = (await (await t.call(kit.secret, "/v1/credits")).json()).allowance;
  await grantCredits(t.service, kit.brand, 5);
  for (let n = 0; n < 6; n++) assertEquals((await post(t, kit.secret)).status, 202);
  await t.worker.drain();
  const { data } = await (await t.call(kit.secret, "/v1/creations")).json();
  assertEquals(data.length, 6);
  assert(data.every(({ status }: { status: string }) => status === "complete"));
  assertEquals(await used(t, kit.secret), 6);
  const after = await (await t.call(kit.secret, "/v1/credits")).json();
  assertEquals(after.allowance, before + 5);

  await createApiKey(t.service, {
    brandId: kit.brand.id,
    scopes: ["postsRead"],
    name: "one",
  });
  const keys = await Array.fromAsync(kv.list({ prefix: ["brandKey", kit.brand.id] }));
  assert(keys.length === 0 || keys.length === 2);

  const account = await kit.connect();
  const { id } = await kit.create({ socialAccountId: account.id });
  await pass(t);
  const [item] = await kit.items(id);
  assertEquals(item.creations.length, 1);
  t.worker.start();
  assertEquals((await kit.act(id, item.id, "publish")).status, 204);
  assertEquals((await truth(t, "instagram", "bakery", NOON)).length, 1);
  assertEquals(await used(t, kit.secret), 7);
}

Deno.test("where every answer is lost after the write, each effect is there once", async () => {
  const { t, lossy } = await lossyService();
  await using _ = t;
  lossy.lose = ALL;
  await tellStory(t);
  assert(lossy.lost > 60, `only ${lossy.lost} answers were lost`);
});

Deno.test("requests whose commit's answer is lost are counted once", async () => {
  const { t, lossy } = await lossyService();
  await using _ = t;
  const { secret } = await t.brand("studio");
  lossy.lose = ALL;
  for (let n = 1; n <= 20; n++) {
    const answer = await t.call(secret, "/v1/posts");
    assertEquals(answer.headers.get("x-quota-remaining"), String(250_000 - n));
  }
  t.turn(1_000);
  const burst = await Promise.all(
    Array.from({ length: 60 }, () => t.request(secret, "/v1/posts")),
  );
  assertEquals(burst.filter(({ status }) => status === 200).length, 20);
  assert(lossy.lost >= 21);
});

Deno.test("a key that is new to the process waits for its brand's commit, whose answer may be lost", async () => {
  const { t, lossy } = await lossyService();
  await using _ = t;
  const { brand, secret } = await t.brand("studio");
  const other = (await t.key(brand.id, ["postsRead"])).secret;
  await (await t.call(secret, "/v1/posts")).body?.cancel();
  lossy.lose = 1;
  const sent = lossy.sent;
  // The repeat comes after the other key's commit, if there is one at the same time.
  lossy.between = async () => {
    for (let look = 0; look < 50 && lossy.sent < sent + 2; look++) {
      await new Promise((done) => setTimeout(done, 5));
    }
  };
  const answers = await Promise.all([
    t.call(secret, "/v1/posts"),
    lossyPause().then(() => t.call(other, "/v1/posts")),
  ]);
  assertEquals([answers.map(({ status }) => status), lossy.lost], [[200, 200], 1]);
  const last = await t.call(secret, "/v1/posts");
  assertEquals(last.headers.get("x-quota-remaining"), String(250_000 - 4));
});

/** Lets the first request's commit be on its way. */
const lossyPause = () => new Promise((done) => setTimeout(done, 20));

Deno.test("a commit that only writes takes effect once, a repeated sum included", async () => {
  const lossy = lossyKv(await Deno.openKv(":memory:"));
  const kv = guardRemote(lossy.kv);
  lossy.lose = ALL;
  let attempts = 0;
  await transact(kv, async (commit) => {
    attempts++;
    commit.set(["n"], (await commit.get<number>(["n"]) ?? 0) + 1);
  });
  assertEquals([(await kv.get<number>(["n"])).value, attempts], [1, 1]);
  kv.close();
});

Deno.test("while the store is away a call ends at its deadline, and the next ones at once", async () => {
  const lossy = lossyKv(await Deno.openKv(":memory:"));
  const kv = guardRemote(lossy.kv, { deadlineMs: 300 });
  const write = (value: string) => transact(kv, (commit) => commit.set(["late"], value));
  await write("before");
  lossy.away = true;
  const refused = await assertRejects(() => write("while away"), ServiceError);
  assertEquals([refused.code, refused.retryAfter], ["serviceUnavailable", 2]);
  const startedAt = performance.now();
  await assertRejects(() => kv.get(["late"]), ServiceError);
  assert(performance.now() - startedAt < 250, "a store known to be away is not waited for");
  lossy.away = false;
  while (await kv.get(["late"]).then(() => false, () => true)) {
    await new Promise((done) => setTimeout(done, 5));
  }
  await write("after");
  assertEquals((await kv.get(["late"])).value, "after");
  kv.close();
});

Deno.test("a commit checks at most nine values, on every store", async () => {
  const kv = await Deno.openKv(":memory:");
  const read = (count: number) =>
    transact(kv, async (commit) => {
      await commit.getMany(Array.from({ length: count }, (_, n) => ["value", n]));
      commit.set(["done"], true);
    });
  await read(9);
  await assertRejects(() => read(10), Error, "checks more than 9 values");
  kv.close();
});

Deno.test({
  name: "over KV Connect the story holds while answers are lost, and fifty brands come at once",
  ignore: !hasDenokv,
  async fn() {
    await using denokv = await startDenokv();
    await using proxy = new KvProxy(denokv.url);
    await using t = await testService({
      // A thousand requests at once may take a loaded machine longer than a call's usual deadline.
      kv: guardRemote(await openRemote(proxy.url), { deadlineMs: 60_000 }),
    });
    const brands = await Promise.all(Array.from({ length: 50 }, () => t.brand("studio")));
    const answers = await Promise.all(
      brands.flatMap(({ secret }) =>
        Array.from({ length: 20 }, () => t.request(secret, "/v1/posts"))
      ),
    );
    const statuses = answers.map(({ status }) => status);
    assertEquals(statuses.filter((status) => status !== 200), []);
    // The client waits 200 ms before it sends a commit again, so not all of them are lost here.
    const losing = setInterval(() => proxy.lose(1), 400);
    await tellStory(t).finally(() => clearInterval(losing));
    assert(proxy.lost > 0);
  },
});
