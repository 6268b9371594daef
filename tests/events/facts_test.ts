/** Every type of event happens when its fact does, and says what the reference says it does. */
import { assert, assertEquals } from "@std/assert";
import { creditAlert } from "../../domain/events/alerts.ts";
import { debitCredits } from "../../domain/brands/credits.ts";
import { revokeApiKey } from "../../domain/brands/keys.ts";
import { DAY, HOUR, iso, MINUTE } from "../../domain/foundation/calendar.ts";
import { EVENT_KINDS, EventType, type StoredEvent } from "../../domain/kv/event_types.ts";
import { transact } from "../../domain/kv/transact.ts";
import { connectAccount } from "../../domain/platforms/accounts.ts";
import { PlatformError } from "../../domain/platforms/contract/wire.ts";
import { accountFault, noteHealthy } from "../../domain/platforms/health.ts";
import { crossesAge, tellStandings } from "../../domain/platforms/standing_events.ts";
import type { IncomingPost } from "../../domain/posts/shape.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { runPass } from "../../jobs/passes.ts";
import { Worker } from "../../jobs/worker.ts";
import { HANDLERS } from "../../jobs/handlers.ts";
import { breakable, post, read } from "../support/creations.ts";
import { itemsKit } from "../support/items.ts";
import { AUTOPILOT, seriesKit } from "../support/series.ts";
import { type TestService, testService } from "../support/service.ts";

/** Types that a test below has met. */
const met = new Set<string>();

/** Reads what happened since the last call, and holds it against its shape. */
function reading(t: TestService, secret: string) {
  let after = "";
  return async (): Promise<StoredEvent[]> => {
    const from = after === "" ? "" : `&after=${after}`;
    const answer = await t.call(secret, `/v1/events?limit=100${from}`);
    const { data, nextAfter } = await answer.json();
    after = nextAfter ?? after;
    for (const { type, data: told } of data) {
      met.add(type);
      const shape = EVENT_KINDS[type as EventType].data;
      assertEquals(shape.strict().safeParse(told).error?.issues ?? [], [], type);
    }
    return data;
  };
}

const types = (events: StoredEvent[]) => events.map(({ type }) => type);

Deno.test("images: completed or failed, for nobody or for a scheduled post", async () => {
  const { broken, imageModel } = breakable();
  broken.now = false;
  await using t = await testService({ environ: { SANDBOX: "on" }, dependencies: { imageModel } });
  const kit = await seriesKit(t);
  const news = reading(t, kit.secret);
  const { creation } = await post(t, kit.secret);
  await t.worker.drain();
  broken.now = true;
  const failing = await post(t, kit.secret);
  await t.worker.drain();
  const [, done, failed] = await news();
  const nobody = { itemId: null, seriesId: null };
  assertEquals(done?.data, { creationId: creation.id, ...nobody });
  const { error } = await read(t, kit.secret, failing.creation.id);
  assertEquals(failed?.data, { creationId: failing.creation.id, ...nobody, error });
  broken.now = false;
  const series = await kit.create();
  await kit.pass();
  const made = (await news()).find(({ type }) => type === "creation.completed");
  const [item] = await kit.items(series.id);
  assertEquals(made?.data, {
    ...{ creationId: item.creations[0].id, itemId: item.id, seriesId: series.id },
  });
});

Deno.test("scheduled posts: planned, ready, approved, published; failed and held", async () => {
  await using t = await testService({ environ: { SANDBOX: "on" } });
  const kit = await itemsKit(t);
  const news = reading(t, kit.secret);
  const creationIds = await kit.pictures(2);
  await news();
  const socialAccountId = kit.account.id;
  const fields = { caption: "Fresh bread.", needsApproval: true, socialAccountId };
  const one = await kit.schedule({ ...fields, creationIds: creationIds.slice(0, 1) });
  const planned = await news();
  assertEquals(types(planned), ["item.planned", "item.ready"]);
  assertEquals(planned[1]?.data, {
    ...{ itemId: one.id, seriesId: null, status: "ready", scheduledFor: one.scheduledFor },
    ...{ format: "post", creationIds: creationIds.slice(0, 1) },
  });
  assertEquals((await kit.verb(one.id, "approve")).status, 200);
  assertEquals((await kit.verb(one.id, "caption")).status, 200);
  const [approved, ...more] = await news();
  assertEquals([approved?.type, approved?.data["approvedBy"], more], ["item.approved", "test", []]);

  const worker = new Worker(t.service, HANDLERS);
  worker.start();
  assertEquals((await kit.verb(one.id, "publish")).status, 204);
  const other = await kit.schedule({ ...fields, creationIds: creationIds.slice(1) });
  const fault = { operation: "publish", fault: "permission", times: 1 };
  await kit.call("POST", "/sandbox/instagram/faults", fault);
  const refused = await kit.verb(other.id, "publish");
  assert(refused.status >= 400, `${refused.status}`);
  await worker.stop(0);
  const told = await news();
  assertEquals(types(told).filter((type) => type.startsWith("item")), [
    ...["item.published", "item.planned", "item.ready", "item.failed", "item.held"],
  ]);
  const published = told.find(({ type }) => type === "item.published");
  const shown = await kit.item(one.id);
  assertEquals([published?.data["url"], published?.data["platform"]], [shown.url, "instagram"]);
  const failed = told.find(({ type }) => type === "item.failed");
  const held = told.find(({ type }) => type === "item.held");
  const { code: _, message: __, ...rest } = failed!.data;
  assertEquals(rest, held?.data);
  assertEquals(held?.data["heldFor"], "refused");
});

Deno.test("series: what is planned, what misses its images, and each review", async () => {
  await using t = await testService({ environ: { SANDBOX: "on" } });
  const kit = await seriesKit(t);
  const news = reading(t, kit.secret);
  await kit.create();
  await news();
  await kit.pass();
  const planned = (await news()).filter(({ type }) => type === "item.planned");
  assert(planned.length > 5, "a series plans many posts in one commit, each with its event");
  const autopilot = await kit.create({ ...AUTOPILOT });
  const review = await kit.call("POST", `/v1/series/${autopilot.id}/reviews`);
  assertEquals(review.status, 201);
  const created = (await news()).find(({ type }) => type === "review.created");
  assertEquals(created?.data, { reviewId: review.body.id, seriesId: autopilot.id });
});

Deno.test("accounts: soon to be connected again, then at once; each once", async () => {
  await using t = await testService({ environ: { SANDBOX: "on" } });
  const { brand, secret } = await t.brand();
  const { service } = t;
  const news = reading(t, secret);
  const end = service.now() + 30 * DAY;
  const account = await connectAccount(service, brand.id, {
    ...{ platform: "linkedin", kind: "organization", handle: "acme", externalId: "urn:li:org:1" },
  }, {
    ...{ access: "a", issuedAt: service.now(), accessExpiresAt: end },
    ...{ refresh: null, refreshExpiresAt: null },
  });
  await news();
  await noteHealthy(service, account);
  assertEquals(await news(), []);
  t.turn(24 * DAY);
  for (let n = 0; n < 2; n++) await noteHealthy(service, account);
  const about = { accountId: account.id, platform: "linkedin", handle: "acme" };
  const [expiring, ...none] = await news();
  assertEquals([expiring?.type, none], ["account.expiring", []]);
  assertEquals(expiring?.data, { ...about, expiresAt: account.tokenExpiresAt });
  const dead = new PlatformError("tokenDead", "The session has expired");
  for (let n = 0; n < 2; n++) await accountFault(service, account, "metrics", dead, null);
  const [reconnect, ...more] = await news();
  assertEquals([reconnect?.type, more], ["account.reconnect", []]);
  assertEquals(Object.keys(reconnect?.data ?? {}), [...Object.keys(about), "error"]);
});

Deno.test("posts: those of the last week that were found, each once", async () => {
  await using t = await testService({ environ: { SANDBOX: "on" } });
  const kit = await seriesKit(t);
  const news = reading(t, kit.secret);
  await kit.connect();
  await runPass(t.service, t.worker, "metrics");
  const found = (await news()).filter(({ type }) => type === "post.discovered");
  const { data } = await (await t.call(kit.secret, "/v1/posts?perPage=100")).json();
  const since = t.service.now() - 7 * DAY;
  const young = data.filter(({ publishedAt }: { publishedAt: string }) =>
    Date.parse(publishedAt) >= since
  );
  assert(young.length > 0 && young.length < data.length);
  assertEquals(
    found.map(({ data }) => data["postId"]).toSorted(),
    young.map(({ id }: { id: string }) => id).toSorted(),
  );
  t.turn(HOUR + MINUTE);
  await runPass(t.service, t.worker, "metrics");
  const again = (await news()).filter(({ type }) => type === "post.discovered");
  assert(again.every(({ data }) => !found.some((one) => one.data["postId"] === data["postId"])));
});

Deno.test("credits at 80 % and at the end, keys when made and revoked", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const news = reading(t, secret);
  const spend = (count: number) =>
    transact(t.service.kv, async (commit) => {
      const debit = await debitCredits(commit, brand, t.service.now(), count);
      await creditAlert(t.service, commit, brand, debit);
    });
  for (const count of [1_599, 1, 399, 1]) await spend(count);
  const [made, low, exhausted] = await news();
  assertEquals(low?.data, {
    ...{ allowance: 2_000, used: 1_600, remaining: 400, renewsAt: "2026-12-01T00:00:00.000Z" },
  });
  assertEquals([exhausted?.type, exhausted?.data["remaining"]], ["credits.exhausted", 0]);
  const { keyId } = await t.key(brand.id, ["createRead"]);
  for (let n = 0; n < 2; n++) await revokeApiKey(t.service, keyId);
  assertEquals((await news()).map(({ type, data }) => [type, data]), [
    ["key.created", { keyId, name: "test", scopes: ["createRead"] }],
    ["key.revoked", { keyId, name: "test" }],
  ]);
  assertEquals(made?.type, "key.created");
});

Deno.test("young posts that stand out, high or low, each once; ordinary and old ones are not told of", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const news = reading(t, secret);
  await news();
  const at = t.service.now();
  const old = Array.from(
    { length: 12 },
    (_, n) => numbered(`old${n}`, at - (n + 5) * DAY, 100 + n),
  );
  const young = [
    numbered("star", at - 25 * HOUR, 900),
    numbered("flop", at - 25 * HOUR, 2),
    numbered("plain", at - 25 * HOUR, 105),
  ];
  await upsertPosts(t.service, brand.id, [...old, ...young]);
  const after = ({ publishedAt }: IncomingPost, hours: number) =>
    iso(Date.parse(publishedAt) + hours * HOUR);
  const look = (before: number) =>
    tellStandings(
      t.service,
      brand.id,
      [
        ...old.map((post) => ({ post, before: after(post, 90), now: iso(at) })),
        ...young.map((post) => ({ post, before: after(post, before), now: after(post, 24.5) })),
      ].filter(crossesAge),
    );
  await look(24.1);
  assertEquals(await news(), [], "none of the ages at which posts are looked at was passed");
  for (let n = 0; n < 2; n++) await look(20);
  const told = await news();
  assertEquals(types(told), ["post.standing", "post.standing"]);
  const { data } = await (await t.call(secret, "/v1/posts?perPage=100")).json();
  const idOf = (name: string) =>
    data.find(({ url }: { url: string }) => url.endsWith(`/${name}`)).id;
  assertEquals(told.map(({ data }) => [data["postId"], data["standing"]]), [
    [idOf("star"), "high"],
    [idOf("flop"), "low"],
  ]);
  const { percentile, among } = await (await t.call(secret, `/v1/posts/${idOf("star")}/standing`))
    .json();
  assertEquals([told[0]?.data["percentile"], told[0]?.data["among"]], [percentile, among]);
});

/** A post with so many likes a day after publication, read at four ages. */
function numbered(name: string, published: number, likes: number): IncomingPost {
  const readings = [3, 12, 24, 24.5].map((age) => ({
    ...{ views: 0, impressions: likes * 10, reach: null, comments: 0, shares: 0, saves: null },
    ...{ clicks: null, likes: Math.round(likes * Math.min(1, age / 24)) },
    capturedAt: iso(published + age * HOUR),
  }));
  return {
    ...{ externalId: name, platform: "linkedin", format: "image", title: null, caption: "Bread" },
    ...{ url: `https://posts.example/${name}`, hashtags: [], thumbnailUrl: null, mediaUrls: [] },
    ...{ publishedAt: iso(published), readings },
  };
}

Deno.test("no type was left out", () => {
  assertEquals(EventType.options.filter((type) => !met.has(type)), []);
});
