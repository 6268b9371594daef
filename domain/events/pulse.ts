/** Wakes the streams of this process when their brand has a new event: one wait a brand for all. */
import { headKey } from "../kv/outbox.ts";
import { awaitEntry, pause } from "../kv/wait.ts";

/** A wait that the streams share that have seen the same. */
interface Wait {
  /** The head's version once it is another one. */
  changed: Promise<string | null>;
  /** How many streams wait for it; the last one to leave ends it. */
  streams: number;
  over: AbortController;
}

export class Pulse {
  readonly #kv: Deno.Kv;
  readonly #waits = new Map<string, Wait>();

  constructor(kv: Deno.Kv) {
    this.#kv = kv;
  }

  /** Names the brand's newest commit of events; null: there was none yet. Read it before the events. */
  async head(brandId: string): Promise<string | null> {
    return (await this.#kv.get(headKey(brandId))).versionstamp;
  }

  /** Waits until the head differs from `seen`: at most `ms` of real time, and not after `signal` aborts. */
  async changed(
    brandId: string,
    seen: string | null,
    ms: number,
    signal: AbortSignal,
  ): Promise<void> {
    const name = `${brandId} ${seen}`;
    const wait = this.#waits.get(name) ?? this.#begin(name, brandId, seen);
    wait.streams++;
    const gone = new AbortController();
    try {
      await Promise.race([wait.changed, pause(ms, AbortSignal.any([signal, gone.signal]))]);
    } finally {
      gone.abort();
      wait.streams--;
      if (wait.streams === 0) {
        wait.over.abort();
        this.#waits.delete(name);
      }
    }
  }

  #begin(name: string, brandId: string, seen: string | null): Wait {
    const over = new AbortController();
    const changed = awaitEntry(
      this.#kv,
      headKey(brandId),
      () => this.head(brandId),
      (head) => head !== seen,
      { waitMs: Infinity, signal: over.signal },
    );
    changed.catch(() => {}); // those who still wait for it are told
    const wait: Wait = { changed, streams: 0, over };
    this.#waits.set(name, wait);
    return wait;
  }
}
