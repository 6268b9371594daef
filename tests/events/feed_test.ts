/** The feed of events: none is missed, none comes twice, and those who wait are woken. */
import { assert, assertEquals } from "@std/assert";
import { readFeed } from "../../domain/events/feed.ts";
import { DAY } from "../../domain/foundation/calendar.ts";
import { newId } from "../../domain/foundation/ids.ts";
import { emit } from "../../domain/kv/outbox.ts";
import { guardRemote } from "../../domain/kv/remote.ts";
import { Commit, transact } from "../../domain/kv/transact.ts";
import { post } from "../support/creations.ts";
import { hasDenokv, openRemote, startDenokv } from "../support/denokv.ts";
import { NOON, type TestService, testService } from "../support/service.ts";

interface Told {
  id: string;
  type: string;
  createdAt: string;
  brandId: string;
  data: Record<string, unknown>;
}

async function feed(
  t: TestService,
  secret: string,
  query = "",
): Promise<{ data: Told[]; nextAfter: string | null }> {
  const answer = await t.call(secret, `/v1/events${query}`);
  const body = await answer.json();
  assertEquals(answer.status, 200, JSON.stringify(body));
  return body;
}

const names = (events: Told[]) => events.map(({ data }) => data["name"]);

/** An event in a commit of its own, which the caller sends. */
function told(kv: Deno.Kv, brandId: string, name: string, at = NOON): Commit {
  const commit = new Commit(kv);
  emit(commit, { brandId, type: "key.revoked", at, data: { keyId: newId("key", at), name } });
  return commit;
}

async function ordered(kv: Deno.Kv | undefined): Promise<void> {
  await using t = await testService(kv === undefined ? {} : { kv });
  const { brand, secret } = await t.brand();
  const start = (await feed(t, secret)).nextAfter;
  // The first one's id is made first, and its clock is a minute behind, but it is committed last.
  const late = told(t.service.kv, brand.id, "late", NOON - 60_000);
  assert(await told(t.service.kv, brand.id, "one").run());
  const seen = await feed(t, secret, `?after=${start}`);
  assertEquals(names(seen.data), ["one"]);
  assert(await late.run());
  assert(await told(t.service.kv, brand.id, "two").run());
  assertEquals(names((await feed(t, secret, `?after=${seen.nextAfter}`)).data), ["late", "two"]);
  assertEquals(names((await feed(t, secret, `?after=${start}`)).data), ["one", "late", "two"]);
}

Deno.test("a reader never misses an event whose commit was slower than its id", async () => {
  await ordered(undefined);
});

Deno.test({
  name: "it is so over KV Connect, too",
  ignore: !hasDenokv,
  fn: async () => {
    await using denokv = await startDenokv();
    await ordered(guardRemote(await openRemote(denokv.url)));
  },
});

Deno.test("every reader that goes on by nextAfter gets each event once, wherever pages end", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const start = (await feed(t, secret)).nextAfter;
  const wanted: string[] = [];
  for (let n = 0; n < 12; n++) {
    await transact(t.service.kv, (commit) => {
      for (let m = 0; m <= n % 4; m++) {
        const name = `${n}.${m}`;
        wanted.push(name);
        const data = { keyId: newId("key", NOON), name };
        emit(commit, { brandId: brand.id, type: "key.revoked", at: NOON, data });
      }
    });
  }
  for (const limit of [1, 2, 3, 7, 100]) {
    const got: unknown[] = [];
    let after = start;
    for (;;) {
      const page = await feed(t, secret, `?after=${after}&limit=${limit}`);
      if (page.data.length === 0) break;
      assert(page.data.length <= limit);
      got.push(...names(page.data));
      after = page.nextAfter;
    }
    assertEquals(got, wanted, `pages of ${limit}`);
  }
});

Deno.test("types choose; nextAfter is past the others, too", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  await post(t, secret);
  await t.worker.drain();
  const all = (await feed(t, secret)).data;
  assertEquals(all.map(({ type }) => type), ["key.created", "creation.completed"]);
  const some = await feed(t, secret, "?types=key.created,%20key.revoked");
  assertEquals(some.data, all.slice(0, 1));
  assertEquals(some.nextAfter, all[1]?.id);
  const wrong = await t.call(secret, "/v1/events?types=key.created,creation");
  assertEquals(wrong.status, 400);
  assertEquals((await wrong.json()).error.message, "types: names no type of event: creation");
});

Deno.test("a commit that fails leaves no event, and one that is tried again leaves one", async () => {
  await using t = await testService();
  const { kv } = t.service;
  const { brand, secret } = await t.brand();
  const start = (await feed(t, secret)).nextAfter;
  let rounds = 0;
  await transact(kv, async (commit) => {
    await commit.get(["contended"]);
    if (rounds++ === 0) await kv.set(["contended"], 1);
    commit.set(["fact"], rounds);
    const data = { keyId: "key", name: `round ${rounds}` };
    emit(commit, { brandId: brand.id, type: "key.revoked", at: NOON, data });
  });
  await transact(kv, (commit) => {
    emit(commit, {
      ...{ brandId: brand.id, type: "key.revoked", at: NOON },
      data: { keyId: "key", name: "refused" },
    });
    throw new Error("refused");
  }).catch(() => {});
  assertEquals(names((await feed(t, secret, `?after=${start}`)).data), ["round 2"]);
});

Deno.test("a reader that waits is answered when something happens, and only with its own types", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const start = (await feed(t, secret)).nextAfter;
  const waiting = feed(t, secret, `?after=${start}&wait=60&types=creation.completed`);
  assert(await told(t.service.kv, brand.id, "another type").run());
  await post(t, secret);
  await t.worker.drain();
  assertEquals((await waiting).data.map(({ type }) => type), ["creation.completed"]);
  const nothing = await feed(t, secret, `?after=${(await waiting).nextAfter}`);
  assertEquals(nothing, { data: [], nextAfter: (await waiting).nextAfter });
});

Deno.test("a brand reads its own events only; an id of another one, or of none, is refused", async () => {
  await using t = await testService();
  const one = await t.brand();
  const other = await t.brand();
  const { data: [event] } = await feed(t, one.secret);
  assertEquals(event?.brandId, one.brand.id);
  for (const id of [event?.id, newId("event", t.service.now())]) {
    const answer = await t.call(other.secret, `/v1/events?after=${id}`);
    assertEquals(answer.status, 400);
    assertEquals((await answer.json()).error.message, "after: is no event of this brand");
  }
  const answer = await t.call(one.secret, "/v1/events?after=yesterday");
  assertEquals((await answer.json()).error.message, "after: must be the id of an event");
  // Who was away for longer than events are kept goes on with the oldest.
  const old = newId("event", t.service.now() - 31 * DAY).replace(/evt_..../, "evt_01AA");
  assertEquals((await feed(t, one.secret, `?after=${old}`)).data.length, 1);
});

Deno.test("a brand that has many waits already is answered at once; another one still waits", async () => {
  await using t = await testService();
  const [one, other] = [await t.brand(), await t.brand()];
  const end = new AbortController();
  let answered = 0;
  const wait = (brandId: string) =>
    readFeed(
      t.service,
      brandId,
      { after: null, types: ["item.failed"], limit: 1 },
      { waitMs: 60_000, signal: end.signal },
    ).then(() => answered++);
  const all = Array.from({ length: 101 }, () => wait(one.brand.id));
  await Promise.race(all);
  const others = wait(other.brand.id);
  assertEquals(answered, 1);
  end.abort();
  await Promise.all([...all, others]);
  assertEquals(answered, 102);
});
