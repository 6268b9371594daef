/** A platform's pause holds for every caller, containers are used again, and images must be reachable. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { HOUR, MINUTE } from "../../domain/foundation/calendar.ts";
import { connectAccount, warnUnreachable } from "../../domain/platforms/accounts.ts";
import { noteHealthy } from "../../domain/platforms/health.ts";
import { publishPost } from "../../domain/platforms/publish.ts";
import { unreachable } from "../../domain/platforms/reachable.ts";
import { readSettings } from "../../domain/foundation/settings.ts";
import { type Rehearsal, rehearse } from "../support/rehearsal.ts";

/** Every call to Instagram from now on; `answer` may give another answer than the sandbox's. */
function watch(r: Rehearsal, answer: (url: string) => Response | null = () => null) {
  const calls: string[] = [];
  let refused = 0;
  const { http } = r.service;
  const watching: typeof fetch = async (input, init) => {
    const url = String(input);
    if (url.includes("/sandbox/instagram/v")) calls.push(`${init?.method ?? "GET"} ${url}`);
    const given = answer(url) ?? await http(input, init);
    if (!given.ok) refused++;
    return given;
  };
  Object.assign(r.service, { http: watching });
  return {
    calls,
    refused: () => refused,
    made: () => calls.filter((call) => /^POST .*\/media$/.test(call)).length,
  };
}

Deno.test("after a throttled post nothing is sent before the platform allows it, whoever asks", async () => {
  await using r = await rehearse();
  const account = await r.connect("instagram");
  await r.fault("instagram", "publish", "rateLimited");
  const first = await publishPost(r.service, await r.attempt(account));
  assert(first.state === "later");
  const { calls } = watch(r);
  // Another post, and the metrics, by hand: a second call would lengthen the pause.
  const second = await publishPost(r.service, await r.attempt(account));
  assert(second.state === "later");
  assertEquals(second.retryAt, first.retryAt);
  assertStringIncludes(second.message, "Instagram takes no calls before");
  const report = await r.pass();
  assertEquals([report["failed"], report["posts"]], [1, 0]);
  assertEquals(calls, []);
  r.t.turn(first.retryAt - r.service.now() + 1);
  assertEquals((await publishPost(r.service, await r.attempt(account))).state, "published");
});

Deno.test("a used-up publishing quota pauses posts and no reading", async () => {
  await using r = await rehearse();
  const account = await r.connect("instagram");
  const used = { data: [{ quota_usage: 50, config: { quota_total: 50 } }] };
  const { calls } = watch(
    r,
    (url) => url.includes("/content_publishing_limit") ? Response.json(used) : null,
  );
  assertEquals((await publishPost(r.service, await r.attempt(account))).state, "later");
  const asked = calls.length;
  assertEquals((await publishPost(r.service, await r.attempt(account))).state, "later");
  assertEquals(calls.length, asked);
  assertEquals((await r.pass())["failed"], 0);
});

Deno.test("a carousel that is tried again makes only the containers that were lost", async () => {
  await using r = await rehearse();
  const account = await r.connect("instagram");
  const images = await Promise.all([1, 2, 3, 4].map(async () => ({
    key: await r.picture(1080, 1080),
    altText: "A loaf",
  })));
  const attempt = await r.attempt(account, { format: "carousel", images });
  // The third item's processing fails once, and later the whole post's.
  const failing = new Set(["2", "4"]);
  const { made } = watch(r, (url) => {
    const serial = /\/179\d{10}0000(\d)\?fields=status_code/.exec(url)?.[1];
    if (serial === undefined || !failing.delete(serial)) return null;
    return Response.json({ status_code: "ERROR", status: "Error: 2207053", id: "1" });
  });
  let outcome = await publishPost(r.service, attempt);
  for (let round = 0; round < 6 && outcome.state !== "published"; round++) {
    assert(outcome.state === "later", JSON.stringify(outcome));
    r.t.turn(15 * MINUTE);
    outcome = await publishPost(r.service, attempt);
  }
  assertEquals(outcome.state, "published");
  assertEquals(failing.size, 0);
  // Four items and the post; then the third item once more.
  assert(made() <= 7, `${made()} containers`);
  const [newest] = await r.truth(account);
  assertEquals(newest!.media.length, 4);
});

Deno.test("an image that Instagram can't fetch three times holds the post for a person", async () => {
  await using r = await rehearse();
  const account = await r.connect("instagram");
  const attempt = await r.attempt(account);
  const error = {
    message: "Only photo or video can be accepted as media type.",
    code: 9004,
    error_subcode: 2207052,
    error_user_msg: "The media could not be fetched from this URI: http://127.0.0.1/x.jpg",
  };
  watch(r, (url) => /\/media$/.test(url) ? Response.json({ error }, { status: 400 }) : null);
  const states: string[] = [];
  for (let pass = 0; pass < 3; pass++) {
    const outcome = await publishPost(r.service, attempt);
    states.push(outcome.state);
    if (outcome.state === "refused") assertStringIncludes(outcome.message, "reach the address");
    r.t.turn(15 * MINUTE);
  }
  assertEquals(states, ["later", "later", "refused"]);
});

Deno.test("a private address of the images is told where Instagram would have to fetch from it", () => {
  const settings = (environ: Record<string, string>) =>
    readSettings({ SECRET_KEY: "a secret for tests only, and long enough", ...environ }, "start");
  const told = (environ: Record<string, string>) =>
    unreachable(settings(environ), { platform: "instagram" });
  const s3 = { S3_BUCKET: "b", AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "s" };
  const hosts = [
    "127.0.0.1",
    "localhost:8000",
    "10.1.2.3",
    "192.168.0.4",
    "[::1]",
    "[fd00::1]",
    "nas",
  ];
  for (const host of [...hosts, "box.local", "172.20.0.1", "100.64.0.1"]) {
    assertStringIncludes(told({ BASE_URL: `http://${host}` })!, "Set BASE_URL");
  }
  const base = { BASE_URL: "https://marquee.example" };
  for (const host of ["marquee.example", "11.1.2.3", "172.32.0.1", "[2606:4700::1111]"]) {
    assertEquals(told({ BASE_URL: `https://${host}` }), null);
  }
  assertStringIncludes(
    told({ ...base, ...s3, S3_PUBLIC_URL: "http://minio:9000/b" })!,
    "S3_PUBLIC_URL",
  );
  assertEquals(told({ ...s3, S3_PUBLIC_URL: "https://cdn.example" }), null);
  // LinkedIn takes bytes, and the sandbox is on the same machine.
  assertEquals(unreachable(settings({}), { platform: "linkedin" }), null);
  assertEquals(told({ SANDBOX: "on" }), null);
});

Deno.test("an unreachable address is one warning at the start, and stays in the account's state", async () => {
  await using r = await rehearse({
    environ: { INSTAGRAM_API_URL: "https://graph.instagram.com" },
  });
  await warnUnreachable(r.service);
  assert(!r.logged.includes("platform.unreachable"), "nothing is connected yet");
  const accounts = await Promise.all(
    ["1", "2"].map((externalId) =>
      connectAccount(r.service, r.brand.brand.id, {
        platform: "instagram",
        kind: "professional",
        handle: externalId,
        externalId,
      }, {
        access: "token",
        issuedAt: r.service.now(),
        accessExpiresAt: r.service.now() + 1_000 * HOUR,
        refresh: null,
        refreshExpiresAt: null,
      })
    ),
  );
  await warnUnreachable(r.service);
  assertEquals(r.logged.split("platform.unreachable").length, 2);
  await noteHealthy(r.service, accounts[0]!);
  for (const account of accounts) {
    assertStringIncludes((await r.again(account)).error!, "it cannot reach");
  }
});

Deno.test("calls in a window that each of them lengthens are not repeated before its end", async () => {
  await using r = await rehearse();
  const account = await r.connect("instagram");
  const order = { operation: "metrics", fault: "rateLimited", times: 1, windowMinutes: 5 };
  await r.t.request(null, "/sandbox/instagram/faults", { method: "POST", body: order });
  const { refused } = watch(r);
  assertEquals((await r.pass())["failed"], 1);
  const until = Date.parse((await r.again(account)).pausedUntil!);
  // Calls that were under way have lengthened the window, and the longest wait that was told holds.
  assert(refused() > 0);
  assertEquals(until - r.service.now(), refused() * 5 * MINUTE);
  for (let wait = 0; wait < 3; wait++) await r.pass();
  assertEquals((await publishPost(r.service, await r.attempt(account))).state, "later");
  assertEquals(Date.parse((await r.again(account)).pausedUntil!), until);
  r.t.turn(until - r.service.now() + 1);
  await r.t.worker.drain();
  assertEquals((await r.pass())["failed"], 0);
  assertEquals((await r.again(account)).error, null);
});
