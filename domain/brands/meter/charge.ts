/** Counts what a request takes of the month's quota beyond itself, exactly. */
import { SECOND, startOfNextMonth } from "../../foundation/calendar.ts";
import { ServiceError } from "../../foundation/errors.ts";
import { transact } from "../../kv/transact.ts";
import type { Brand } from "../brands.ts";
import { PLANS } from "../plans.ts";
import { countKey, pack, type PackedCount, turn, unpack } from "./count.ts";
import { appendMarks, marksOf } from "./marks.ts";

/**
 * Counts that many requests more, all or none, and returns how many are left this month. The meter
 * notices the change as it does that of another process.
 * @param what needs them, for the refusal: "This export"
 * @throws ServiceError `quotaExceeded` if fewer are left
 */
export async function chargeMonth(
  kv: Deno.Kv,
  brand: Brand,
  requests: number,
  { what, at }: { what: string; at: number },
): Promise<number> {
  return await transact(kv, async (commit) => {
    const key = countKey(brand.id);
    const packed = await commit.get<PackedCount>(key);
    const count = turn(unpack(packed), at);
    const left = Math.max(0, PLANS[brand.plan].requestsPerMonth - count.inMonth);
    if (requests > left) {
      throw new ServiceError(
        "quotaExceeded",
        `${what} takes ${requests} more requests of the month's quota, and ${left} are left. ` +
          "Narrow it with filters, wait for the next month, or change to a larger plan.",
        { retryAfter: Math.ceil((startOfNextMonth(at) - at) / SECOND) },
      );
    }
    const next = { ...count, inMonth: count.inMonth + requests };
    commit.set(key, appendMarks(pack(next), marksOf(packed)));
    return left - requests;
  });
}
