/** A restored service publishes nothing again that went out after its backup was taken. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { auditRows } from "../../domain/kv/audit.ts";
import { storePath } from "../../domain/kv/open.ts";
import { transact } from "../../domain/kv/transact.ts";
import { readSocialAccount } from "../../domain/platforms/accounts.ts";
import { contentOf } from "../../domain/series/making/content.ts";
import { claimSlot } from "../../domain/series/making/publishing.ts";
import { requireSlot } from "../../domain/series/records.ts";
import { COMMANDS } from "../../jobs/commands.ts";
import { OFFLINE } from "../../jobs/commands/backup.ts";
import { caller, pass, seriesKit, truth } from "../support/series.ts";
import { NOON, testService } from "../support/service.ts";
import type { Json } from "../support/json.ts";

const SECRET_KEY = "a secret for tests only, and long enough";

async function openOn(dataDir: string, at: number) {
  const kv = await Deno.openKv(storePath(dataDir));
  const environ = { SANDBOX: "on", DATA_DIR: dataDir, SECRET_KEY };
  return await testService({ kv, at, environ });
}

Deno.test("what was due between a backup and its restore is held, and can be published by hand", async () => {
  const root = await Deno.makeTempDir({ prefix: "marquee-test-" });
  const [before, after, backup] = ["before", "after", "backup"].map((name) => `${root}/${name}`);
  await Deno.mkdir(before!);
  const made = { due: "", claimed: "", bare: "", skipped: "", tomorrow: "" };
  let [secret, brandId] = ["", ""];
  const ids: Record<string, string> = {};
  {
    await using t = await openOn(before!, NOON);
    const kit = await seriesKit(t);
    ({ secret, brand: { id: brandId } } = kit);
    const account = await kit.connect();
    for (const name of ["due", "claimed", "skipped"]) {
      ids[name] = (await kit.create({ hourUtc: 14, socialAccountId: account.id, name })).id;
    }
    ids["bare"] = (await kit.create({ hourUtc: 14, name: "bare" })).id;
    await kit.pass();
    for (const name of ["due", "claimed", "bare", "skipped"] as const) {
      const items: Json[] = await kit.items(ids[name]!);
      made[name] = items.find(({ status }) => status === "ready").id;
      if (name === "due") made.tomorrow = items.find(({ status }) => status === "planned").id;
    }
    assertEquals((await kit.act(ids["skipped"]!, made.skipped, "skip")).status, 204);
    await transact(t.service.kv, async (commit) => {
      const slot = await requireSlot(commit, brandId, ids["claimed"]!, made.claimed);
      const held = await readSocialAccount(t.service.kv, brandId, account.id);
      const content = await contentOf(t.service.kv, slot, account.id);
      assert(content !== null);
      const claim = { cause: "Published by hand.", goodUntil: NOON * 2, content };
      await claimSlot(t.service, commit, slot, held, claim);
    });
    await COMMANDS["backup"]!(t.service, { to: backup! });
    t.turnTo("2026-11-20T14:01:00Z");
    await kit.pass();
    assertEquals((await truth(t, "instagram", "bakery", NOON)).length, 2, "published meanwhile");
  }

  const environ = { DATA_DIR: after!, SECRET_KEY, SANDBOX: "on", CLOCK: "2026-11-20T16:00:00Z" };
  const report = await OFFLINE["restore"]!(environ, { from: backup! }) as { held: number };
  assertEquals(report.held, 3);
  const left = await Array.fromAsync(Deno.readDir(after!), ({ name }) => name);
  assertEquals(left.filter((name) => name.includes("restoring")), [], "no draft is left");

  {
    await using t = await openOn(after!, Date.parse("2026-11-20T16:01:00Z"));
    const call = caller(t, secret);
    await pass(t);
    assertEquals(await truth(t, "instagram", "bakery", NOON), [], "nothing is published again");
    const why = async (name: "due" | "claimed" | "bare" | "skipped", id: string = made[name]) =>
      (await call("GET", `/v1/series/${ids[name]}/items/${id}/why`)).body;
    for (const name of ["due", "claimed", "bare"] as const) {
      const told = await why(name);
      assertEquals([told.status, told.heldFor, told.waitingFor], ["held", "restored", "person"]);
      assertMatch(
        told.summary,
        /restored from a backup of 2026-11-20T12:\S+Z, which does not know/,
      );
      assertMatch(told.summary, /If the post is there, skip .*; if not, publish it\./);
    }
    assertEquals((await why("skipped")).status, "skipped");
    assert(["planned", "ready"].includes((await why("due", made.tomorrow)).status));
    const [restored] = (await Array.fromAsync(auditRows(t.service, [brandId])))
      .filter(({ action }) => action === "brand.restored");
    assertEquals(restored?.actor, { kind: "admin" });

    t.worker.start();
    for (const name of ["due", "claimed"] as const) {
      const path = `/v1/series/${ids[name]}/items/${made[name]}/publish`;
      assertEquals((await call("POST", path)).status, 204, name);
    }
    assertEquals((await truth(t, "instagram", "bakery", NOON)).length, 2);
  }
  await Deno.remove(root, { recursive: true });
});
