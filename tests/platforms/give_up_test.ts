/** Publishing that is given up: the slot tells whether anything was sent and what to do. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { DAY } from "../../domain/foundation/calendar.ts";
import { isOf } from "../../domain/kv/jobs/job.ts";
import { transact } from "../../domain/kv/transact.ts";
import { AttemptLost, claimAttempt, keepAttempt } from "../../domain/platforms/attempts.ts";
import { contentOf } from "../../domain/series/making/content.ts";
import { claimSlot } from "../../domain/series/making/publishing.ts";
import { requireSlot } from "../../domain/series/records.ts";
import { publishSlotJob } from "../../jobs/publish.ts";
import { seriesKit, truth } from "../support/series.ts";
import { NOON, type TestService, testService } from "../support/service.ts";

/** A ready slot on a sandbox account, without a worker. */
async function withReady(t: TestService) {
  const kit = await seriesKit(t);
  const account = await kit.connect();
  const { id } = await kit.create({ socialAccountId: account.id });
  await kit.pass();
  const [{ id: itemId, status }] = await kit.items(id);
  assertEquals(status, "ready");
  return {
    ...kit,
    account,
    id,
    itemId,
    publish: () => kit.act(id, itemId, "publish"),
    slot: async () => (await kit.items(id))[0],
    reason: async () => (await kit.why(id, itemId)).heldFor,
    truth: () => truth(t, "instagram", "bakery", NOON),
  };
}

/** Fails the job of a claimed slot for the last time, after its attempt reached `committedAt`. */
async function givenUp(t: TestService, committedAt: number | null, goesPublic = false) {
  const ready = await withReady(t);
  const { account, brand, id, itemId } = ready;
  const { publication } = await transact(t.service.kv, async (commit) => {
    const slot = await requireSlot(commit, brand.id, id, itemId);
    const content = await contentOf(t.service.kv, slot, account.id);
    assert(content !== null);
    const claim = { cause: "Due.", goodUntil: NOON + DAY, content };
    return await claimSlot(t.service, commit, slot, account, claim);
  });
  const attempt = {
    attemptId: publication!.attemptId,
    brandId: brand.id,
    accountId: account.id,
  };
  const claimed = await claimAttempt(t.service, attempt);
  assert(claimed.is === "mine");
  const post = { externalPostId: "18", url: null, publishedAt: new Date(NOON).toISOString() };
  const published = goesPublic ? post : null;
  await keepAttempt(t.service, attempt, claimed.holder, { committedAt, published });
  const job = (await t.service.jobs.list()).find((job) => isOf("publishSlot", job))!;
  await transact(
    t.service.kv,
    (commit) => publishSlotJob.onDead!(t.service, commit, job, "The process ended."),
  );
  return { ...ready, attempt, holder: claimed.holder };
}

Deno.test("when the image storage is down the slot says so, and the next pass tries again", async () => {
  await using t = await testService();
  const { publish, slot, truth, pass, itemId, id, why } = await withReady(t);
  const { DATA_DIR } = t.service.settings;
  await Deno.rename(`${DATA_DIR}/media`, `${DATA_DIR}/away`);
  await Deno.writeTextFile(`${DATA_DIR}/media`, "");
  t.worker.start();
  const answer = await publish();
  assertEquals([answer.status, answer.body.error.code], [503, "serviceUnavailable"]);
  const back = await slot();
  assertEquals([back.status, back.error], ["ready", answer.body.error.message]);
  assertStringIncludes(
    back.error,
    "Nothing is public on Instagram: The image store did not answer",
  );
  assertStringIncludes(back.error, "tried again");
  assertEquals((await why(id, itemId)).heldFor, null);

  await Deno.remove(`${DATA_DIR}/media`);
  await Deno.rename(`${DATA_DIR}/away`, `${DATA_DIR}/media`);
  t.turn(DAY);
  await pass();
  assertEquals((await slot()).status, "published");
  assertEquals((await truth()).length, 1);
});

Deno.test("a slot that is given up before anything was sent says so, and publishing it again posts once", async () => {
  await using t = await testService();
  const { slot, reason, publish, truth, attempt, holder } = await givenUp(t, null);
  const held = await slot();
  assertEquals([held.status, await reason()], ["held", "notPublished"]);
  assertStringIncludes(held.error, "Nothing was made public on Instagram: The process ended.");
  assertStringIncludes(held.error, "Publish it again, or skip it.");
  // A caller that was still working on it can send nothing more.
  const late = () => keepAttempt(t.service, attempt, holder, { committedAt: NOON });
  await assertRejects(late, AttemptLost);
  t.worker.start();
  assertEquals((await publish()).status, 204);
  assertEquals((await truth()).length, 1);
});

Deno.test("a slot that is given up after the irreversible call says that its outcome is unknown", async () => {
  await using t = await testService();
  const { slot, reason } = await givenUp(t, NOON);
  assertEquals([(await slot()).status, await reason()], ["held", "unknownOutcome"]);
  assertStringIncludes((await slot()).error, "did not say whether the post is public");
});

Deno.test("a slot that is given up after its post was public is published", async () => {
  await using t = await testService();
  const { slot } = await givenUp(t, NOON, true);
  const { status, externalPostId, error } = await slot();
  assertEquals([status, externalPostId, error], ["published", "18", null]);
});
