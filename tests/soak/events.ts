/** Events, where the service has them: each is listed once, and reaches the webhook. */
import type { Books, Finding, Owner } from "./books.ts";
import { readDelivery } from "../../domain/events/webhooks/deliveries.ts";
import type { Job } from "../../domain/kv/jobs/job.ts";
import { listValues } from "../../domain/kv/transact.ts";
import type { StoredSlot } from "../../domain/series/records.ts";
import { hashOf } from "../../domain/foundation/chance.ts";

interface Event {
  id: string;
  type: string;
}

/** One message of a webhook, named by its `webhook-id`. */
interface Message {
  event: Event;
  text: string;
  /** Answers that took it; a later one means that it was sent once more. */
  taken: number;
}

/** One of so many deliveries is refused, so that it has to come again. */
const REFUSES = 7;
const PER_PAGE = 100;

/** A receiver of webhooks that refuses some, and counts them by their id. */
export class Receiver implements AsyncDisposable {
  readonly messages = new Map<string, Message>();
  readonly wrong: string[] = [];
  /** Ids of events from before it was told of any. */
  readonly before = new Set<string>();
  readonly url: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #refused = new Set<string>();

  constructor() {
    const options = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
    this.#server = Deno.serve(options, (request) => this.#receive(request));
    this.url = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  get host(): string {
    return new URL(this.url).host;
  }

  async #receive(request: Request): Promise<Response> {
    const id = request.headers.get("webhook-id") ?? "";
    const text = await request.text();
    if (id === "" || !request.headers.has("webhook-signature")) {
      this.wrong.push("a message has no id, or is not signed");
      return new Response(null, { status: 400 });
    }
    if (hashOf(id) % REFUSES === 0 && !this.#refused.has(id)) {
      this.#refused.add(id);
      return new Response(null, { status: 500 });
    }
    const before = this.messages.get(id);
    if (before !== undefined && before.text !== text) {
      this.wrong.push(`message ${id} came with another body`);
    }
    const taken = (before?.taken ?? 0) + 1;
    this.messages.set(id, { event: JSON.parse(text), text, taken });
    return new Response(null, { status: 204 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Gives each brand a webhook; false where the service has no events. */
export async function listen(
  books: Books & { url: string },
  owners: Owner[],
  receiver: Receiver,
): Promise<boolean> {
  const { url } = books;
  for (const { secret, known } of owners) {
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const hook = { url: `${receiver.url}/${known.brandId}`, types: [], description: "soak" };
    const init = { method: "POST", headers, body: JSON.stringify(hook) };
    const answer = await fetch(`${url}/v1/webhooks`, init);
    const text = await answer.text();
    if (answer.status === 404) return false;
    if (answer.status !== 201) throw new Error(`No webhook: ${answer.status} ${text}`);
    for (const { id } of await eventsOf(books, secret) ?? []) receiver.before.add(id);
  }
  return true;
}

/** Ids of the brand's events that wait for their next try, or to be handed to the webhooks. */
async function eventsUnderWay({ service: { kv } }: Books, brandId: string): Promise<Set<string>> {
  const jobs = await listValues<Job>(kv, ["job"]);
  const own = jobs.filter((job) => job.brandId === brandId && job.state !== "dead");
  const ids: string[] = [];
  for (const { kind, subject } of own as { kind: string; subject: Subject }[]) {
    if (kind === "fanOut") ids.push(...subject.eventIds ?? []);
    if (kind !== "deliverEvent") continue;
    const { webhookId = "", deliveryId = "" } = subject;
    const delivery = await readDelivery(kv, brandId, webhookId, deliveryId);
    if (delivery !== null) ids.push(delivery.eventId);
  }
  return new Set(ids);
}

type Subject = { eventIds?: string[]; webhookId?: string; deliveryId?: string };

export async function checkEvents(
  books: Books,
  owners: Owner[],
  receiver: Receiver,
): Promise<Finding[]> {
  const wrong: string[] = [];
  let looked = 0;
  let again = 0;
  for (const { known: { brandId }, secret } of owners) {
    const events = await eventsOf(books, secret);
    if (events === null) return [skipped(books)];
    looked += events.length;
    const ids = events.map(({ id }) => id);
    if (new Set(ids).size !== ids.length) wrong.push(`an event of ${brandId} is listed twice`);
    const messages = [...receiver.messages.values()];
    const arrived = new Set(messages.map(({ event }) => event.id));
    const underWay = await eventsUnderWay(books, brandId);
    for (const { id, type } of events) {
      // A webhook hears of what happens after it was made.
      if (!arrived.has(id) && !receiver.before.has(id) && !underWay.has(id)) {
        wrong.push(`${type} ${id} of ${brandId} did not arrive`);
      }
    }
    again += messages.filter(({ event, taken }) => taken > 1 && ids.includes(event.id)).length;
    const published = events.filter(({ type }) => type === "item.published");
    const texts = published.map((event) => JSON.stringify(event));
    for (
      const { id, status } of await listValues<StoredSlot>(books.service.kv, ["slot", brandId])
    ) {
      const told = texts.filter((text) => text.includes(id)).length;
      if (told !== (status === "published" ? 1 : 0)) {
        wrong.push(`${id} is ${status}, and ${told} events say that it is published`);
      }
    }
  }
  const note = `${again} arrived once more after they were taken`;
  return [{ name: `${books.name}: events, each once and delivered`, looked, wrong, note }];
}

const skipped = ({ name }: Books): Finding => ({
  name: `${name}: events`,
  looked: 0,
  wrong: [],
  note: "skipped: the service has no /v1/events",
});

/** All events of the brand, oldest first; null where the service has none. */
async function eventsOf(books: Books, secret: string): Promise<Event[] | null> {
  const events: Event[] = [];
  for (let after = "";;) {
    const from = after === "" ? "" : `&after=${after}`;
    const answer = await books.ask(`/v1/events?limit=${PER_PAGE}${from}`, secret);
    if (answer.status === 404) {
      await answer.body?.cancel();
      return null;
    }
    const { data, nextAfter }: { data: Event[]; nextAfter: string | null } = await answer.json();
    events.push(...data);
    const last = nextAfter ?? data.at(-1)?.id ?? "";
    if (data.length === 0 || last === after) return events;
    after = last;
  }
}
