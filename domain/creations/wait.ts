/** Waiting for a creation to become terminal. */
import { awaitEntry, type WaitOptions } from "../waiting.ts";
import { isTerminal, type StoredCreation } from "./shape.ts";
import { creationKey, readListed } from "./store.ts";

/** The creation once it is terminal or the wait has run out; null when there is none (any more). */
export function awaitTerminal(
  kv: Deno.Kv,
  brandId: string,
  id: string,
  options: WaitOptions,
): Promise<StoredCreation | null> {
  return awaitEntry(
    kv,
    creationKey(brandId, id),
    () => readListed(kv, brandId, id),
    (creation) => creation === null || isTerminal(creation),
    options,
  );
}
