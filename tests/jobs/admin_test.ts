/** `deno task admin`: one JSON value on stdout, or one error line last on stderr. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { relative } from "node:path";
import type { AuditRow } from "../../domain/kv/audit.ts";
import { Discord } from "../support/discord.ts";
import { admin, freePort, startProcess } from "../support/process.ts";

async function folder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir({ prefix: "marquee-test-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** The error line of a call that must fail. */
async function refusal(
  dataDir: string,
  args: string[],
): Promise<{ code: string; message: string }> {
  const failed = await assertRejects(() => admin(dataDir, args), Error);
  return JSON.parse(failed.message.trim().split("\n").at(-1)!).error;
}

Deno.test("accounts, brands and keys are made, listed, changed and revoked", async () => {
  await using dir = await folder();
  const call = (...args: string[]) => admin(dir.path, args);
  const account = await call(
    "account",
    "create",
    "--email",
    "a@b.example",
    "--password",
    "secret-1",
  );
  assertEquals(Object.keys(account), ["id", "email"]);
  const brand = await call(
    ...["brand", "create", "--name", "Söhne & Co", "--plan", "free", "--account", account.id],
  );
  assertEquals(brand, { id: brand.id, name: "Söhne & Co", plan: "free", accountId: account.id });
  const key = await call("key", "create", "--brand", brand.id, "--scopes", "postsRead,createRead");
  assertMatch(key.secret, /^mq_[0-9A-Za-z]{49}$/);
  assertEquals(key.scopes, ["postsRead", "createRead"]);
  const [listed] = await call("key", "list", "--brand", brand.id);
  assertEquals(listed.id, key.id);
  assert(!JSON.stringify(listed).includes(key.secret));
  assertEquals(listed.prefix, key.secret.slice(0, 8));
  assertEquals(
    (await call("brand", "update", "--id", brand.id, "--plan", "studio")).plan,
    "studio",
  );
  assertEquals((await call("brand", "list")).map((b: { id: string }) => b.id), [brand.id]);
  assert((await call("key", "revoke", "--id", key.id)).revokedAt);
  const trail = await call("audit", "list", "--brand", brand.id);
  assertEquals(trail.map(({ action, actor }: AuditRow) => [action, actor.kind]), [
    ["account.created", "admin"],
    ["brand.created", "admin"],
    ["key.created", "admin"],
    ["brand.changed", "admin"],
    ["key.revoked", "admin"],
  ]);
});

Deno.test("the plan's number of active keys holds, and after a downgrade old keys go on", async () => {
  await using dir = await folder();
  const call = (...args: string[]) => admin(dir.path, args);
  const brand = await call("brand", "create", "--name", "B", "--plan", "creator");
  const create = ["key", "create", "--brand", brand.id, "--scopes", "postsRead"];
  const first = await call(...create);
  await call(...create);
  await call("brand", "update", "--id", brand.id, "--plan", "free");
  assertEquals((await refusal(dir.path, create)).code, "conflict");
  await call("key", "revoke", "--id", first.id);
  assertEquals((await refusal(dir.path, create)).code, "conflict");
});

Deno.test("what can't be done is said in the table's codes, and a wrong call in usage", async () => {
  await using dir = await folder();
  const cases: [string[], string, string?][] = [
    [[], "usage"],
    [["brand", "burn"], "usage"],
    [["constructor"], "usage"],
    [["__proto__"], "usage"],
    [["brand", "create", "--name", "B"], "usage", "--plan: is required"],
    [
      ["brand", "create", "--name", "B", "--plan", "gold"],
      "usage",
      "--plan: must be one of free, creator, studio",
    ],
    [["brand", "list", "--colour", "red"], "usage", "--colour: is no flag of this command"],
    [["brand", "create", "--name"], "usage"],
    [["brand", "update", "--id", "brd_x", "--name", "B"], "notFound"],
    [["key", "list"], "usage", "--brand: is required"],
    [["key", "list", "--brand", "brd_x"], "notFound", "No brand with that id."],
    [["key", "revoke", "--id", "key_x"], "notFound"],
    [["jobs", "retry", "--id", "job_x"], "notFound"],
    [["brand", "delete", "--id", "brd_x"], "usage", "--yes: is required"],
    [["brand", "delete", "--yes", "--id", "brd_x"], "notFound", "No brand with that id."],
    [["asset", "purge", "--id", "ast_x"], "notFound", "No asset with that id."],
    [["social", "disconnect", "--id", "soc_x"], "notFound", "No account with that id."],
    [["pass", "run", "everything"], "usage"],
  ];
  for (const [args, code, message] of cases) {
    const error = await refusal(dir.path, args);
    assertEquals(error.code, code, args.join(" "));
    assertEquals(error.message, message ?? error.message);
    assert(error.message.length > 0);
  }
});

Deno.test("many admin calls at once on a running service's files never meet a locked database", async () => {
  await using dir = await folder();
  await using service = await startProcess({ dataDir: dir.path });
  const brands = await Promise.all(
    Array.from(
      { length: 6 },
      (_, n) => admin(dir.path, ["brand", "create", "--name", `B${n}`, "--plan", "free"]),
    ),
  );
  assertEquals(new Set(brands.map((brand) => brand.id)).size, 6);
  await service.stop();
});

Deno.test("a rehearsal's clock is shared by admin, and time never runs backwards", async () => {
  await using dir = await folder();
  const environ = { SANDBOX: "on", CLOCK: "2030-01-31T23:00:00Z" };
  const created = async (extra: Record<string, string> = {}) => {
    const args = ["brand", "create", "--name", "B", "--plan", "free"];
    const { id } = await admin(dir.path, args, extra);
    const brands: { id: string; createdAt: string }[] = await admin(dir.path, ["brand", "list"]);
    return brands.find((brand) => brand.id === id)!.createdAt;
  };
  await using service = await startProcess({ dataDir: dir.path, environ });
  const during = await created();
  assertMatch(during, /^2030-01-31T23:/);
  await service.stop();
  await using earlier = await startProcess({
    dataDir: dir.path,
    environ: { ...environ, CLOCK: "2029-06-01T00:00:00Z" },
  });
  assert(await created() > during);
  await earlier.stop();
  await using later = await startProcess({
    dataDir: dir.path,
    environ: { ...environ, CLOCK: "2030-02-01T00:00:00Z" },
  });
  assertMatch(await created(), /^2030-02-01T00:/);
  await later.stop();
});

Deno.test("calls on a rehearsal's store without a service are later the later they come", async () => {
  await using dir = await folder();
  const environ = { SANDBOX: "on", CLOCK: "2030-01-31T23:00:00Z" };
  const names = ["first", "second", "third"];
  for (const name of names) {
    await admin(dir.path, ["brand", "create", "--name", name, "--plan", "free"], environ);
  }
  const brands: { name: string; createdAt: string }[] = await admin(dir.path, ["brand", "list"]);
  assertEquals(brands.map(({ name }) => name), names);
  const instants = brands.map(({ createdAt }) => createdAt);
  assertEquals(instants, instants.toSorted());
});

Deno.test("a file is looked for where the caller stands, not where deno task goes", async () => {
  await using dir = await folder();
  const brand = await admin(dir.path, ["brand", "create", "--name", "B", "--plan", "free"]);
  await Deno.writeTextFile(`${dir.path}/posts.jsonl`, "\n");
  const call = ["posts", "import", "--brand", brand.id, "--file"];
  const none = { imported: 0, updated: 0, rejected: [] };
  for (const file of ["posts.jsonl", "./posts.jsonl", `${dir.path}/posts.jsonl`]) {
    assertEquals(await admin(dir.path, [...call, file], { INIT_CWD: dir.path }), none);
  }
  await Deno.writeTextFile(`${dir.path}/posts.jsonl`, "{\n");
  const file = relative(Deno.cwd(), `${dir.path}/posts.jsonl`);
  const { rejected } = await admin(dir.path, [...call, file], { INIT_CWD: `${dir.path}/none` });
  assertEquals(rejected.length, 1, "what isn't there is looked for from the project");
});

Deno.test("admin started otherwise than the service leaves its jobs to it and seals nothing", async () => {
  await using dir = await folder();
  const environ = { SANDBOX: "on" };
  const other = { SECRET_KEY: "another secret altogether, and long enough" };
  await using service = await startProcess({ dataDir: dir.path, environ });
  const brand = await admin(dir.path, ["brand", "create", "--name", "B", "--plan", "studio"]);
  const connect = [
    ...["social", "connect", "--brand", brand.id],
    ...["--platform", "youtube", "--sandbox", "channel"],
  ];
  const refused = await assertRejects(() => admin(dir.path, connect, other), Error);
  assertMatch(refused.message, /"code":"conflict".*SECRET_KEY/);
  await admin(dir.path, connect);
  const pass = ["pass", "run", "metrics"];
  const report = await admin(dir.path, pass, other);
  assertEquals([report.accounts, report.readings, report.failed], [1, 40, 0]);
  await service.stop();
  const alone = await assertRejects(() => admin(dir.path, pass, other), Error);
  assertMatch(alone.message, /"code":"conflict"/);
});

Deno.test("admin without the service's private hosts or platforms leaves its work to it", async () => {
  await using dir = await folder();
  await using discord = new Discord();
  const environ = { SANDBOX: "on", ALLOW_PRIVATE_HOSTS: discord.host };
  await using service = await startProcess({ dataDir: dir.path, environ });
  const call = (...args: string[]) => admin(dir.path, args);
  const brand = await call("brand", "create", "--name", "B", "--plan", "studio");
  const { secret } = await call("key", "create", "--brand", brand.id, "--scopes", "createWrite");
  const answer = await fetch(`${service.url}/v1/brand-kit`, {
    method: "PUT",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ baseStylePrompt: "", discordWebhookUrl: discord.url }),
  });
  assertEquals(answer.status, 200, await answer.text());
  const connect = ["social", "connect", "--brand", brand.id, "--platform", "instagram"];
  await call(...connect, "--sandbox", "acme");
  const elsewhere = { INSTAGRAM_API_URL: `http://127.0.0.1:${freePort()}` };
  const metrics = await admin(dir.path, ["pass", "run", "metrics"], elsewhere);
  assertEquals([metrics.accounts, metrics.failed], [1, 0]);
  const digest = await call("pass", "run", "digest");
  assertEquals([digest.sent, discord.posted.length], [1, 1]);
  await service.stop();
  const alone = await assertRejects(() => call("pass", "run", "digest"), Error);
  assertMatch(alone.message, /"code":"conflict".*private hosts/);
});
