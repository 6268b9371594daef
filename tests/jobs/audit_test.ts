/** Every call of `admin` that writes leaves one row of the actor `admin`; `audit list` shows them. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ADMIN, type AuditRow, auditRows } from "../../domain/kv/audit.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { transact } from "../../domain/kv/transact.ts";
import { COMMANDS } from "../../jobs/commands.ts";
import { ON } from "../../jobs/commands/command.ts";
import type { Service } from "../../domain/service/service.ts";
import { testService } from "../support/service.ts";
import { add } from "../support/uploads.ts";
import type { Json } from "../support/json.ts";

/** Calls that only read, or that start work which is the system's. */
const WITHOUT_ROW = [
  ...["brand list", "key list", "social list", "jobs list", "secret status", "audit list"],
  ...["brand export", "backup"],
  ...["pass run metrics", "pass run series", "pass run digest"],
  // They read the password from stdin; the dashboard's tests show the rows of what they call.
  ...["account password"],
];

async function rowsOf({ kv }: Service): Promise<AuditRow[]> {
  const all = await Array.fromAsync(kv.list<AuditRow>({ prefix: ["audit"] }));
  return all.map(({ value }) => value).toSorted((a, b) => a.id < b.id ? -1 : 1);
}

Deno.test("each admin call that writes leaves one row, and audit list shows them with the account's", async () => {
  await using t = await testService({ environ: { SANDBOX: "on" } });
  const service: Service = { ...t.service, by: ADMIN };
  const met = new Set(WITHOUT_ROW);
  /** Runs a call and checks the row that it leaves. */
  const call = async (
    name: string,
    flags: Record<string, string>,
    action: string,
    details?: AuditRow["details"],
  ): Promise<Json> => {
    met.add(name);
    const before = new Set((await rowsOf(service)).map(({ id }) => id));
    const printed = await COMMANDS[name]!(service, flags);
    const rows = (await rowsOf(service)).filter(({ id }) => !before.has(id));
    assertEquals(rows.map((row) => [row.action, row.actor, row.address]), [
      [action, { kind: "admin" }, null],
    ]);
    if (details !== undefined) assertEquals(rows[0]!.details, details);
    t.turn(1_000);
    return printed;
  };
  const list = async (brand: string, more: Record<string, string> = {}): Promise<AuditRow[]> => {
    const printed = await COMMANDS["audit list"]!(service, { brand, ...more });
    return await Array.fromAsync(printed as AsyncIterable<AuditRow>);
  };

  const email = "owner@example.com";
  const account = await call(
    "account create",
    { email, password: "correct horse" },
    "account.created",
  );
  const bought = { name: "B", plan: "free", account: account.id };
  const { id: brand } = await call("brand create", bought, "brand.created", { plan: "free" });
  const second = await call("brand create", bought, "brand.created");
  const larger = { planBefore: "free", plan: "studio" };
  await call("brand update", { id: brand, plan: "studio" }, "brand.changed", larger);
  const wanted = { brand, scopes: "createRead,createWrite", name: "site" };
  const granted = { name: "site", scopes: "createRead,createWrite" };
  const key = await call("key create", wanted, "key.created", granted);
  await call("credits grant", { brand, amount: "5" }, "credits.granted", { amount: 5 });
  const handle = { brand, platform: "youtube", sandbox: "acme" };
  const connected = { platform: "youtube", handle: "acme" };
  const social = await call("social connect", handle, "social.connected", connected);
  await call("social disconnect", { id: social.id }, "social.disconnected", connected);
  const asset = await add(t, key.secret, { kind: "castReference" });
  await call("asset purge", { id: asset.id }, "asset.purged");
  await call("key revoke", { id: key.id }, "key.revoked", { name: "site" });
  await call("account sign-out", { email }, "account.signedOutEverywhere");
  const file = `${t.service.settings.DATA_DIR}/none.jsonl`;
  await Deno.writeTextFile(file, "");
  await call("posts import", { brand, file }, "posts.imported");
  const subject = { reservationId: "x" };
  const job = await transact(
    service.kv,
    (commit) => service.jobs.add(commit, { kind: "sweepFiles", brandId: brand, subject }),
  );
  const { value } = await service.kv.get<object>(["job", job]);
  assert(value, "the job is stored");
  await service.kv.set(["job", job], { ...value, state: "dead" });
  await call("jobs retry", { id: job }, "job.retried");
  await call("brand delete", { id: second.id, yes: ON }, "brand.deleted");
  assertEquals(met, new Set(Object.keys(COMMANDS)), "every call is shown or reads only");

  // The account's own rows are in the trails of its brands, and so is the end of another brand.
  const rows = await list(brand);
  assertEquals(rows.map(({ action, actor: { kind } }) => `${action} by ${kind}`), [
    "account.created by admin",
    "brand.created by admin",
    "brand.changed by admin",
    "key.created by admin",
    "credits.granted by admin",
    "social.connected by admin",
    "social.disconnected by admin",
    "upload.started by key",
    "asset.created by key",
    "asset.purged by admin",
    "key.revoked by admin",
    "account.signedOutEverywhere by admin",
    "posts.imported by admin",
    "job.retried by admin",
    "brand.deleted by admin",
  ]);
  assertEquals(rows.at(-1)!.subject, second.id);
  const from = rows[10]!.at;
  assertEquals(await list(brand, { from }), rows.slice(10));
  assertEquals(await Array.fromAsync(auditRows(service, [second.id])), [], "its own rows are gone");
  await assertRejects(() => list(second.id), ServiceError, "No brand");
  await assertRejects(
    () => list(brand, { from: "yesterday" }),
    Error,
    "--from: must be an instant",
  );
  // By the account, also without any brand.
  await call("brand delete", { id: brand, yes: ON }, "brand.deleted");
  const ended = rows.filter(({ action }) => /^account|^brand.deleted/.test(action));
  for (const named of [email, account.id]) {
    const printed = await COMMANDS["audit list"]!(service, { account: named });
    const own = await Array.fromAsync(printed as AsyncIterable<AuditRow>);
    assertEquals(own.slice(0, -1), ended);
    assertEquals([own.at(-1)!.action, own.at(-1)!.subject], ["brand.deleted", brand]);
  }
  for (const flags of [{}, { brand, account: email }] as Record<string, string>[]) {
    await assertRejects(() => COMMANDS["audit list"]!(service, flags), Error, "give one of them");
  }
  const text = JSON.stringify(await rowsOf(service));
  for (const secret of [key.secret, "correct horse"]) assert(!text.includes(secret));
});
