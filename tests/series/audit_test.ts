/** Who published: the pass as the system, a person by the key that asked for it. */
import { assertEquals } from "@std/assert";
import { type AuditRow, auditRows } from "../../domain/kv/audit.ts";
import { runPass } from "../../jobs/passes.ts";
import { AUTOPILOT, seriesKit } from "../support/series.ts";
import { testService } from "../support/service.ts";

Deno.test("what a pass does is the system's, what was asked for by hand is the key's until it is public", async () => {
  await using t = await testService({ environ: { SANDBOX: "on" } });
  const kit = await seriesKit(t);
  const account = await kit.connect();
  let seen = "";
  const added = async () => {
    const rows: AuditRow[] = (await Array.fromAsync(auditRows(t.service, [kit.brand.id])))
      .filter(({ id }) => id > seen);
    seen = rows.at(-1)?.id ?? seen;
    return rows.map(({ action, actor: { kind } }) => `${action} by ${kind}`);
  };
  const daily = { hourUtc: 14, socialAccountId: account.id };
  await kit.create(daily);
  const second = await kit.create(daily);
  await added();
  await kit.pass();
  assertEquals(await added(), ["item.ordered by system", "item.ordered by system"]);
  const ready = (await kit.items(second.id)).find(({ status }) => status === "ready");
  t.worker.start();
  assertEquals((await kit.act(second.id, ready.id, "publish")).status, 204);
  assertEquals(await added(), ["item.publishing by key", "item.published by key"]);

  t.turnTo("2026-11-20T14:01:00Z");
  await kit.pass();
  const published = (await added()).filter((each) => !each.startsWith("item.ordered"));
  assertEquals(published, ["item.publishing by system", "item.published by system"]);
  await kit.create({ ...AUTOPILOT, theme: undefined, format: undefined });
  await added();
  await kit.pass();
  assertEquals((await added())[0], "series.reviewed by system");
  await runPass(t.service, t.worker, "metrics");
  await t.worker.drain();
  assertEquals(await added(), [], "readings leave none");
});
