/** The soak itself: a seed gives the same schedule again, and books that don't add up are found. */
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { readMonth } from "../../domain/brands/meter/meter.ts";
import { creditsKey } from "../../domain/brands/credits.ts";
import { DAY, iso, MINUTE, SECOND } from "../../domain/foundation/calendar.ts";
import { post } from "../support/creations.ts";
import { itemsKit } from "../support/items.ts";
import { testService } from "../support/service.ts";
import { type Books, checkBooks, type Owner } from "./books.ts";
import type { Trouble } from "./chaos.ts";
import { type Attempt, type Deed, Journal } from "./journal.ts";
import { Known } from "./known.ts";
import { drawSchedule, fingerprint } from "./schedule.ts";
import { checkTrail } from "./trail.ts";

Deno.test("a seed draws the same actions and faults again, another seed draws others", () => {
  const drawn = drawSchedule("one", 2 * MINUTE);
  assertEquals(drawSchedule("one", 2 * MINUTE), drawn);
  assertNotEquals(fingerprint(drawSchedule("two", 2 * MINUTE)), fingerprint(drawn));
  for (let seed = 0; seed < 20; seed++) {
    const kinds = drawSchedule(`${seed}`, MINUTE).mishaps.map(({ site, kind }) =>
      `${site} ${kind}`
    );
    assertEquals(new Set(kinds).size, 13, `a minute of seed ${seed} lacks a kind of fault`);
  }
});

/** A brand with two pictures, one of them published, and clients that were told so. */
async function kept(t: Awaited<ReturnType<typeof testService>>) {
  const kit = await itemsKit(t);
  const [picture = ""] = await kit.pictures(1);
  const { creation } = await post(t, kit.secret, { idea: "A boat" });
  await t.worker.drain();
  const { id } = await kit.schedule({
    creationIds: [picture],
    caption: "Boats",
    socialAccountId: kit.account.id,
  });
  t.worker.start();
  assertEquals((await kit.verb(id, "publish")).status, 204);
  await t.worker.stop(0);
  const books: Books = {
    name: "single",
    service: t.service,
    ask: (path, secret) => t.call(secret, path),
  };
  const owner: Owner = {
    known: new Known(kit.brand.id, [kit.account.id]),
    secret: kit.secret,
    accounts: [kit.account],
    granted: 0,
    counted: 0,
  };
  return { ...kit, books, owners: [owner], pictures: [picture, creation.id], itemId: id };
}

Deno.test("the books of a healthy brand add up; a credit, post or picture too many is found", async () => {
  await using t = await testService({ environ: { SANDBOX: "on" } });
  const { kv } = t.service;
  const { books, owners, brand, itemId, pictures } = await kept(t);
  const wrong = async () => (await checkBooks(books, owners)).flatMap((found) => found.wrong);
  assertEquals(await wrong(), []);

  /** Changes a value, looks at the books, and puts it back. */
  const withChange = async (key: Deno.KvKey, change: object): Promise<string> => {
    const { value } = await kv.get<object>(key);
    assert(value !== null, `nothing at ${key}`);
    await kv.set(key, { ...value, ...change });
    const found = (await wrong()).join("\n");
    await kv.set(key, value);
    return found;
  };
  assertMatch(await withChange(creditsKey(brand.id, t.service.now()), { used: 3 }), /3 spent/);
  const slot = ["slot", brand.id, "none", itemId];
  const lost = await withChange(slot, { externalPostId: "another" });
  assertMatch(lost, /is public, and no post of ours/);
  assertMatch(lost, /published as another, not public/);
  assertMatch(await withChange(slot, { status: "publishing" }), /is stuck/);
  const overdue = { status: "ready", scheduledFor: iso(t.service.now() - DAY) };
  assertMatch(await withChange(slot, overdue), /is ready since/);
  const stale = { at: iso(t.service.now()), by: "Ann", contentHash: "of another text" };
  const waiting = await withChange(slot, { ...overdue, needsApproval: true, approval: stale });
  assertEquals(/is ready since/.test(waiting), false);
  const [one = "", other = ""] = pictures;
  const picture = (id: string) => ["creation", brand.id, id];
  assertMatch(await withChange(picture(other), { status: "pending" }), /still pending/);
  assertMatch(await withChange(picture(one), { creditCost: 2 }), /cost 2 instead of 1/);
  assertMatch(await withChange(picture(one), { rawKey: "media/gone.jpg" }), /lost its file/);
  assertEquals(await wrong(), []);
});

Deno.test("a lost or doubled audit row, count or failure without a fault is found", async () => {
  await using t = await testService({ environ: { SANDBOX: "on" } });
  const { books, owners, brand, pictures } = await kept(t);
  const deed = (
    action: Deed["action"],
    subject: string | null,
    done: Deed["done"] = "yes",
  ): Deed => ({
    ...{ site: "single", brandId: brand.id, act: "act", action, subject, done, again: null },
    told: [],
  });
  const attempt = (
    status: number,
    sentAt: number,
    metered: Attempt["metered"] = "no",
  ): Attempt => ({
    ...{ site: "single", brandId: brand.id, role: "agent", act: "act", code: null, message: null },
    ...{ status, sentAt, endedAt: sentAt + 10, metered, served: false, needs: null },
  });
  const made = pictures.map((id) => deed("creation.created", id));
  const kill: Trouble = { site: "single", kind: "kill", from: 5 * SECOND, to: 6 * SECOND };
  const [owner] = owners;
  /** Pretends that the clients have sent one counted request since they began. */
  const counted = async (): Promise<Attempt[]> => {
    // The checks look twice at each brand, here only once.
    owner!.counted = await readMonth(t.service.kv, brand.id, t.service.now()) - 2;
    return [attempt(200, 0, "yes")];
  };
  const wrongOf = async (deeds: Deed[], attempts: Attempt[], trouble = kill): Promise<string> => {
    const journal = new Journal();
    journal.deeds.push(...deeds);
    journal.attempts.push(...attempts);
    const found = await checkTrail(books, owners, journal, [trouble]);
    return found.flatMap(({ wrong }) => wrong).join("\n");
  };
  assertEquals(await wrongOf(made, await counted()), "");
  assertMatch(
    await wrongOf([...made, deed("creation.created", null)], await counted()),
    /0 rows creation/,
  );
  assertMatch(
    await wrongOf(made.slice(1), await counted()),
    /1 rows creation.created that no answer/,
  );
  assertEquals(
    await wrongOf([...made, deed("series.created", null, "maybe")], await counted()),
    "",
  );
  assertMatch(await wrongOf(made, (await counted()).slice(1)), /counted, must be/);
  assertEquals(await wrongOf(made, [...await counted(), attempt(503, 7 * SECOND)]), "");
  assertMatch(
    await wrongOf(made, [...await counted(), attempt(503, 60 * SECOND)]),
    /sent at 60.0 s got 503/,
  );
  assertMatch(await wrongOf(made, [...await counted(), attempt(0, SECOND)]), /got 0/);

  const lost = (from: number, to: number): Trouble => ({ site: "single", kind: "lost", from, to });
  const served = async () => [...await counted(), { ...attempt(503, 4 * SECOND), served: true }];
  assertEquals(await wrongOf(made, await served(), lost(0, 3 * SECOND)), "");
  const brief = await wrongOf(made, await served(), lost(3 * SECOND, 4 * SECOND));
  assertMatch(brief, /got 503 at 4.0 s: null; before it lost from 3.0 s to 4.0 s/);
});
