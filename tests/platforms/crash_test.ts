/** A worker that is killed again and again while it publishes or reads numbers leaves each post once. */
import { assert, assertEquals } from "@std/assert";
import { createBrand } from "../../domain/brands/brands.ts";
import { buildService } from "../../domain/service/build.ts";
import { DAY, SECOND } from "../../domain/foundation/calendar.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { listValues } from "../../domain/kv/transact.ts";
import { silent } from "../../domain/foundation/log.ts";
import type { PublishAttempt } from "../../domain/platforms/contract/platform.ts";
import { connectSandboxAccount } from "../../domain/platforms/sandbox_account.ts";
import { Platform } from "../../domain/posts/shape.ts";
import type { Service } from "../../domain/service/service.ts";
import { readSettings } from "../../domain/foundation/settings.ts";
import type { SocialAccount } from "../../domain/platforms/accounts.ts";
import { newFileKey } from "../../domain/media/storage/storage.ts";
import { openStore } from "../../domain/kv/open.ts";
import { MIGRATIONS } from "../../domain/service/migrations.ts";
import { sendSignal, startProcess } from "../support/process.ts";
import type { PublicPost } from "../support/rehearsal.ts";

/** Kills in each test. */
const ROUNDS = 30;
/** A killed worker's lease ends after this time, by which the next worker's clock is ahead. */
const LEASE_OVER = 31 * SECOND;

/** Runs the platforms in a process that survives, and opens their store for the test. */
async function withPlatforms(
  test: (service: Service, environ: Record<string, string>) => Promise<void>,
): Promise<void> {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-crash-" });
  {
    await using platforms = await startProcess({ dataDir, environ: { SANDBOX: "on" } });
    const environ = {
      DATA_DIR: dataDir,
      SANDBOX: "on",
      PORT: String(platforms.port),
      SECRET_KEY: "a secret for tests only, and long enough",
      JOBS: "poll",
    };
    const settings = readSettings(environ, "admin");
    const kv = await openStore(settings, MIGRATIONS);
    try {
      await test(await buildService({ settings, kv, now: Date.now, log: silent }), environ);
    } finally {
      kv.close();
    }
  }
  await Deno.remove(dataDir, { recursive: true });
}

/** Runs a worker and kills it `killAfter` ms into its work, or never. Returns what it reported. */
async function work(
  environ: Record<string, string>,
  args: string[],
  killAfter: number | null,
): Promise<string | null> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--no-prompt", "-A", "tests/support/crash_child.ts", ...args],
    cwd: new URL("../..", import.meta.url).pathname,
    env: environ,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let said = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += text;
    if (timer === undefined && killAfter !== null) {
      timer = setTimeout(() => sendSignal(child, "SIGKILL"), killAfter);
    }
  }
  const { code, signal } = await child.status;
  clearTimeout(timer);
  assert(signal === "SIGKILL" || code === 0, `the worker failed: ${said}`);
  return said.split("\n").find((line) => line.startsWith("{")) ?? null;
}

async function truth(service: Service, { platform, handle }: SocialAccount) {
  const url = `${service.settings.BASE_URL}/sandbox/${platform}/${handle}/posts`;
  return await (await fetch(url)).json() as PublicPost[];
}

async function pictureIn({ storage }: Service): Promise<string> {
  const sharp = await loadSharp();
  const background = { r: 200, g: 120, b: 40 };
  const image = sharp({ create: { width: 1080, height: 1350, channels: 3, background } });
  const key = newFileKey("media", "image/jpeg");
  const bytes = new Uint8Array(await image.jpeg().toBuffer());
  await storage.put(key, { bytes, contentType: "image/jpeg" });
  return key;
}

Deno.test("killed thirty times while publishing: each post is public once", async () => {
  await withPlatforms(async (service, environ) => {
    const { now } = service;
    const brand = await createBrand(service, { name: "Crash", plan: "studio" });
    const handles = [["instagram", "acme"], ["linkedin", "acme"], ["linkedin", "member-jane"]];
    const accounts = await Promise.all(
      handles.map(([platform, handle]) =>
        connectSandboxAccount(service, brand.id, platform as Platform, handle!)
      ),
    );
    const key = await pictureIn(service);
    let kills = 0;
    for (let post = 0; kills < ROUNDS; post++) {
      const account = accounts[post % accounts.length]!;
      const attempt: PublishAttempt = {
        attemptId: `attempt-${post}`,
        brandId: brand.id,
        accountId: account.id,
        format: "post",
        text: `Post number ${post}`,
        images: [{ key, altText: "A loaf" }],
        claimedAt: now(),
        goodUntil: now() + DAY,
      };
      let outcome: string | null = null;
      for (let cut = 0; outcome === null; cut++) {
        const args = ["publish", String(cut * LEASE_OVER), JSON.stringify(attempt)];
        outcome = await work(environ, args, cut < 4 ? Math.random() * 250 : null);
        if (outcome === null) kills++;
      }
      const { state, externalPostId } = JSON.parse(outcome);
      assertEquals(state, "published", outcome);
      const ours = (await truth(service, account)).filter(({ caption }) =>
        caption === attempt.text
      );
      assertEquals(ours.map(({ id }) => id), [externalPostId]);
    }
    assert(kills >= ROUNDS);
  });
});

Deno.test("killed thirty times during metrics passes: each post is read once a day and none is lost", async () => {
  await withPlatforms(async (service, environ) => {
    const { kv, now } = service;
    const brand = await createBrand(service, { name: "Crash", plan: "studio" });
    const accounts = await Promise.all(
      Platform.options.map((platform) =>
        connectSandboxAccount(service, brand.id, platform, "acme")
      ),
    );
    let kills = 0;
    for (let round = 0; kills < ROUNDS; round++) {
      // Each round is a new day, so that every post is due in each pass.
      const offset = String(round * DAY / 2);
      if (await work(environ, ["pass", offset], Math.random() * 300) === null) kills++;
      assert(round < 4 * ROUNDS, "the metrics passes end before they can be killed");
    }
    const last = 4 * ROUNDS * DAY / 2;
    const report = JSON.parse((await work(environ, ["pass", String(last)], null))!);
    assertEquals([report.accounts, report.failed], [3, 0]);

    const stored = await listValues<{ externalId: string; platform: Platform }>(kv, [
      "post",
      brand.id,
    ]);
    for (const account of accounts) {
      const ids = stored.filter(({ platform }) => platform === account.platform)
        .map(({ externalId }) => externalId);
      assertEquals(new Set(ids).size, ids.length);
      // The stories expire before a pass lists them.
      const posts = (await truth(service, account)).filter(({ caption }) => caption !== null);
      for (const { id } of posts) assert(ids.includes(id), `lost ${account.platform} ${id}`);
    }
    const today = new Date(now() + last).toISOString().slice(0, 10);
    let readToday = 0;
    for await (const { key } of kv.list({ prefix: ["postReading", brand.id] })) {
      if (key.at(-1) === today) readToday++;
    }
    assert(readToday >= report.readings);
  });
});
