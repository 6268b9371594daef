/** Containers: made, looked at while they are processed, gone after a day (PLATFORMS A.6 steps 1 to 4). */
import { DAY, MINUTE } from "../../../domain/calendar.ts";
import { transact } from "../../../domain/kv.ts";
import type { SandboxAccount } from "../../../domain/sandbox/accounts.ts";
import type { Service } from "../../../domain/service.ts";
import { json } from "../wire.ts";
import { type GraphCall, requireOwner, requireScope } from "./call.ts";
import { drafted } from "./draft.ts";
import { graphError, noSuchObject } from "./errors.ts";
import { parseFields, pick } from "./fields.ts";

export interface Container {
  id: string;
  kind: "image" | "child" | "carousel" | "story";
  /** Addresses of the platform's copies: one, or none of a carousel. */
  images: { url: string; altText: string }[];
  children: string[];
  caption: string;
  /** Instant, ms. */
  createdAt: number;
  /** How often its status has been asked for. */
  polls: number;
  /** The media it became. */
  publishedAs: string | null;
}

export type StatusCode = "IN_PROGRESS" | "FINISHED" | "EXPIRED" | "PUBLISHED";

const LIFE_MS = DAY;
const A_DAY = 400;
/** Processing is over after this many looks, or this long. */
const POLLS = 1;
const PROCESSING_MS = MINUTE;

export const containerKey = ({ number }: SandboxAccount, serial: number): Deno.KvKey => [
  "sandbox",
  "instagram",
  "container",
  number,
  serial,
];
const serialKey = ({ number }: SandboxAccount): Deno.KvKey => [
  "sandbox",
  "instagram",
  "containers",
  number,
];

/** `POST /{ig}/media` */
export async function createContainer(
  service: Service,
  call: GraphCall,
  owner: string,
): Promise<Response> {
  requireOwner(call, owner);
  requireScope(call, "instagram_business_content_publish");
  const draft = await drafted(service, call);
  const id = await transact(service.kv, async (commit) => {
    const serial = await commit.get<number>(serialKey(call.account)) ?? 0;
    const oldest = await commit.get<Container>(containerKey(call.account, serial - A_DAY));
    if (oldest !== null && oldest.createdAt > service.now() - LIFE_MS) {
      throw graphError({
        status: 403,
        code: 9,
        subcode: 2207042,
        message: "(#9) Application request limit reached",
      });
    }
    const id = containerId(call.account, serial);
    const container: Container = {
      ...draft,
      id,
      createdAt: service.now(),
      polls: 0,
      publishedAs: null,
    };
    commit.set(serialKey(call.account), serial + 1);
    commit.set(containerKey(call.account, serial), container);
    return id;
  });
  return json({ id });
}

/** `GET /{container}?fields=status_code,status`: each look brings the processing forward. */
export async function readContainer(
  service: Service,
  call: GraphCall,
  id: string,
): Promise<Response> {
  const serial = serialOf(call.account, id);
  const container = serial === null ? null : await transact(service.kv, async (commit) => {
    const found = await commit.get<Container>(containerKey(call.account, serial));
    if (found !== null && found.polls <= POLLS) {
      commit.set(containerKey(call.account, serial), { ...found, polls: found.polls + 1 });
    }
    return found;
  });
  if (container === null) throw noSuchObject(id);
  const code = await statusOf(service, call.account, container);
  const node = { id, status_code: code, status: STATUS_TEXT[code], copyright_check_status: {} };
  const fields = parseFields(call.params["fields"] ?? "id");
  return json({ id, ...pick(node, fields, "MediaBuilder") });
}

const STATUS_TEXT: Record<StatusCode, string> = {
  IN_PROGRESS: "In Progress: Media is still being processed.",
  FINISHED: "Finished: Media has been uploaded and it is ready to be published.",
  EXPIRED: "Expired: The media was not published within 24 hours.",
  PUBLISHED: "Published: Media has been published.",
};

/** @param looks how often it was asked for: a look at a carousel is one at its children */
export async function statusOf(
  service: Service,
  account: SandboxAccount,
  container: Container,
  looks = container.polls,
): Promise<StatusCode> {
  if (container.publishedAs !== null) return "PUBLISHED";
  const age = service.now() - container.createdAt;
  if (age >= LIFE_MS) return "EXPIRED";
  if (looks < POLLS && age < PROCESSING_MS) return "IN_PROGRESS";
  for (const id of container.children) {
    const child = await findContainer(service, account, id);
    const code = child === null
      ? "EXPIRED"
      : await statusOf(service, account, child, looks + child.polls);
    if (code === "IN_PROGRESS" || code === "EXPIRED") return code;
  }
  return "FINISHED";
}

export async function findContainer(
  { kv }: Service,
  account: SandboxAccount,
  id: string,
): Promise<Container | null> {
  const serial = serialOf(account, id);
  return serial === null ? null : (await kv.get<Container>(containerKey(account, serial))).value;
}

const containerId = ({ number }: SandboxAccount, serial: number): string =>
  `179${number}${String(serial).padStart(5, "0")}`;

/** The serial of one of the account's containers, or null. */
export function serialOf({ number }: SandboxAccount, id: string): number | null {
  const match = /^179(\d{10})(\d{5})$/.exec(id);
  return match !== null && Number(match[1]) === number ? Number(match[2]) : null;
}
