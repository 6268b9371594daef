/** A container: a post that is being prepared, and its status until it is published (PLATFORMS A.6). */
import { DAY, MINUTE } from "../../../domain/foundation/calendar.ts";
import type { SandboxAccount } from "../../../domain/platforms/sandbox/accounts.ts";
import type { Service } from "../../../domain/service/service.ts";

export interface Container {
  id: string;
  kind: "image" | "child" | "carousel" | "story";
  /** Addresses of the platform's copies. A carousel holds those of its children. */
  images: { url: string; altText: string }[];
  children: string[];
  caption: string;
  /** Instant, ms. */
  createdAt: number;
  /** How often its status was read. */
  polls: number;
  /** The id of the media that it became. */
  publishedAs: string | null;
}

export type ContainerStatus = "IN_PROGRESS" | "FINISHED" | "EXPIRED" | "PUBLISHED";

export const CONTAINER_LIFE = DAY;
/** Processing ends after the status was read this often, or after this time. */
export const READS_TO_FINISH = 1;
const PROCESSING_MS = MINUTE;

export const containerKey = ({ number }: SandboxAccount, serial: number): Deno.KvKey => [
  "sandbox",
  "instagram",
  "container",
  number,
  serial,
];

/** @param reads how often the status was read; reading a carousel's counts for its children, too */
export async function statusOf(
  service: Service,
  account: SandboxAccount,
  container: Container,
  reads = container.polls,
): Promise<ContainerStatus> {
  if (container.publishedAs !== null) return "PUBLISHED";
  const age = service.now() - container.createdAt;
  if (age >= CONTAINER_LIFE) return "EXPIRED";
  if (reads < READS_TO_FINISH && age < PROCESSING_MS) return "IN_PROGRESS";
  for (const id of container.children) {
    const child = await findContainer(service, account, id);
    const code = child === null
      ? "EXPIRED"
      : await statusOf(service, account, child, reads + child.polls);
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

export const containerId = ({ number }: SandboxAccount, serial: number): string =>
  `179${number}${String(serial).padStart(5, "0")}`;

/** The serial of the account's container with this id, or null. */
export function serialOf({ number }: SandboxAccount, id: string): number | null {
  const match = /^179(\d{10})(\d{5})$/.exec(id);
  return match !== null && Number(match[1]) === number ? Number(match[2]) : null;
}
