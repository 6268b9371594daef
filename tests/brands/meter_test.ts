/** The meter's promises: exact under any concurrency, across keys and processes. */
import { assert, assertEquals } from "@std/assert";
import { HOUR } from "../../domain/foundation/calendar.ts";
import { hashSecret } from "../../domain/brands/keys.ts";
import { Meter } from "../../domain/brands/meter/meter.ts";
import { admin, startProcess } from "../support/process.ts";
import { type TestBrand, testService } from "../support/service.ts";

Deno.test("of 64 simultaneous requests of a brand, exactly its plan's number per second is admitted", async () => {
  await using t = await testService();
  const { secret } = await t.brand("studio");
  for (let round = 0; round < 5; round++) {
    t.turn(1_000);
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => t.request(secret, "/v1/posts")),
    );
    const admitted = answers.filter((answer) => answer.status === 200);
    assertEquals(admitted.length, 20);
    const left = admitted.map((answer) => Number(answer.headers.get("x-ratelimit-remaining")));
    assertEquals(left.toSorted((a, b) => a - b), Array.from({ length: 20 }, (_, n) => n));
  }
  const last = await t.call(secret, "/v1/posts");
  assertEquals(last.headers.get("x-quota-remaining"), String(250_000 - 5 * 20 - 1));
});

Deno.test("a clock that jumped an hour ahead locks no brand out once it is right again", async () => {
  await using t = await testService();
  const { secret } = await t.brand("free");
  t.turn(HOUR);
  const ahead = [await t.request(secret, "/v1/posts"), await t.request(secret, "/v1/posts")];
  assertEquals(ahead.map(({ status }) => status), [200, 429]);
  t.turn(-HOUR);
  const right = await t.request(secret, "/v1/posts");
  assertEquals([right.status, right.headers.get("x-quota-remaining")], [200, "498"]);
  assertEquals((await t.request(secret, "/v1/posts")).status, 429);
});

Deno.test("a clock some seconds ahead of another shares its window, so the limit holds", async () => {
  await using t = await testService();
  const { secret } = await t.brand("free");
  t.turn(4_000);
  assertEquals((await t.request(secret, "/v1/posts")).status, 200);
  t.turn(-4_000);
  assertEquals((await t.request(secret, "/v1/posts")).status, 429);
});

Deno.test("many brands at once are counted separately", async () => {
  await using t = await testService();
  const brands = await Promise.all(Array.from({ length: 60 }, () => t.brand("free")));
  const answers = await Promise.all(
    brands.flatMap(({ secret }) => [1, 2, 3].map(() => t.request(secret, "/v1/posts"))),
  );
  assertEquals(answers.filter((answer) => answer.status === 200).length, 60);
  assertEquals(answers.filter((answer) => answer.status === 429).length, 120);
});

Deno.test("brands in use stay cached while others come and go", async () => {
  await using t = await testService();
  const { kv, now } = t.service;
  const meter = new Meter(kv, now, { cached: 100 });
  const admit = ({ secret }: TestBrand) => meter.admit(secret, "request");
  const brands = await Promise.all(Array.from({ length: 200 }, () => t.brand("studio")));
  const [used, met] = [brands.slice(0, 50), brands.slice(50)];
  await Promise.all(used.map(admit));
  for (let at = 0; at < met.length; at += 10) {
    const strange = met.slice(at, at + 10);
    // New keys are hashed before they join a commit: the known ones wait as long, to share it.
    const hashed = Promise.all(strange.map(({ secret }) => hashSecret(secret)));
    const [, known] = await Promise.all([
      Promise.all(strange.map(admit)),
      hashed.then(() => Promise.all(used.map(admit))),
    ]);
    assertEquals(known.map(({ caller }) => caller.brand.id), used.map(({ brand }) => brand.id));
  }
});

Deno.test("a burst by several keys to two processes is admitted and counted at exactly 20 a second", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-test-" });
  const brand = await admin(dataDir, ["brand", "create", "--name", "B", "--plan", "studio"]);
  const secrets: string[] = [];
  for (let n = 0; n < 4; n++) {
    const args = ["key", "create", "--brand", brand.id, "--scopes", "postsRead"];
    secrets.push((await admin(dataDir, args)).secret);
  }
  await using first = await startProcess({ dataDir });
  await using second = await startProcess({ dataDir });
  const answers = await Promise.all(Array.from({ length: 200 }, async (_, n) => {
    const { url } = n % 2 === 0 ? first : second;
    const headers = { authorization: `Bearer ${secrets[n % secrets.length]}` };
    const answer = await fetch(`${url}/v1/posts`, { headers });
    await answer.body?.cancel();
    return answer;
  }));
  // The burst may straddle two windows on a busy machine; each must be exact.
  const windows = Map.groupBy(answers, (answer) => answer.headers.get("x-ratelimit-reset"));
  let admitted = 0;
  for (const [, inWindow] of windows) {
    const ok = inWindow.filter((answer) => answer.status === 200).length;
    assertEquals(ok, Math.min(20, inWindow.length));
    admitted += ok;
  }
  assert(admitted < 200, "the burst never met the limit");
  const left = answers.map((answer) => Number(answer.headers.get("x-quota-remaining")));
  assertEquals(Math.min(...left), 250_000 - admitted);
  await Promise.all([first.stop(), second.stop()]);
  await Deno.remove(dataDir, { recursive: true });
});

Deno.test("a key that another process revokes is refused in the very next request", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-test-" });
  await using service = await startProcess({ dataDir });
  const brand = await admin(dataDir, ["brand", "create", "--name", "B", "--plan", "studio"]);
  const args = ["key", "create", "--brand", brand.id, "--scopes", "postsRead"];
  const key = await admin(dataDir, args);
  const status = async () => {
    const headers = { authorization: `Bearer ${key.secret}` };
    const answer = await fetch(`${service.url}/v1/posts`, { headers });
    await answer.body?.cancel();
    return answer.status;
  };
  assertEquals(await status(), 200);
  await admin(dataDir, ["key", "revoke", "--id", key.id]);
  assertEquals(await status(), 401);
  await service.stop();
  await Deno.remove(dataDir, { recursive: true });
});
