/** Real processes on one store: kill -9 in the middle of passes, and several passes at the same time. */
import { assert, assertEquals } from "@std/assert";
import { HOUR, iso } from "../../domain/foundation/calendar.ts";
import { admin, freePort, type ServiceProcess, startProcess } from "../support/process.ts";
import type { Json } from "../support/json.ts";

const ROUNDS = 50;
/** The longest time in which the work of killed processes must be finished. */
const SETTLE_MS = 120_000;
const START = Date.parse("2026-11-02T06:00:00Z");

/** A data folder with a brand, its key, two accounts and two series. */
class House implements AsyncDisposable {
  readonly dataDir: string;
  readonly port = freePort();
  secret = "";

  constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  start(at: number): Promise<ServiceProcess> {
    const environ = { SANDBOX: "on", CLOCK: iso(at), LOG_LEVEL: "error" };
    return startProcess({ dataDir: this.dataDir, port: this.port, environ });
  }

  admin(...args: string[]): Promise<Json> {
    const BASE_URL = `http://127.0.0.1:${this.port}`;
    return admin(this.dataDir, args, { SANDBOX: "on", BASE_URL });
  }

  async call(method: string, path: string, body?: unknown): Promise<Json> {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${this.port}${path}`, {
        method,
        headers: { authorization: `Bearer ${this.secret}`, "content-type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const json = await answer.json();
      if (answer.status !== 429) return json;
      await new Promise((done) => setTimeout(done, 100));
    }
  }

  /** Every slot of every series, and every post that the public sees. */
  async look(): Promise<{ slots: Json[]; posts: Json[]; used: number }> {
    const { data } = await this.call("GET", "/v1/series");
    const slots: Json[] = [];
    for (const { id } of data) {
      for (const item of (await this.call("GET", `/v1/series/${id}`)).items) {
        slots.push({ ...item, seriesId: id });
      }
    }
    const posts: Json[] = [];
    for (const platform of ["instagram", "linkedin"]) {
      const seen: Json[] = await this.call("GET", `/sandbox/${platform}/bakery/posts`);
      posts.push(...seen.filter(({ publishedAt }) => Date.parse(publishedAt) > START));
    }
    return { slots, posts, used: (await this.call("GET", "/v1/credits")).used };
  }

  /** The same, after all work has ended. */
  async settled(): Promise<{ slots: Json[]; posts: Json[]; used: number }> {
    const giveUpAt = performance.now() + SETTLE_MS;
    for (;;) {
      const found = await this.look();
      if (!found.slots.some(isUnderWay) || performance.now() > giveUpAt) return found;
      await new Promise((done) => setTimeout(done, 500));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.dataDir, { recursive: true });
  }
}

async function house(): Promise<House> {
  const made = new House(await Deno.makeTempDir({ prefix: "marquee-crash-" }));
  await using _service = await made.start(START);
  const brand = await made.admin("brand", "create", "--name", "B", "--plan", "studio");
  const scopes = "createRead,createWrite,publishWrite";
  const key = await made.admin("key", "create", "--brand", brand.id, "--scopes", scopes);
  made.secret = key.secret;
  const connect = (platform: string) =>
    made.admin(
      ...["social", "connect", "--brand", brand.id],
      ...["--platform", platform, "--sandbox", "bakery"],
    );
  // The painter is quickest at animals.
  const common = { name: "S", hourUtc: 9, aspectRatio: "square" };
  await made.call("POST", "/v1/series", {
    ...common,
    mode: "manual",
    theme: "Dogs at play",
    format: "post",
    cadenceDays: 1,
    socialAccountId: (await connect("instagram")).id,
  });
  await made.call("POST", "/v1/series", {
    ...common,
    mode: "autopilot",
    goal: "More dog walkers",
    formats: ["post", "carousel"],
    postsPerWeek: 7,
    socialAccountId: (await connect("linkedin")).id,
  });
  return made;
}

const isUnderWay = ({ status }: Json) => ["generating", "publishing"].includes(status);

/** What the store and the public must agree on, whatever was killed. */
function agree({ slots, posts, used }: { slots: Json[]; posts: Json[]; used: number }): void {
  const instants = slots.map(({ seriesId, scheduledFor }) => `${seriesId} ${scheduledFor}`);
  assertEquals(new Set(instants).size, slots.length, "each instant has one slot");
  const published = slots.filter(({ status }) => status === "published");
  const ids = published.map(({ externalPostId }) => externalPostId).filter((id) => id !== null);
  assertEquals(new Set(ids).size, ids.length, "no two slots share a post");
  const seen = posts.map(({ id }) => id);
  for (const id of ids) assert(seen.includes(id), `${id} is public`);
  // A post is held when the platform never said whether it is public.
  const unsure = slots.filter(({ status, error, externalPostId }) =>
    (status === "held" && error.includes("did not say")) ||
    (status === "published" && externalPostId === null)
  );
  assert(posts.length - ids.length <= unsure.length, "no post without its slot");
  const images = slots.flatMap(({ creations }) => creations);
  assertEquals(images.reduce((sum, { creditCost }) => sum + creditCost, 0), used);
  for (const { creations, format } of slots) {
    assert([0, format === "carousel" ? 4 : 1].includes(creations.length), "made once, whole");
  }
}

Deno.test(`after ${ROUNDS} kills -9 in planning, making and publishing, store and public agree`, async () => {
  await using home = await house();
  let at = START;
  for (let round = 0; round < ROUNDS; round++) {
    at += 6 * HOUR;
    await using service = await home.start(at);
    await new Promise((done) => setTimeout(done, Math.random() * 1_500));
    await service.kill();
  }
  await using _service = await home.start(at + HOUR);
  // The first pass finishes what the killed processes left, the second publishes what it made.
  await home.admin("pass", "run", "series");
  await home.settled();
  await home.admin("pass", "run", "series");
  const found = await home.settled();
  assertEquals(found.slots.filter(isUnderWay), []);
  assert(found.slots.some(({ status }) => status === "published"), "some were published");
  agree(found);
});

Deno.test("passes at once in several processes make and publish each slot once", async () => {
  await using home = await house();
  let at = START;
  let published = 0;
  for (let round = 0; round < 4; round++) {
    at += 9 * HOUR;
    await using _service = await home.start(at);
    await Promise.all(
      Array.from({ length: 3 }, () => home.admin("pass", "run", "series")),
    );
    const found = await home.settled();
    assertEquals(found.slots.filter(isUnderWay), []);
    agree(found);
    published = found.slots.filter(({ status }) => status === "published").length;
    assertEquals(found.posts.length, published);
  }
  assert(published > 0);
});
