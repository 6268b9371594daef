/** The guarded POST for addresses from users: public hosts only, no redirects, at most 10 seconds. */
import { SECOND } from "../../foundation/calendar.ts";
import { within } from "../../foundation/within.ts";
import { checkAddress, type Guard, parseAddress, Refusal } from "./check.ts";
import { connect } from "./connect.ts";

const PATIENCE = { connectMs: 5 * SECOND, wholeMs: 10 * SECOND };

export interface Message {
  headers: Record<string, string>;
  /** JSON. */
  body: string;
  signal: AbortSignal;
}

/** The status that the host answered, or why it did not, in words for people. Never rejects. */
export type PostPublic = (
  url: string,
  message: Message,
) => Promise<{ status: number } | { error: string }>;

export interface PostOptions extends Guard {
  /** Lengths of real time, ms. */
  patience?: typeof PATIENCE;
}

export function guardedPost({ patience = PATIENCE, ...guard }: PostOptions): PostPublic {
  return async (url, { headers, body, signal }) => {
    const late = new AbortController();
    const ending = AbortSignal.any([signal, late.signal]);
    const send = async () => {
      const checked = await checkAddress(parseAddress(url), guard);
      const message = { body, headers: { ...headers, "content-type": "application/json" } };
      const response = await connect(checked, message, patience.connectMs, ending);
      // The status says it all; what follows may have no end.
      response.destroy();
      return { status: response.statusCode ?? 0 };
    };
    const failed = (error: unknown) => ({
      error: error instanceof Refusal
        ? `The address ${error.message}.`
        : "The receiver did not answer.",
    });
    try {
      const answer = await within(patience.wholeMs, send().catch(failed));
      return answer ?? { error: "The receiver did not answer within 10 seconds." };
    } finally {
      late.abort();
    }
  };
}
