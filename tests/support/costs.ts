/** What the service asks of its store for the things that a brand does, measured in process. */
import { DAY, iso, MINUTE } from "../../domain/foundation/calendar.ts";
import { connectHandle } from "../../domain/platforms/sandbox/handles.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { connectAccount } from "../../domain/platforms/accounts.ts";
import { PATIENCE } from "../../domain/service/build.ts";
import { addFirstPages } from "../../jobs/pass_pages.ts";
import { madePosts } from "./corpus.ts";
import { countCalls, type KvCalls } from "./kv_calls.ts";
import { type TestService, testService } from "./service.ts";
import { storeSeries } from "./stored_series.ts";

/** Of one thing: calls to the store, and the values and bytes that they move. */
export interface Cost extends Omit<KvCalls, "rounds"> {
  name: string;
}

const POSTS = 100;
const SERIES = 20;
const ACCOUNT_POSTS = 50;

export async function measureCosts(): Promise<Cost[]> {
  return [...await requests(), ...await seriesPasses(), ...await metricsPasses()];
}

async function requests(): Promise<Cost[]> {
  await using t = await testService({ dependencies: { patience: PATIENCE } });
  const { brand, secret } = await t.brand();
  await upsertPosts(t.service, brand.id, madePosts(POSTS));
  const read = (path: string) => async () => {
    await (await t.call(secret, path)).body?.cancel();
  };
  const order = async () => {
    const body = { prompt: "A quiet harbour at dawn", idea: "harbour", aspectRatio: "square" };
    const { id } = await (await t.call(secret, "/v1/creations", { method: "POST", body })).json();
    await t.worker.drain();
    await read(`/v1/creations/${id}`)();
  };
  // The first answer comes from the store, the second builds the index.
  for (let n = 0; n < 3; n++) await read("/v1/posts")();
  const measure = measuring(t);
  const list = await measure("a read: `GET /v1/posts`", read("/v1/posts"));
  await order();
  return [list, await measure("an image: ordered, made, looked at", order)];
}

async function seriesPasses(): Promise<Cost[]> {
  await using t = await testService({ dependencies: { patience: PATIENCE } });
  const { brand } = await t.brand();
  for (let n = 0; n < SERIES; n++) {
    await storeSeries(t.service, brand.id, {
      ...{ mode: "manual", theme: "Bread", goal: null, format: "post", formats: [] },
      // The next post is in two days, so no image is due.
      ...{ cadenceDays: 3, createdAt: iso(t.service.now() - DAY) },
    });
  }
  const pass = () => runUnpolled(t, "series");
  await pass();
  t.turn(15 * MINUTE);
  const measure = measuring(t);
  return [
    shared(await measure("a series pass without anything to do, for each series", pass), SERIES),
  ];
}

async function metricsPasses(): Promise<Cost[]> {
  await using t = await testService({
    environ: { SANDBOX: "on" },
    dependencies: { patience: PATIENCE },
  });
  const { kv, now } = t.service;
  const { brand } = await t.brand();
  const handle = { seeded: ACCOUNT_POSTS };
  const grant = await connectHandle(kv, now, "instagram", "harbour", handle);
  await connectAccount(t.service, brand.id, {
    platform: "instagram",
    kind: "professional",
    handle: grant.username,
    externalId: grant.externalId,
  }, {
    access: grant.accessToken,
    issuedAt: now(),
    accessExpiresAt: now() + grant.expiresIn * 1_000,
    refresh: grant.refreshToken,
    refreshExpiresAt: null,
  });
  const pass = () => runUnpolled(t, "metrics");
  await pass();
  // No post is so young that its standing is looked at, which happens three times in its life.
  t.turn(4 * DAY);
  // The stand-in of the platform keeps its books in the same store, so they are not counted.
  const measure = measuring(t);
  const name = `a metrics pass over an account, for each of its ${ACCOUNT_POSTS} posts`;
  return [shared(await measure(name, pass), ACCOUNT_POSTS)];
}

/** A pass without the looks of the one who waits for its end: how many there are is a matter of time. */
async function runUnpolled(t: TestService, name: "series" | "metrics"): Promise<void> {
  const passRun = { passId: crypto.randomUUID(), brandId: null, byHand: false, round: 1 };
  await addFirstPages(t.service, name, passRun);
  await t.worker.drain();
}

function measuring({ service }: TestService) {
  const calls = countCalls(service.kv);
  return async (name: string, work: () => Promise<void>): Promise<Cost> => {
    const before = { ...calls };
    await work();
    return {
      name,
      reads: calls.reads - before.reads,
      commits: calls.commits - before.commits,
      valuesRead: calls.valuesRead - before.valuesRead,
      bytesRead: calls.bytesRead - before.bytesRead,
      valuesWritten: calls.valuesWritten - before.valuesWritten,
      bytesWritten: calls.bytesWritten - before.bytesWritten,
    };
  };
}

function shared(cost: Cost, parts: number): Cost {
  const numbers = Object.entries(cost).map(([name, value]) =>
    typeof value === "number" ? [name, value / parts] : [name, value]
  );
  return Object.fromEntries(numbers);
}
