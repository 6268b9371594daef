/** Prints another overlay on a complete creation, or removes it. */
import { notFound } from "../foundation/errors.ts";
import { type Commit, transact } from "../kv/transact.ts";
import type { Overlay } from "../media/overlays/shape.ts";
import type { Service } from "../service/service.ts";
import { dropFinal, rerender } from "./render.ts";
import { move, type StoredCreation } from "./shape.ts";
import { readCreation, writeCreation } from "./store.ts";

/**
 * @param also writes more in the commit of the new overlay
 * @throws ServiceError `conflict` when the creation is not complete
 */
export async function printOverlay(
  service: Service,
  creation: StoredCreation,
  overlay: Overlay | null,
  also: (commit: Commit) => void = () => {},
): Promise<StoredCreation> {
  const { id, brandId } = creation;
  const rendered = await rerender(service, move(creation, "overlay", { overlay }));
  return await transact(service.kv, async (commit) => {
    const stored = await readCreation(commit, brandId, id);
    if (stored === null) throw notFound("creation");
    const next = move(stored, "overlay", { overlay, finalKey: rendered.finalKey });
    writeCreation(commit, next);
    await rendered.keep(commit);
    await dropFinal(service, commit, stored);
    also(commit);
    return next;
  });
}
