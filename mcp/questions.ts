/**
 * Questions to the person at the client (elicitation). One is asked on the stream of the call that
 * needs it. The answer comes as a message of its own, perhaps to another process, so it goes through
 * the store: to the row of its question, which nobody knows but that client, and only once.
 */
// @ts-types="@modelcontextprotocol/sdk/types"
import { ElicitResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { MINUTE } from "../domain/foundation/calendar.ts";
import { ServiceError } from "../domain/foundation/errors.ts";
import { newToken, sha256 } from "../domain/foundation/secrets.ts";
import { reader, transact } from "../domain/kv/transact.ts";
import { awaitEntry } from "../domain/kv/wait.ts";
import type { Service } from "../domain/service/service.ts";
import { Seats } from "./seats.ts";
import type { Session } from "./session.ts";

/** `gone`: the client has given up the call. */
export type Verdict = "yes" | "no" | "dismissed" | "gone";

interface QuestionRow {
  /** The name of the call that waits. */
  call: string;
  verdict: Verdict | null;
}

/** A form with one box to tick. */
export interface Form {
  message: string;
  /** What the box says. */
  title: string;
}

/** Sends a question with this id on the stream of the call. */
export type SendQuestion = (id: string, params: Record<string, unknown>) => Promise<void>;

/** A call that can ask. */
export interface Asker {
  session: Session;
  callId: string | number;
  send: SendQuestion;
  /** The client is gone, or the service stops. */
  signal: AbortSignal;
}

/** Questions of one key that wait in this process. */
const MOST_QUESTIONS = 20;
const seats = new Seats(MOST_QUESTIONS);

const COLLECTION = "mcpQuestion";
const prefixOf = ({ brandId, keyId, id }: Session): Deno.KvKey => [COLLECTION, brandId, keyId, id];

/** How long a cancelled call is remembered: it may not have asked, or not have arrived, by then. */
const CANCELLED_MS = MINUTE;

/** Where it is noted that a call is cancelled. */
const cancelledKey = ({ brandId, keyId, id }: Session, call: string): Deno.KvKey => [
  "mcpCancelled",
  brandId,
  keyId,
  id,
  call,
];

/** A name for a call. Its id is the client's, so it may be longer than what the store takes. */
const nameOf = (callId: Asker["callId"]): Promise<string> => sha256(JSON.stringify(callId));

/**
 * Asks and waits. Null: nobody has answered in time. Asks nothing when the call is cancelled already.
 * @throws ServiceError `rateLimitExceeded` when too many questions of the key wait
 */
export async function ask(
  { kv, patience }: Pick<Service, "kv" | "patience">,
  { session, callId, send, signal }: Asker,
  { message, title }: Form,
): Promise<Verdict | null> {
  const call = await nameOf(callId);
  const cancelled = cancelledKey(session, call);
  const leave = seats.take(session.keyId);
  if (leave === null) {
    throw new ServiceError(
      "rateLimitExceeded",
      `${MOST_QUESTIONS} questions of this key wait for an answer already.`,
      { retryAfter: Math.ceil(patience.askMs / 1_000) },
    );
  }
  const id = newToken();
  const key = [...prefixOf(session), id];
  const row: QuestionRow = { call, verdict: null };
  const confirm = { type: "boolean", title };
  const requestedSchema = { type: "object", properties: { confirm }, required: ["confirm"] };
  try {
    const isWanted = await transact(kv, async (commit) => {
      if (await commit.get(cancelled) === null) {
        commit.set(key, row, { expireIn: patience.askMs + MINUTE });
        return true;
      }
      commit.delete(cancelled);
      return false;
    });
    if (!isWanted) return "gone";
    await send(id, { mode: "form", message, requestedSchema });
    await awaitEntry(
      kv,
      key,
      () => reader(kv).get<QuestionRow>(key),
      (found) => found?.verdict !== null,
      { waitMs: patience.askMs, signal },
    );
    // From here on an answer finds nothing. One that came at the last moment counts.
    return await transact(kv, async (commit) => {
      const found = await commit.get<QuestionRow>(key);
      commit.delete(key);
      if (found?.verdict === "gone") commit.delete(cancelled);
      return found?.verdict ?? null;
    });
  } finally {
    leave();
  }
}

/**
 * Notes a client's answer. One to a question that waits no more, has its answer, or is another
 * session's does nothing.
 */
export async function answerQuestion(
  { kv, patience }: Pick<Service, "kv" | "patience">,
  session: Session,
  answer: { id?: unknown; result?: unknown },
): Promise<void> {
  const { id, result } = answer;
  if (typeof id !== "string" || !/^[\w-]{43}$/.test(id)) return;
  const key = [...prefixOf(session), id];
  await transact(kv, async (commit) => {
    const row = await commit.get<QuestionRow>(key);
    if (row === null || row.verdict !== null) return;
    const after: QuestionRow = { ...row, verdict: verdictOf(result) };
    commit.set(key, after, { expireIn: patience.askMs + MINUTE });
  });
}

/**
 * Ends the questions of a call that the client has cancelled, so that a late yes does nothing. The
 * call is noted first, so a question that this finds no row of is never asked.
 */
export async function dropQuestions(
  { kv, patience }: Pick<Service, "kv" | "patience">,
  session: Session,
  callId: unknown,
): Promise<void> {
  if (!session.elicits || (typeof callId !== "string" && typeof callId !== "number")) return;
  const call = await nameOf(callId);
  const cancelled = cancelledKey(session, call);
  await transact(kv, (commit) => commit.set(cancelled, true, { expireIn: CANCELLED_MS }));
  for await (const { key, value } of kv.list<QuestionRow>({ prefix: prefixOf(session) })) {
    if (value.call !== call) continue;
    await transact(kv, async (commit) => {
      const row = await commit.get<QuestionRow>(key);
      if (row === null) return;
      const after: QuestionRow = { ...row, verdict: "gone" };
      commit.set(key, after, { expireIn: patience.askMs + MINUTE });
    });
  }
}

/** An error, or what is no answer to this form, is no yes. */
function verdictOf(result: unknown): Verdict {
  const { data } = ElicitResultSchema.safeParse(result);
  if (data === undefined || data.action === "cancel") return "dismissed";
  return data.action === "accept" && data.content?.["confirm"] === true ? "yes" : "no";
}
