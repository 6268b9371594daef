/** kill -9 at random moments while creations are posted and painted, in a real process. */
import { assert, assertEquals } from "@std/assert";
import { MINUTE } from "../../domain/foundation/calendar.ts";
import type { StoredCreation } from "../../domain/creations/shape.ts";
import type { Job } from "../../domain/kv/jobs/job.ts";
import { listValues } from "../../domain/kv/transact.ts";
import { seededRandom } from "../../domain/foundation/chance.ts";
import { BODY } from "../support/creations.ts";
import { admin, startProcess } from "../support/process.ts";

const ROUNDS = 25;
const PER_ROUND = 3;
/** A round's process lives at most this long after the answers that it is left to give. */
const LONGEST_MS = 400;
const START = Date.parse("2026-11-02T00:00:00Z");

/** Each start is two minutes later, so that every lease of the killed process has run out. */
const environAt = (round: number) => ({
  SANDBOX: "on",
  CLOCK: new Date(START + round * 2 * MINUTE).toISOString(),
  LOG_LEVEL: "error",
});

async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isFile, isDirectory } of Deno.readDir(folder)) {
    if (isFile) files.push(name);
    else if (isDirectory && name !== ".drafts") {
      files.push(...await filesBelow(`${folder}/${name}`));
    }
  }
  return files;
}

Deno.test(`after kill -9 in ${ROUNDS} rounds nothing is lost, paid twice or left over`, async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-crash-" });
  const random = seededRandom("crash");
  const brand = await admin(dataDir, ["brand", "create", "--name", "B", "--plan", "studio"]);
  const scopes = ["--scopes", "createRead,createWrite"];
  const key = await admin(dataDir, ["key", "create", "--brand", brand.id, ...scopes]);
  const headers = { authorization: `Bearer ${key.secret}`, "content-type": "application/json" };

  /** Idempotency keys that were answered 202 or 200, with the id they were answered with. */
  const promised = new Map<string, string>();
  async function post(url: string, key: string): Promise<void> {
    const overlay = random() < 0.3 ? { template: "captionBar", text: key } : null;
    const body = JSON.stringify({ ...BODY, idea: key, overlay });
    const sent = { method: "POST", headers: { ...headers, "idempotency-key": key }, body };
    for (let attempt = 0; attempt < 2; attempt++) {
      const answer = await fetch(`${url}/v1/creations`, sent).catch(() => null);
      if (answer === null) return;
      const { id } = await answer.json().catch(() => ({}));
      if (!answer.ok || id === undefined) return;
      assertEquals(promised.get(key) ?? id, id, "a replay answers with the same creation");
      promised.set(key, id);
    }
  }

  for (let round = 0; round < ROUNDS; round++) {
    await using service = await startProcess({ dataDir, environ: environAt(round) });
    // Counted in answers and not in time alone, so that a slow machine is killed in the middle, too.
    const answers = Math.floor(random() * (PER_ROUND + 1));
    let answered = 0;
    const posts: Promise<void>[] = [];
    await new Promise<void>((enough) => {
      if (answers === 0) enough();
      for (let n = 0; n < PER_ROUND; n++) {
        posts.push(
          post(service.url, `${round}-${n}`).finally(() => {
            if (++answered === answers) enough();
          }),
        );
      }
    });
    await new Promise((done) => setTimeout(done, random() * LONGEST_MS));
    await service.kill();
    await Promise.all(posts);
  }

  // One quiet run: whatever is left is painted; an hour and more later the sweep has run, too.
  const quiet = { ...environAt(ROUNDS + 60) };
  await using service = await startProcess({ dataDir, environ: quiet });
  const kv = await Deno.openKv(`${dataDir}/kv.sqlite3`);
  try {
    const giveUpAt = performance.now() + 180_000;
    for (;;) {
      const open = (await listValues<Job>(kv, ["job"])).filter(({ state }) => state !== "dead");
      if (open.length === 0) break;
      assert(performance.now() < giveUpAt, `${open.length} jobs are still open`);
      await new Promise((done) => setTimeout(done, 200));
    }
    const creations = await listValues<StoredCreation>(kv, ["creation", brand.id]);
    assertEquals(creations.filter(({ status }) => status === "pending"), []);
    for (const id of promised.values()) assert(creations.some((creation) => creation.id === id));
    assertEquals(new Set(creations.map(({ idea }) => idea)).size, creations.length);

    const answer = await fetch(`${service.url}/v1/credits`, { headers });
    const { used } = await answer.json();
    assertEquals(used, creations.reduce((sum, { creditCost }) => sum + creditCost, 0));
    assertEquals(used, creations.length);

    const owned = new Set(
      creations.flatMap(({ rawKey, finalKey }) => [rawKey, finalKey])
        .filter((key) => key !== null).map((key) => key.slice(key.lastIndexOf("/") + 1)),
    );
    const stored = (await filesBelow(`${dataDir}/media`)).toSorted();
    assertEquals(stored, [...owned].toSorted());
    assert(creations.length > ROUNDS, `${creations.length} creations were made`);
  } finally {
    kv.close();
    await service.stop();
    await Deno.remove(dataDir, { recursive: true });
  }
});
