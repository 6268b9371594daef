/** Every fault on every operation of every platform: no post is lost or doubled, and all are reported. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../domain/foundation/calendar.ts";
import { type PublishOutcome, publishPost } from "../../domain/platforms/publish.ts";
import { Platform, type PostDetail } from "../../domain/posts/shape.ts";
import { FaultName } from "../../domain/platforms/sandbox/faults.ts";
import type { SocialAccount } from "../../domain/platforms/accounts.ts";
import { Discord } from "../support/discord.ts";
import { type Rehearsal, rehearse } from "../support/rehearsal.ts";

/** Faults that invalidate an access token. Only these may move an account to `reconnect`. */
const ENDS_TOKEN = "tokenExpired";

for (const platform of Platform.options) {
  for (const operation of ["list", "metrics", "token"]) {
    for (const fault of FaultName.options) {
      Deno.test(`${platform}: ${fault} on ${operation} loses no post, stores no zero, is reported and passes`, async () => {
        await using discord = new Discord();
        const environ = { ALLOW_PRIVATE_HOSTS: discord.host };
        await using r = await rehearse({ environ });
        await r.t.call(r.brand.secret, "/v1/brand-kit", {
          method: "PUT",
          body: { baseStylePrompt: "", discordWebhookUrl: discord.url },
        });
        const account = await r.connect(platform);
        await r.pass();
        const before = await r.posts(platform);
        assert(before.length > 0);

        // Tokens are renewed near their end; for other operations the next pass is enough.
        const near = platform === "youtube" ? HOUR : 51 * DAY;
        r.t.turn(operation === "token" ? near : 30 * MINUTE);
        await r.fault(platform, operation, fault);
        const report = await r.pass();
        requireNothingLost(before, await r.posts(platform));
        const met = await r.again(account);
        requireTold(r, met, report["failed"]);
        if (fault !== ENDS_TOKEN) assert(met.status !== "reconnect", met.error ?? "");
        assertEquals(discord.posted.length, met.status === "reconnect" ? 1 : 0);

        await r.clearFaults(platform);
        await r.pass();
        assertEquals(discord.posted.length, met.status === "reconnect" ? 1 : 0);
        if (met.status === "reconnect") await r.connect(platform);
        r.t.turn(30 * MINUTE);
        await r.t.worker.drain();
        const healed = await r.pass();
        assertEquals(healed["failed"], 0);
        const after = await r.again(account);
        assertEquals([after.status, after.error], ["connected", null]);
        const posts = await r.posts(platform);
        requireNothingLost(before, posts);
        const known = new Set(posts.map(({ url }) => url));
        assertEquals(known.size, posts.length);
        await requireTruth(r, account, posts);
      });
    }
  }
}

for (const platform of ["instagram", "linkedin", "linkedin member"]) {
  for (const operation of ["upload", "publish"]) {
    for (const fault of FaultName.options) {
      Deno.test(`${platform}: ${fault} on ${operation} ends in one public post`, async () => {
        await using r = await rehearse();
        const [name, member] = platform.split(" ") as [Platform, string?];
        const account = await r.connect(name, member === undefined ? "acme" : "member-jane");
        const attempt = await r.attempt(account);
        await r.fault(name, operation, fault);
        const told: PublishOutcome[] = [];
        for (let round = 0; told.at(-1)?.state !== "published" && round < 8; round++) {
          const outcome = await publishPost(r.service, attempt);
          told.push(outcome);
          if (outcome.state === "later" || outcome.state === "working") {
            r.t.turn(Math.max(0, outcome.retryAt - r.service.now()) + 1);
          } else if ((await r.again(account)).status === "reconnect") {
            await r.connect(name, account.handle);
          } else if (outcome.state === "refused") await r.clearFaults(name);
          assert(await timesPublic(r, account, attempt.text) <= 1, "a second public post");
        }
        const outcome = told.at(-1)!;
        assert(outcome.state === "published", JSON.stringify(told));
        assertEquals(await timesPublic(r, account, attempt.text), 1);
        const ours = (await r.truth(account)).find(({ caption }) => caption === attempt.text)!;
        assertEquals(outcome.externalPostId, ours.id);
        if (told.length > 1) assertStringIncludes(r.logged, `"account":"${account.id}"`);
        for (const { state } of told) assert(state !== "unknown");
      });
    }
  }
}

for (const platform of ["instagram", "linkedin"] as const) {
  Deno.test(`${platform}: a post that was taken without an answer is found and not repeated`, async () => {
    await using r = await rehearse();
    const account = await r.connect(platform);
    const attempt = await r.attempt(account);
    await r.fault(platform, "publish", "timeoutAfterAccept");
    // The search fails for a while, too, and then another process repeats the attempt.
    await r.fault(platform, "list", "serverError", 2);
    let outcome = await publishPost(r.service, attempt);
    for (let round = 0; round < 5 && outcome.state !== "published"; round++) {
      assert(outcome.state === "working", JSON.stringify(outcome));
      r.t.turn(Math.max(0, outcome.retryAt - r.service.now()) + 1);
      outcome = await publishPost(r.service, attempt);
    }
    assertEquals(outcome.state, "published");
    assertEquals(await timesPublic(r, account, attempt.text), 1);
  });
}

Deno.test("a LinkedIn member's post, which nobody can search for, is unknown after ten minutes", async () => {
  await using r = await rehearse();
  const account = await r.connect("linkedin", "member-jane");
  const attempt = await r.attempt(account);
  await r.fault("linkedin", "publish", "timeoutAfterAccept", 3);
  assertEquals((await publishPost(r.service, attempt)).state, "working");
  r.t.turn(11 * MINUTE);
  assertEquals((await publishPost(r.service, attempt)).state, "unknown");
  assertEquals(await timesPublic(r, account, attempt.text), 1);
});

async function timesPublic(r: Rehearsal, account: SocialAccount, text: string): Promise<number> {
  return (await r.truth(account)).filter(({ caption }) => caption === text).length;
}

/** Checks that no number has fallen. */
function requireNothingLost(before: PostDetail[], after: PostDetail[]): void {
  const now = new Map(after.map((post) => [post.id, post]));
  for (const post of before) {
    const kept = now.get(post.id);
    assert(kept !== undefined, `lost ${post.url}`);
    assert(kept.snapshots.length >= post.snapshots.length);
    for (const field of ["views", "impressions", "likes", "shares"] as const) {
      assert(
        kept.metrics[field] >= post.metrics[field],
        `${field} of ${post.url} fell from ${post.metrics[field]} to ${kept.metrics[field]}`,
      );
    }
  }
}

/** Checks that the error is in the log, and in the account while it lasts. */
function requireTold(r: Rehearsal, account: SocialAccount, failed: number): void {
  if (failed > 0) {
    assert(account.error !== null);
    assertStringIncludes(r.logged, '"event":"platform.fault"');
  } else assertEquals(account.error, null);
  assert(/platform\.(fault|metricRefused|renewal|unmeasured)/.test(r.logged) || failed === 0);
}

async function requireTruth(
  r: Rehearsal,
  account: SocialAccount,
  posts: PostDetail[],
): Promise<void> {
  const urls = posts.map(({ url }) => url).join(" ");
  const day = r.service.now() - DAY;
  for (const { id, caption, publishedAt } of await r.truth(account)) {
    // An expired story can't be measured.
    if (caption === null && Date.parse(publishedAt) < day) continue;
    assert(
      urls.includes(id) || posts.some((post) => post.caption === caption),
      `not read: ${id} of ${publishedAt}`,
    );
  }
}
