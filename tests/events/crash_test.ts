/** kill -9 at random moments: the feed has each fact once, and the webhook hears of each at least once. */
import { assert, assertEquals } from "@std/assert";
import type { StoredCreation } from "../../domain/creations/shape.ts";
import { seededRandom } from "../../domain/foundation/chance.ts";
import { MINUTE } from "../../domain/foundation/calendar.ts";
import type { Job } from "../../domain/kv/jobs/job.ts";
import { listValues } from "../../domain/kv/transact.ts";
import { BODY } from "../support/creations.ts";
import { admin, startProcess } from "../support/process.ts";
import { Receiver } from "../support/receiver.ts";

const ROUNDS = 12;
const PER_ROUND = 3;
/** A round's process lives at most this long after its answers. */
const LONGEST_MS = 600;
const START = Date.parse("2026-11-02T00:00:00Z");

interface Told {
  id: string;
  data: { creationId: string };
}

Deno.test(`after kill -9 in ${ROUNDS} rounds no event is lost or doubled`, async () => {
  await using receiver = new Receiver();
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-events-crash-" });
  const random = seededRandom("events");
  /** Each start is two minutes later, so every lease of the killed process has run out. */
  const environAt = (round: number) => ({
    ...{ SANDBOX: "on", LOG_LEVEL: "error", ALLOW_PRIVATE_HOSTS: receiver.host },
    CLOCK: new Date(START + round * 2 * MINUTE).toISOString(),
  });
  const brand = await admin(dataDir, ["brand", "create", "--name", "B", "--plan", "studio"]);
  const scopes = ["--scopes", "createRead,createWrite"];
  const key = await admin(dataDir, ["key", "create", "--brand", brand.id, ...scopes]);
  const headers = { authorization: `Bearer ${key.secret}`, "content-type": "application/json" };

  /** What a reader has seen that goes on where it was after each kill. */
  const seen: Told[] = [];
  let after = "";
  async function follow(url: string, wait: number): Promise<number> {
    const from = after === "" ? "" : `&after=${after}`;
    const query = `types=creation.completed,creation.failed&limit=5&wait=${wait}${from}`;
    const answer = await fetch(`${url}/v1/events?${query}`, { headers }).catch(() => null);
    const body = await answer?.json().catch(() => null);
    if (answer?.ok !== true || body === null) return -1;
    seen.push(...body.data);
    after = body.nextAfter ?? after;
    return body.data.length;
  }

  for (let round = 0; round < ROUNDS; round++) {
    await using service = await startProcess({ dataDir, environ: environAt(round) });
    const { url } = service;
    if (round === 0) {
      const body = JSON.stringify({ url: receiver.url, types: ["creation.completed"] });
      const made = await fetch(`${url}/v1/webhooks`, { method: "POST", headers, body });
      assertEquals(made.status, 201, await made.text());
    }
    const posts = Array.from({ length: PER_ROUND }, async (_, n) => {
      const body = JSON.stringify({ ...BODY, idea: `${round}-${n}` });
      const sent = { method: "POST", headers, body };
      const answer = await fetch(`${url}/v1/creations`, sent).catch(() => null);
      await answer?.body?.cancel().catch(() => {});
    });
    const following = (async () => {
      while (await follow(url, 1) >= 0);
    })();
    await Promise.race(posts);
    await new Promise((done) => setTimeout(done, random() * LONGEST_MS));
    await service.kill();
    await Promise.all([...posts, following]);
  }

  // One quiet run, an hour and more later: whatever is left is painted and delivered.
  await using service = await startProcess({ dataDir, environ: environAt(ROUNDS + 60) });
  const kv = await Deno.openKv(`${dataDir}/kv.sqlite3`);
  try {
    const giveUpAt = performance.now() + 180_000;
    for (;;) {
      const open = (await listValues<Job>(kv, ["job"])).filter(({ state }) => state !== "dead");
      if (open.length === 0) break;
      assert(performance.now() < giveUpAt, `${open.length} jobs are still open`);
      await new Promise((done) => setTimeout(done, 200));
    }
    while (await follow(service.url, 0) > 0);
    const creations = await listValues<StoredCreation>(kv, ["creation", brand.id]);
    assert(creations.length > ROUNDS, `${creations.length} creations were made`);
    const made = creations.map(({ id, status }) => {
      assertEquals(status, "complete");
      return id;
    }).toSorted();
    assertEquals(seen.map(({ data }) => data.creationId).toSorted(), made);
    assertEquals(new Set(seen.map(({ id }) => id)).size, seen.length);
    const query = "types=creation.completed,creation.failed&limit=100";
    const whole = await (await fetch(`${service.url}/v1/events?${query}`, { headers })).json();
    assertEquals(whole.data, seen, "the reader saw what is there, in the same order");
    const heard = new Set(receiver.events.map(({ id }) => id));
    assertEquals([...heard].toSorted(), seen.map(({ id }) => id).toSorted());
  } finally {
    kv.close();
    await service.stop();
    await Deno.remove(dataDir, { recursive: true });
  }
});
