/** Resources: `marquee://posts/{id}`, `marquee://creations/{id}` and `marquee://events`. */
import type { z } from "zod";
import { mayPerform, perform } from "../domain/operations/gate.ts";
import type { AnyOperation, Client } from "../domain/operations/operation.ts";
import { invalid, ServiceError } from "../domain/foundation/errors.ts";
import { getCreation, listCreations } from "../domain/operations/creations.ts";
import type { Caller } from "../domain/brands/meter/meter.ts";
import { readNewestEvents } from "../domain/operations/events.ts";
import { getPost, listPosts } from "../domain/operations/posts.ts";
import type { StoredEvent } from "../domain/kv/event_types.ts";
import { toJsonBytes } from "../domain/foundation/json.ts";
import type { Service } from "../domain/service/service.ts";
import { decoded } from "./json.ts";
import { READ, withScopes } from "./tool.ts";

interface Kind {
  title: string;
  description: string;
  get: AnyOperation;
  list: AnyOperation<z.ZodType<unknown, { data: Entry[] }>>;
  /** A name for one entry of the list. */
  nameOf: (entry: Entry) => string;
}

interface Entry {
  id: string;
  title?: string | null;
  caption?: string;
  idea?: string;
}

const EVENTS = "marquee://events";
const MIME_TYPE = "application/json";
const LISTED = 20;
const NAME_LENGTH = 80;

const KINDS: Record<string, Kind> = {
  posts: {
    title: "Post",
    description: "A published post with its metrics and their history.",
    get: withScopes(getPost, READ),
    list: withScopes(listPosts, READ),
    nameOf: ({ id, title, caption }) => title || caption || id,
  },
  creations: {
    title: "Creation",
    description: "A generated image: its state, prompt and addresses.",
    get: getCreation,
    list: listCreations,
    nameOf: ({ id, idea }) => idea || id,
  },
};

export const RESOURCE_TEMPLATES = Object.entries(KINDS).map(([kind, { title, description }]) => ({
  uriTemplate: `marquee://${kind}/{id}`,
  name: kind,
  title,
  description,
  mimeType: MIME_TYPE,
}));

/** The newest posts and creations that the key's scopes let it read. */
export async function listResources(service: Service, caller: Caller, client: Client) {
  const readable = Object.entries(KINDS).filter(([, { list }]) =>
    mayPerform(caller.key.scopes, list)
  );
  const lists = await Promise.all(readable.map(async ([kind, { list, nameOf }]) => {
    const { value } = await perform(service, caller, list, () => ({ perPage: LISTED }), client);
    return value.data.map((entry) => ({
      uri: `marquee://${kind}/${entry.id}`,
      name: [...nameOf(entry)].slice(0, NAME_LENGTH).join(""),
      mimeType: MIME_TYPE,
    }));
  }));
  return [...lists.flat(), ...mayFollow(caller) ? [EVENTS_RESOURCE] : []];
}

const EVENTS_RESOURCE = {
  uri: EVENTS,
  name: "events",
  title: "Events",
  description: "What happened lately, oldest first. Subscribe to it to be told of each new event.",
  mimeType: MIME_TYPE,
};

/** Whether the key may be told of events. */
export function mayFollow({ key }: Caller): boolean {
  return mayPerform(key.scopes, readNewestEvents);
}

/** @throws ServiceError `notFound`, `forbidden` */
export async function readResource(
  service: Service,
  caller: Caller,
  uri: unknown,
  client: Client,
) {
  if (typeof uri !== "string") throw invalid("uri", "is required");
  const value = await valueOf(service, caller, uri, client);
  return { uri, mimeType: MIME_TYPE, text: decoded(toJsonBytes(value)) };
}

async function valueOf(service: Service, caller: Caller, uri: string, client: Client) {
  if (uri === EVENTS) {
    return (await perform(service, caller, readNewestEvents, () => ({}), client)).value;
  }
  const [, name = "", id = ""] = /^marquee:\/\/(\w+)\/(\w+)$/.exec(uri) ?? [];
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (kind === undefined) throw new ServiceError("notFound", `There is no resource ${uri}.`);
  return (await perform(service, caller, kind.get, () => ({ id }), client)).value;
}

/**
 * The address, if it can be subscribed to and the key may read what is there.
 * @throws ServiceError `validationError`, `notFound`, `forbidden`
 */
export async function requireSubscribable(
  service: Service,
  caller: Caller,
  uri: unknown,
  client: Client,
): Promise<string> {
  const { uri: known } = await readResource(service, caller, uri, client);
  if (known === EVENTS || known.startsWith(CREATIONS)) return known;
  throw invalid("uri", `only ${EVENTS} and ${CREATIONS}{id} can be subscribed to`);
}

const CREATIONS = "marquee://creations/";

/** The resources that an event says have changed. */
export function urisOf({ data: { creationId } }: StoredEvent): string[] {
  return typeof creationId === "string" ? [EVENTS, `${CREATIONS}${creationId}`] : [EVENTS];
}
