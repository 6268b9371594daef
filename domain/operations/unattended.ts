/** What is published by its time alone, without anybody who approves it. */
import { ServiceError } from "../foundation/errors.ts";
import { reader } from "../kv/transact.ts";
import { findSlot, slotsWith } from "../series/slot_rows.ts";
import { isGone, releaseNeeded, seriesOf } from "../series/steering.ts";
import { waitsForApproval } from "./gate.ts";
import type { Context } from "./operation.ts";

const OPEN = ["planned", "generating", "ready", "held"];

/**
 * A person who may not publish changes no picture of a post that would be published with it unattended.
 * @throws ServiceError `forbidden`
 */
export async function requireAttended(context: Context, creationId: string): Promise<void> {
  const { kv, brand } = context;
  if (!waitsForApproval(context)) return;
  const from = reader(kv);
  for (const id of await slotsWith(kv, brand.id, creationId)) {
    const slot = await findSlot(from, brand.id, id);
    if (slot === null || !OPEN.includes(slot.status)) continue;
    const series = await seriesOf(from, slot);
    if (isGone(slot, series) || releaseNeeded(slot, series) === "approval") continue;
    throw new ServiceError(
      "forbidden",
      "This picture is in a scheduled post that needs no approval. Change the text on the post " +
        "itself; it then waits for approval.",
    );
  }
}
