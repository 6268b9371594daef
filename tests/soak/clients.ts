/** Integrations over REST and agents over MCP: each sends a wish until it knows what became of it. */
import { ERRORS } from "../../domain/foundation/errors.ts";
import { wishOf } from "./acts.ts";
import { handOf, type Wish } from "./wishes.ts";
import type { Known } from "./known.ts";
import { type Journal, meteredBy, type Sure, toldOf } from "./journal.ts";
import type { Role, SiteName, Step } from "./schedule.ts";
import type { Json } from "../support/json.ts";

/** Longer than a request may wait for a platform. */
const PATIENCE_MS = 45_000;
/** How often a request with an Idempotency-Key is sent when no answer tells what became of it. */
const MOST_TRIES = 5;
const AGAIN_IN_MS = 1_500;
/** So often is a request sent again although it was answered. */
const REPEATED = 0.3;

/** One brand's keys at one site. */
export interface Client {
  site: SiteName;
  url: string;
  known: Known;
  secrets: Record<Exclude<Role, "person">, string>;
}

export interface Answer {
  /** 0: none came. */
  status: number;
  served: boolean;
  code: string | null;
  message: string | null;
  body: Json;
}

/** Performs a step of an agent or an integration. */
export async function act(
  journal: Journal,
  client: Client,
  step: Step,
  now: number,
): Promise<void> {
  const { known } = client;
  const wish = wishOf(step, handOf(step, known, now));
  if (wish !== null) await fulfil(journal, client, step, wish);
}

async function fulfil(
  journal: Journal,
  client: Client,
  step: Step,
  wish: Wish,
): Promise<void> {
  const { known } = client;
  let last: Json = null;
  const isAgent = step.role === "agent" && wish.tool !== undefined;
  const key = wish.keyed === true ? crypto.randomUUID() : null;
  const made: string[] = [];
  const told: string[] = [];
  let done: Sure = "no";
  for (let tries = 1;; tries++) {
    const answer = await attempt(journal, client, step, wish, isAgent, key);
    told.push(toldOf(journal.attempts.at(-1)!));
    const { status, body } = answer;
    if (status >= 200 && status < 300) {
      done = "yes";
      last = body;
      if (typeof body?.id === "string") made.push(body.id);
      wish.learn?.(body, known);
      const repeats = key !== null && made.length === 1 && (step.rolls[5] ?? 1) < REPEATED;
      if (!repeats) break;
    } else if (isUnknown(status) || (wish.refusedLate === true && status >= 400)) {
      if (done === "no") done = "maybe";
    } else break;
    if (key === null || tries === MOST_TRIES || made.length > 1) break;
    await new Promise((go) => setTimeout(go, AGAIN_IN_MS));
  }
  const { site } = client;
  const of = { site, brandId: known.brandId, act: step.act };
  if (key !== null) journal.repeated.push({ ...of, made });
  if (wish.leaves !== undefined) {
    const subject = wish.subject ?? made[0] ?? null;
    journal.deeds.push({
      ...of,
      action: wish.leaves,
      subject,
      done,
      again: wish.again ?? null,
      told,
    });
  }
  const next = done === "yes" ? wish.follow?.(last) : undefined;
  if (next === undefined) return;
  const headers = { "content-type": "image/png" };
  await send(next.put, { method: "PUT", headers, body: next.bytes });
  await fulfil(journal, client, step, next.wish);
}

const isUnknown = (status: number) => status === 0 || status >= 500;

async function attempt(
  journal: Journal,
  client: Client,
  step: Step,
  wish: Wish,
  isAgent: boolean,
  key: string | null,
): Promise<Answer> {
  const sentAt = journal.at;
  const answer = isAgent
    ? await callTool(client, wish.tool!, key)
    : await callRest(client, wish.rest, key);
  const { status, served, code, message } = answer;
  journal.attempts.push({
    ...{ site: client.site, brandId: client.known.brandId, role: step.role, act: step.act },
    ...{ sentAt, endedAt: journal.at, status, served, code, message },
    metered: meteredBy(status, wish.costs ?? "request"),
    needs: wish.needs ?? null,
  });
  return answer;
}

async function callRest(
  { url, secrets }: Client,
  [method, path, body]: Wish["rest"],
  key: string | null,
): Promise<Answer> {
  const headers = new Headers({ authorization: `Bearer ${secrets.integration}` });
  if (body !== undefined) headers.set("content-type", "application/json");
  if (key !== null) headers.set("idempotency-key", key);
  const sent = body === undefined ? null : JSON.stringify(body);
  const answer = await send(url + path, { method, headers, body: sent });
  return read(answer.served, answer.status, parsed(answer.text));
}

async function callTool(
  { url, secrets }: Client,
  [name, input]: NonNullable<Wish["tool"]>,
  key: string | null,
): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${secrets.agent}`,
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-protocol-version": "2025-06-18",
  };
  const args = key === null ? input : { ...input, idempotencyKey: key };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  const answer = await send(`${url}/mcp`, { method: "POST", headers, body: JSON.stringify(call) });
  const { served } = answer;
  const { result, error } = parsed(answer.text) ?? {};
  if (answer.status !== 200 || result === undefined) {
    const status = answer.status === 200 ? 500 : answer.status;
    return read(served, status, error ?? parsed(answer.text));
  }
  const { isError, structuredContent } = result;
  if (isError !== true) return read(served, 200, structuredContent);
  return read(served, statusOf(structuredContent?.error?.code), structuredContent);
}

function statusOf(code: string): number {
  return (ERRORS as Record<string, { status: number }>)[code]?.status ?? 500;
}

function read(served: boolean, status: number, body: Json): Answer {
  const { code = null, message = null } = status < 400 ? {} : body?.error ?? {};
  return { served, status, code, message, body };
}

/** Sends it; a status of 0 says that no whole answer came. */
export async function send(
  url: string,
  init: RequestInit,
): Promise<{ status: number; served: boolean; text: string; location: string }> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(url, { ...init, signal, redirect: "manual" });
    const location = answer.headers.get("location") ?? "";
    const served = answer.headers.has("x-request-id");
    return { status: answer.status, served, text: await answer.text(), location };
  } catch {
    return { status: 0, served: false, text: "", location: "" };
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
