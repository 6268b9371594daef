/**
 * Streams: a client opens one in its session to be told when a resource that it has subscribed to
 * has changed. Messages carry the id of an event, so a stream that is opened again, at any process,
 * goes on where the one before it broke off.
 */
import { isExpired, isOver, requireHours } from "../domain/brands/budgets.ts";
import { keyOfId } from "../domain/brands/keys.ts";
import type { Caller } from "../domain/brands/meter/meter.ts";
import { newestEvents, readFeed } from "../domain/events/feed.ts";
import { Pulse } from "../domain/events/pulse.ts";
import { HOUR, SECOND } from "../domain/foundation/calendar.ts";
import { ServiceError } from "../domain/foundation/errors.ts";
import { faultFields } from "../domain/foundation/log.ts";
import { reader } from "../domain/kv/transact.ts";
import type { HeaderFields } from "../domain/operations/http.ts";
import type { Client } from "../domain/operations/operation.ts";
import type { Service } from "../domain/service/service.ts";
import { urisOf } from "./resources.ts";
import { Seats } from "./seats.ts";
import type { Session } from "./session.ts";
import { noteListener, readRow, type SessionRow } from "./subscriptions.ts";

/** Open streams of one key in this process. */
const MOST_STREAMS = 50;
/** A comment this often keeps proxies from ending a quiet stream. The key is looked at as often. */
const BEAT_MS = 15 * SECOND;
/** A stream ends after this long; the client opens the next one by itself. */
const MOST_MS = HOUR;
/** How long a client is to wait before it opens a stream again; official clients try twice. */
const RETRY_MS = 3 * SECOND;
/** Events that are looked through at once. After more of them, everything may have changed. */
const MOST_EVENTS = 100;

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

interface Source {
  caller: Caller;
  session: Session;
  request: Request;
  client: Client;
}

export class Streams {
  readonly #service: Service;
  readonly #pulse: Pulse;
  readonly #seats = new Seats(MOST_STREAMS);
  /** By session, what ends each of its streams. Only the newest one tells, so nothing comes twice. */
  readonly #open = new Map<string, AbortController[]>();

  constructor(service: Service) {
    this.#service = service;
    this.#pulse = new Pulse(service.kv);
  }

  /** @throws ServiceError `rateLimitExceeded` past the most, `forbidden` outside the key's hours */
  open(source: Source, headers: HeaderFields): Response {
    const { session, caller, client } = source;
    requireHours(caller.key, this.#service.now());
    const leave = this.#seats.take(session.keyId);
    if (leave === null) {
      throw new ServiceError(
        "rateLimitExceeded",
        `A key may hold ${MOST_STREAMS} streams open. Close one first.`,
        { retryAfter: BEAT_MS / SECOND },
      );
    }
    const own = new AbortController();
    this.#open.set(session.id, [...this.#open.get(session.id) ?? [], own]);
    const ended = AbortSignal.any([own.signal, client.signal, this.#service.stopping]);
    const pieces = this.#tell(source, own, ended);
    const encoder = new TextEncoder();
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const close = () => {
          leave();
          this.#forget(session, own);
          if (!isCancelled) controller.close();
        };
        if (ended.aborted) close();
        else ended.addEventListener("abort", close, { once: true });
      },
      pull: async (controller) => {
        const next = await pieces.next().catch((error) => this.#ended(error));
        if (next.done === true) own.abort();
        else if (!ended.aborted) controller.enqueue(encoder.encode(next.value));
      },
      cancel: () => {
        isCancelled = true;
        own.abort();
      },
    });
    return new Response(body, { headers: { ...headers, ...HEADERS } });
  }

  /** A stream that fails, as when the store is away, ends; the client opens the next one. */
  #ended(error: unknown): IteratorReturnResult<void> {
    this.#service.log.warn("mcp.stream", faultFields(error));
    return { done: true, value: undefined };
  }

  /** Ends the session's streams in this process. Other processes notice at the next beat. */
  end({ id }: Session): void {
    for (const stream of this.#open.get(id) ?? []) stream.abort();
  }

  #forget({ id }: Session, stream: AbortController): void {
    const others = (this.#open.get(id) ?? []).filter((one) => one !== stream);
    if (others.length === 0) this.#open.delete(id);
    else this.#open.set(id, others);
  }

  async *#tell(source: Source, own: AbortController, ended: AbortSignal): AsyncGenerator<string> {
    const { session, request } = source;
    const { brandId } = session;
    const endsAt = performance.now() + MOST_MS;
    let place: Place = request.headers.get("last-event-id") ?? undefined;
    let seen = await this.#pulse.head(brandId);
    await noteListener(this.#service, session);
    yield `retry: ${RETRY_MS}\n\n`;
    while (performance.now() < endsAt) {
      const row = await readRow(this.#service, session);
      if (row?.hasEnded === true || !await this.#mayFollow(source)) return;
      const isNewest = this.#open.get(session.id)?.at(-1) === own;
      const news = await this.#news(brandId, isNewest ? row : null, place);
      place = news.place;
      if (ended.aborted) return;
      // A client that breaks off within these hears of all of them again: only the last has the id.
      yield news.uris.length === 0 ? ":\n\n" : messages(news.uris, `${place ?? ""}`);
      await this.#pulse.changed(brandId, seen, BEAT_MS, ended);
      if (ended.aborted) return;
      seen = await this.#pulse.head(brandId);
    }
  }

  /** Whether the key, and the access token with which the stream was opened, still work. */
  async #mayFollow({ caller: { key } }: Source): Promise<boolean> {
    const at = this.#service.now();
    if (isExpired(key, at)) return false;
    const found = await keyOfId(reader(this.#service.kv), key.id);
    if (found === null || found.key.revokedAt !== null || isOver(found.key, at)) return false;
    try {
      requireHours(key, at);
      return true;
    } catch {
      return false;
    }
  }

  /** Which of the session's resources have changed after `place`. */
  async #news(brandId: string, row: SessionRow | null, place: Place): Promise<News> {
    if (row === null || row.uris.length === 0) return { uris: [], place: undefined };
    const after = place === undefined ? row.after : place;
    const query = { after, types: [], limit: MOST_EVENTS };
    const patience = { waitMs: 0, signal: this.#service.stopping };
    const page = await readFeed(this.#service, brandId, query, patience).catch(orNull);
    if (page === null || page.events.length === MOST_EVENTS) {
      const { nextAfter } = await newestEvents(this.#service.kv, brandId, 1);
      return { uris: row.uris, place: nextAfter };
    }
    const changed = new Set(page.events.flatMap(urisOf));
    return { uris: row.uris.filter((uri) => changed.has(uri)), place: page.nextAfter };
  }
}

/** The last event that the client was told of; null: from the oldest; undefined: not told of any. */
type Place = string | null | undefined;

interface News {
  uris: string[];
  place: Place;
}

/** A place that the store doesn't know, as after a restore, is no fault. */
function orNull(error: unknown): null {
  if (error instanceof ServiceError && error.code === "validationError") return null;
  throw error;
}

function messages(uris: string[], id: string): string {
  return uris.map((uri, nth) => {
    const message = { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri } };
    const last = nth === uris.length - 1 && id !== "" ? `id: ${id}\n` : "";
    return `event: message\n${last}data: ${JSON.stringify(message)}\n\n`;
  }).join("");
}
