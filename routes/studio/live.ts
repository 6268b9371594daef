/**
 * Live pages: a stream for each tab that is looked at says when the brand's posts have changed. The
 * page then fetches itself and takes over the cards that differ, so there is one way to render a card.
 */
import { MINUTE, SECOND } from "../../domain/foundation/calendar.ts";

/** How often a stream looks: commits of other processes wake no watch here. */
const LOOK_MS = 2 * SECOND;
/** A comment this often keeps proxies from ending a quiet stream. */
const BEAT_MS = 20 * SECOND;
/** A stream ends after this long; the browser opens the next one by itself. */
const MOST_MS = 10 * MINUTE;
/** Open streams of a session in this process. */
const MOST_STREAMS = 5;

export interface LiveSource {
  /** Whose streams are counted together. */
  sessionId: string;
  /** The version that the page shows. */
  since: string;
  version: () => Promise<string>;
  /** Whether the person still is in the brand. */
  stillMay: () => Promise<boolean>;
  /** The client is gone, or the service stops. */
  signal: AbortSignal;
}

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

export class LiveStreams {
  readonly #open = new Map<string, number>();

  /** Answers with a stream; with 204, at which a browser asks no more, when the session has enough. */
  answer(source: LiveSource): Response {
    const { sessionId, signal } = source;
    const count = this.#open.get(sessionId) ?? 0;
    if (count >= MOST_STREAMS) return new Response(null, { status: 204 });
    this.#open.set(sessionId, count + 1);
    const gone = new AbortController();
    const ended = AbortSignal.any([gone.signal, signal]);
    const body = new ReadableStream<Uint8Array>({
      start: async (controller) => {
        try {
          await tell(source, controller, ended);
        } finally {
          this.#leave(sessionId);
          if (!gone.signal.aborted) controller.close();
        }
      },
      cancel: () => gone.abort(),
    });
    return new Response(body, { headers: HEADERS });
  }

  #leave(sessionId: string): void {
    const left = (this.#open.get(sessionId) ?? 1) - 1;
    if (left === 0) this.#open.delete(sessionId);
    else this.#open.set(sessionId, left);
  }
}

async function tell(
  { since, version, stillMay }: LiveSource,
  controller: ReadableStreamDefaultController<Uint8Array>,
  ended: AbortSignal,
): Promise<void> {
  const encoder = new TextEncoder();
  const say = (text: string) => controller.enqueue(encoder.encode(text));
  const endsAt = performance.now() + MOST_MS;
  let told = since;
  let saidAt = performance.now();
  say(`retry: ${LOOK_MS}\n\n`);
  while (!ended.aborted && performance.now() < endsAt) {
    const now = await version();
    if (ended.aborted) return;
    if (now !== told) {
      if (!await stillMay() || ended.aborted) return;
      told = now;
      saidAt = performance.now();
      say(`id: ${now}\nevent: posts\ndata: ${now}\n\n`);
    } else if (performance.now() - saidAt > BEAT_MS) {
      if (!await stillMay() || ended.aborted) return;
      saidAt = performance.now();
      say(":\n\n");
    }
    await pause(LOOK_MS, ended);
  }
}

function pause(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      ended.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, ms);
    ended.addEventListener("abort", end);
    if (ended.aborted) end();
  });
}
