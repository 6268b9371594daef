/** Notes when the machine is too slow for the soak: a store's answer comes late although nothing is wrong. */
import { SECOND } from "../../domain/foundation/calendar.ts";
import type { Trouble } from "./chaos.ts";
import type { Journal } from "./journal.ts";
import { pause, type Site } from "./site.ts";

const EVERY_MS = SECOND / 4;
/** A read that takes this long lets the service's own reads run out of time. */
const SLOW_MS = SECOND;

export class Slowness implements Disposable {
  #ended = false;

  /** @param site its store is asked directly, past the proxy that fails on purpose */
  constructor(site: Site, journal: Journal, troubles: Trouble[]) {
    void this.#watch(site, journal, troubles);
  }

  async #watch({ name, kv }: Site, journal: Journal, troubles: Trouble[]): Promise<void> {
    while (!this.#ended) {
      const from = journal.at;
      await pause(EVERY_MS);
      await kv.get(["clock"]).catch(() => null);
      const to = journal.at;
      if (to - from > EVERY_MS + SLOW_MS) troubles.push({ site: name, kind: "slow", from, to });
    }
  }

  [Symbol.dispose](): void {
    this.#ended = true;
  }
}
