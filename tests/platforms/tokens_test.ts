/** Tokens are renewed in time, never replaced by an empty one, and never shown. */
import { assert, assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE, SECOND } from "../../domain/foundation/calendar.ts";
import { createSecrets } from "../../domain/foundation/secrets.ts";
import { publishPost } from "../../domain/platforms/publish.ts";
import { Platform } from "../../domain/posts/shape.ts";
import { FaultName } from "../../domain/platforms/sandbox/faults.ts";
import { keepTokens, readTokens, type SocialAccount } from "../../domain/platforms/accounts.ts";
import { admin, startProcess } from "../support/process.ts";
import { type Rehearsal, rehearse } from "../support/rehearsal.ts";

async function accessOf(r: Rehearsal, account: SocialAccount): Promise<string> {
  return (await readTokens(r.service, account))!.access;
}

Deno.test("Instagram's token is renewed from ten days before its end, not earlier", async () => {
  await using r = await rehearse();
  const account = await r.connect("instagram");
  const first = await accessOf(r, account);
  r.t.turn(49 * DAY);
  await r.pass();
  assertEquals(await accessOf(r, account), first);
  r.t.turn(2 * DAY);
  await r.pass();
  assert(await accessOf(r, account) !== first);
  const renewed = await r.again(account);
  assertEquals(renewed.status, "connected");
  const end = Date.parse(renewed.tokenExpiresAt!);
  assert(end - r.service.now() > 59 * DAY);
  // Renewed again and again, the token never expires.
  for (let month = 0; month < 4; month++) {
    r.t.turn(52 * DAY);
    assertEquals((await r.pass())["failed"], 0);
  }
});

Deno.test("a token whose renewal fails for days is `expiring`, and `connected` once it succeeds", async () => {
  await using r = await rehearse();
  const account = await r.connect("instagram");
  await r.fault("instagram", "token", "serverError", 100);
  for (const [days, status] of [[51, "connected"], [1, "connected"], [2, "expiring"]] as const) {
    r.t.turn(days * DAY);
    assertEquals((await r.pass())["failed"], 0);
    assertEquals((await r.again(account)).status, status);
  }
  await r.clearFaults("instagram");
  r.t.turn(30 * MINUTE);
  await r.pass();
  assertEquals((await r.again(account)).status, "connected");
});

Deno.test("YouTube's token is renewed every hour, LinkedIn's before its sixty days end", async () => {
  await using r = await rehearse();
  const youtube = await r.connect("youtube");
  const linkedin = await r.connect("linkedin");
  const [first, other] = [await accessOf(r, youtube), await accessOf(r, linkedin)];
  r.t.turn(HOUR);
  await r.pass();
  assert(await accessOf(r, youtube) !== first);
  assertEquals(await accessOf(r, linkedin), other);
  r.t.turn(51 * DAY);
  await r.pass();
  assert(await accessOf(r, linkedin) !== other);
  assertEquals((await r.again(linkedin)).status, "connected");
});

Deno.test("a token that the platform calls dead is renewed once, and the call is repeated", async () => {
  await using r = await rehearse();
  for (const platform of ["linkedin", "youtube"] as const) {
    const account = await r.connect(platform);
    const first = await accessOf(r, account);
    await r.fault(platform, "list", "tokenExpired");
    assertEquals((await r.pass())["failed"], 0);
    assert(await accessOf(r, account) !== first);
  }
});

Deno.test("an empty token never replaces a good one", async () => {
  await using r = await rehearse();
  const account = await r.connect("youtube");
  const good = (await readTokens(r.service, account))!;
  assertEquals(await keepTokens(r.service, account, good, { ...good, access: "" }), good);
  assertEquals(await readTokens(r.service, account), good);
});

Deno.test("an account that is connected again during a renewal or a failing call keeps the new tokens", async () => {
  for (const [fault, renewed] of [[null, true], ["tokenExpired", false]] as const) {
    await using r = await rehearse();
    const account = await r.connect("linkedin");
    const { http } = r.service;
    let again = "";
    // While LinkedIn renews the old tokens, a person connects the account again.
    const reconnecting: typeof fetch = async (input, init) => {
      const answer = await http(input, init);
      if (!String(input).includes("accessToken") || again !== "") return answer;
      r.t.turn(SECOND);
      await r.connect("linkedin");
      again = await accessOf(r, account);
      return answer;
    };
    Object.assign(r.service, { http: reconnecting });
    if (fault !== null) await r.fault("linkedin", "token", fault);
    await r.fault("linkedin", "list", "tokenExpired");
    assertEquals((await r.pass())["failed"], renewed ? 0 : 1);
    assert(again !== "");
    assertEquals(await accessOf(r, account), again);
    const now = await r.again(account);
    assertEquals([now.status, now.error], ["connected", null]);
  }
});

Deno.test("a handle connected again keeps its id; in another brand it is another account", async () => {
  await using r = await rehearse();
  for (const platform of Platform.options) {
    const account = await r.connect(platform);
    assertEquals((await r.connect(platform)).id, account.id);
  }
  const { brand } = await r.t.brand();
  const { connectSandboxAccount } = await import("../../domain/platforms/sandbox_account.ts");
  const other = await connectSandboxAccount(r.service, brand.id, "instagram", "acme");
  assert(other.id !== (await r.connect("instagram")).id);
});

/** Writes the numbers of KV's own kind as text, because JSON has none of their size. */
const asText = (_: string, value: unknown) => typeof value === "bigint" ? `${value}` : value;

Deno.test("tokens are stored encrypted, and no log line, error or answer holds one", async () => {
  await using r = await rehearse();
  const secrets: string[] = [];
  const said: string[] = [];
  for (const platform of Platform.options) {
    const account = await r.connect(platform);
    const note = async () => {
      const { access, refresh } = (await readTokens(r.service, account))!;
      secrets.push(access, ...(refresh === null ? [] : [refresh]));
    };
    for (const operation of ["list", "metrics", "token", "publish"]) {
      for (const fault of FaultName.options) {
        await note();
        await r.fault(platform, operation, fault);
        r.t.turn(platform === "youtube" ? HOUR : DAY);
        await r.pass();
        if (operation === "publish") {
          said.push(JSON.stringify(await publishPost(r.service, await r.attempt(account))));
        }
        said.push(JSON.stringify(await r.again(account)));
        await r.clearFaults(platform);
        await r.connect(platform);
        await note();
      }
    }
  }
  for await (const { key, value } of r.service.kv.list({ prefix: [] })) {
    // The sandbox's own records are left out, because a platform knows the tokens it has issued.
    if (key[0] !== "sandbox") said.push(JSON.stringify(value, asText));
  }
  const everything = [r.logged, ...said].join("\n");
  for (const secret of new Set(secrets)) {
    assert(secret.length > 10);
    assert(!everything.includes(secret), "a token was found outside");
  }
});

Deno.test("no OpenTelemetry span holds a token", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-otel-" });
  const spans: string[] = [];
  const collector = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (r) => {
      spans.push(await r.text());
      return Response.json({});
    },
  );
  const environ = {
    SANDBOX: "on",
    OTEL_DENO: "true",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.addr.port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_BSP_SCHEDULE_DELAY: "100",
  };
  const accounts: SocialAccount[] = [];
  {
    const { id } = await admin(dataDir, ["brand", "create", "--name", "B", "--plan", "free"]);
    for (const platform of Platform.options) {
      const call = ["social", "connect", "--brand", id, "--platform", platform];
      await admin(dataDir, [...call, "--sandbox", "acme"], { SANDBOX: "on" });
    }
    await using service = await startProcess({ dataDir, environ });
    accounts.push(...await admin(dataDir, ["social", "list", "--brand", id]));
    // An overdue pass runs at the start, so its calls must be among the spans.
    const giveUpAt = performance.now() + 20_000;
    const seen = (path: string) => spans.some((text) => text.includes(path));
    const paths = ["/insights", "/organizationalEntityShareStatistics", "/v2/reports"];
    while (!paths.every(seen) && performance.now() < giveUpAt) {
      await new Promise((done) => setTimeout(done, 50));
    }
    assert(paths.every(seen), "the calls left no spans");
    await service.stop("SIGTERM");
  }
  await collector.shutdown();
  const secrets = await createSecrets("a secret for tests only, and long enough");
  const kv = await Deno.openKv(`${dataDir}/kv.sqlite3`);
  const everything = spans.join("\n");
  for (const account of accounts) {
    const tokens = (await readTokens({ kv, secrets }, account))!;
    assert(!everything.includes(tokens.access));
    assert(tokens.refresh === null || !everything.includes(tokens.refresh));
  }
  kv.close();
  await Deno.remove(dataDir, { recursive: true });
});
