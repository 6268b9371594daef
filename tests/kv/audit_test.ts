/** The audit trail: a row is in the commit of its fact, lives 90 days, and is listed oldest first. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createApiKey } from "../../domain/brands/keys.ts";
import { DAY, HOUR, iso } from "../../domain/foundation/calendar.ts";
import { auditAlone, auditRows } from "../../domain/kv/audit.ts";
import { transact } from "../../domain/kv/transact.ts";
import { NOON, testService } from "../support/service.ts";

/** The keys of one commit with how long each lives. */
type Written = Map<string, number | undefined>;

/** A store that notes what each commit writes; `fails` makes commits fail, as a full disk does. */
function watched(kv: Deno.Kv) {
  const watch = { kv, commits: [] as Written[], fails: false };
  watch.kv = new Proxy(kv, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (name !== "atomic") return typeof member === "function" ? member.bind(target) : member;
      return () => {
        const atomic = target.atomic();
        const { set, commit } = atomic;
        const written: Written = new Map();
        atomic.set = (key, value, options) => {
          written.set(String(key[0]), options?.expireIn);
          return set.call(atomic, key, value, options);
        };
        atomic.commit = () => {
          if (watch.fails) return Promise.reject(new Error("database or disk is full"));
          watch.commits.push(written);
          return commit.call(atomic);
        };
        return atomic;
      };
    },
  });
  return watch;
}

Deno.test("a row is in the commit of its fact, and expires after 90 days", async () => {
  const memory = await Deno.openKv(":memory:");
  const watch = watched(memory);
  await using t = await testService({ kv: watch.kv });
  const { brand } = await t.brand();
  const wanted = { brandId: brand.id, name: "site", scopes: ["postsRead" as const] };
  const listed = async () => (await Array.fromAsync(auditRows(t.service, [brand.id]))).length;
  const before = await listed();

  watch.commits = [];
  const { key } = await createApiKey(t.service, wanted);
  const [commit, ...others] = watch.commits;
  assertEquals(others, []);
  assert(commit!.has("apiKey") && commit!.has("apiKeyCount"), "the key itself");
  assertEquals(commit!.get("audit"), 90 * DAY);
  assertEquals(await listed(), before + 1);

  watch.fails = true;
  await assertRejects(() => createApiKey(t.service, wanted), Error, "disk is full");
  watch.fails = false;
  assertEquals(await listed(), before + 1, "no key, no row");
  const refused = { ...wanted, brandId: "brd_x" };
  await assertRejects(() => createApiKey(t.service, refused), Error, "No brand");
  assertEquals(await listed(), before + 1);
  const { id: _, ...last } = (await Array.fromAsync(auditRows(t.service, [brand.id]))).at(-1)!;
  assertEquals(last, {
    at: iso(NOON),
    action: "key.created",
    actor: { kind: "system" },
    address: null,
    subject: key.id,
    details: { name: "site", scopes: "postsRead" },
  });
});

Deno.test("two trails are listed as one, oldest first, from an instant on, and for 90 days", async () => {
  await using t = await testService();
  const note = async (of: string, subject: string) => {
    await auditAlone(t.service, { action: "brand.changed", of, subject });
    t.turn(HOUR);
  };
  for (const [of, subject] of ["a0", "b1", "b2", "a3", "b4"]) await note(of!, `${of}${subject}`);
  await transact(t.service.kv, (commit) => commit.set(["audit", "c", "aud_x"], {}));
  const read = async (trails: string[], from?: number) =>
    (await Array.fromAsync(auditRows(t.service, trails, from))).map(({ subject }) => subject);
  assertEquals(await read(["a", "b"]), ["a0", "b1", "b2", "a3", "b4"]);
  assertEquals(await read(["b"]), ["b1", "b2", "b4"]);
  assertEquals(await read(["a", "b"], NOON + 2 * HOUR), ["b2", "a3", "b4"]);
  assertEquals(await read(["none"]), []);
  t.turn(90 * DAY - 3 * HOUR);
  assertEquals(
    await read(["a", "b"]),
    ["b2", "a3", "b4"],
    "a row that the store still has is over",
  );
});
