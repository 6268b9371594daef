/** Discord's webhooks: builds a message within its limits, sends it once, interprets the answer (PLATFORMS E). */
import { z } from "zod";
import { SECOND } from "../foundation/calendar.ts";
import type { Service } from "../service/service.ts";

export interface Message {
  title: string;
  text: string;
  fields: { name: string; value: string }[];
  /** 24-bit RGB, for a glance at the urgency. */
  color: number;
  /** Where the title leads; absent in messages of earlier versions. */
  url?: string;
  /** A picture at a public address; absent: none. */
  image?: string;
}

export type Sent =
  | { state: "delivered"; messageId: string | null }
  /** Rate-limited, so nothing was posted. The next try may come after `retryAfter` ms. */
  | { state: "limited"; retryAfter: number }
  /** The brand has no webhook, or it was switched off. */
  | { state: "off" }
  /** Discord says that the webhook no longer exists. */
  | { state: "dead"; reason: string }
  /** Discord will never accept this message. */
  | { state: "refused"; reason: string }
  /** No answer or a server error, so the message may or may not have been posted. */
  | { state: "failed"; reason: string };

const LIMITS = { title: 256, text: 4_096, fields: 25, name: 256, value: 1_024, all: 6_000 };
const CALL_MS = 10 * SECOND;
const LONGEST_WAIT_S = 3_600;

/** The request body of a message: one embed, without mentions, with its id in the footer. */
export function payloadOf(message: Message, id: string, sentAt: string): unknown {
  const footer = clip(id, 200);
  const title = clip(message.title, LIMITS.title);
  const description = clip(message.text, LIMITS.text - 1_000);
  let left = LIMITS.all - footer.length - title.length - description.length;
  const fields: Message["fields"] = [];
  for (const field of message.fields.slice(0, LIMITS.fields)) {
    const name = clip(field.name, LIMITS.name);
    const value = clip(field.value, Math.min(LIMITS.value, left - name.length));
    if (name.trim() === "" || value.trim() === "" || name.length + value.length > left) continue;
    left -= name.length + value.length;
    fields.push({ name, value });
  }
  return {
    allowed_mentions: { parse: [] },
    embeds: [{
      title,
      description,
      color: message.color,
      fields,
      ...(message.url === undefined ? {} : { url: message.url }),
      ...(message.image === undefined ? {} : { image: { url: message.image } }),
      footer: { text: footer },
      timestamp: sentAt,
    }],
  };
}

const Answer = z.object({ id: z.string().optional(), retry_after: z.number().optional() });

/** Posts a message to a webhook and waits until Discord has saved it. */
export async function postWebhook(
  service: Pick<Service, "http">,
  url: string,
  payload: unknown,
  signal: AbortSignal,
): Promise<Sent> {
  const address = new URL(url);
  address.searchParams.set("wait", "true");
  try {
    const response = await service.http(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(payload),
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
    });
    const text = await response.text();
    return judge(response, Answer.safeParse(parsed(text)).data ?? {}, clip(text, 200));
  } catch (error) {
    if (signal.aborted) throw error;
    return { state: "failed", reason: "Discord did not answer." };
  }
}

/** Cuts to `length` UTF-16 units. Discord counts characters, of which there are never more. */
function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, Math.max(0, length - 1)).replace(/[\ud800-\udbff]$/, "")}…`;
}

function judge(
  { status, headers }: Response,
  answer: z.output<typeof Answer>,
  words: string,
): Sent {
  const reason = `Discord answered ${status}: ${words}`;
  if (status >= 200 && status < 300) return { state: "delivered", messageId: answer.id ?? null };
  if (status === 401 || status === 404) return { state: "dead", reason };
  if (status === 429) {
    const seconds = answer.retry_after ?? Number(headers.get("retry-after") ?? 10);
    const wait = Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), LONGEST_WAIT_S) : 10;
    return { state: "limited", retryAfter: Math.ceil(wait * SECOND) };
  }
  return status >= 500 ? { state: "failed", reason } : { state: "refused", reason };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
