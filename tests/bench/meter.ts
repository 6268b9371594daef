/** The meter: group commit against get-then-check-and-set, one brand, 64 requests at once. */
import { SYSTEM } from "../../domain/kv/audit.ts";
import { createApiKey } from "../../domain/brands/keys.ts";
import { createBrand } from "../../domain/brands/brands.ts";
import {
  countKey,
  decide,
  pack,
  type PackedCount,
  turn,
  unpack,
} from "../../domain/brands/meter/count.ts";
import { isLocked } from "../../domain/kv/transact.ts";
import { type Bench, median } from "./figure.ts";
import { LIFTED, liftedMeter } from "./unlimited.ts";

const AT_ONCE = 64;

export const bench: Bench = async ({ quick }) => {
  const seconds = quick ? 0.2 : 2;
  const dir = await Deno.makeTempDir({ prefix: "marquee-bench-" });
  const kv = await Deno.openKv(`${dir}/kv.sqlite3`);
  const now = Date.now;
  const brand = await createBrand({ kv, now, by: SYSTEM }, { name: "One brand", plan: "studio" });
  const key = { brandId: brand.id, scopes: ["postsRead" as const], name: "bench" };
  const { secret } = await createApiKey({ kv, now, by: SYSTEM }, key);
  const meter = liftedMeter(kv, now);
  const [grouped, single]: [number[], number[]] = [[], []];
  for (let round = 0; round < 3; round++) {
    grouped.push(await rate(seconds, () => meter.admit(secret, "request")));
    single.push(await rate(seconds, () => checkAndSet(kv, brand.id, now())));
  }
  kv.close();
  await Deno.remove(dir, { recursive: true });
  return [{
    name: "one brand, 64 requests at once: decisions/s against get-then-check-and-set per request",
    measured: median(grouped) / median(single),
    atLeast: 20,
    note: `${Math.round(median(grouped))} against ${Math.round(median(single))} decisions/s`,
  }];
};

/** Decisions a second with 64 at once. */
async function rate(seconds: number, decision: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  const endAt = started + seconds * 1_000;
  let made = 0;
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    while (performance.now() < endAt) {
      await decision();
      made++;
    }
  }));
  return made / (performance.now() - started) * 1_000;
}

/** What a meter without group commit does: read, decide, write if nobody was faster, else again. */
async function checkAndSet(kv: Deno.Kv, brandId: string, at: number): Promise<void> {
  for (;;) {
    const entry = await kv.get<PackedCount>(countKey(brandId));
    const { count } = decide(turn(unpack(entry.value), at), LIFTED, "request", at);
    const atomic = kv.atomic().check(entry).set(entry.key, pack(count));
    const result = await atomic.commit().catch((error) => {
      if (isLocked(error)) return { ok: false };
      throw error;
    });
    if (result.ok) return;
  }
}
