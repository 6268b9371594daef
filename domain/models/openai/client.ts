/** The client for OpenAI or a compatible server: made at its first use, without retries of its own. */
import type OpenAI from "openai";
import { SECOND } from "../../foundation/calendar.ts";
import type { Log } from "../../foundation/log.ts";
import type { FetchPublic } from "../../media/net/fetch_public.ts";
import { once } from "../../foundation/once.ts";
import { ModelError } from "../model.ts";
import { faultOf, isOperators } from "./faults.ts";

export interface OpenAiOptions {
  apiKey: string;
  /** Ends in `/v1`, as in OpenAI's own SDKs. */
  baseUrl: string;
  imageModel: string;
  imageQuality: string;
  textModel: string;
  http: typeof fetch;
  /** For images that a server returns as an address on another host. */
  fetchPublic: FetchPublic;
  log: Log;
  /** The time limits of a call, ms. Absent: enough for real models. */
  imageMs?: number;
  textMs?: number;
  /** How long an endpoint that was missing is not called again, real ms. Absent: ten minutes. */
  missingMs?: number;
}

/** An image takes 10 to 120 seconds. One that is given up is billed all the same (PLATFORMS.md D.4). */
export const IMAGE_MS = 180 * SECOND;
/** Shorter, because somebody waits for a text. */
export const TEXT_MS = 45 * SECOND;

/** Makes one call with a time limit. Its failure is a ModelError. */
type ModelCall = <T>(
  what: string,
  longestMs: number,
  signal: AbortSignal | undefined,
  action: (client: OpenAI, options: { signal: AbortSignal }) => Promise<T>,
) => Promise<T>;

export function openAiCalls({ apiKey, baseUrl, http, log }: OpenAiOptions): ModelCall {
  const client = once(() => create(apiKey, baseUrl, http));
  return async (what, longestMs, signal, action) => {
    const tooLong = AbortSignal.timeout(longestMs);
    const bounded = signal === undefined ? tooLong : AbortSignal.any([signal, tooLong]);
    try {
      return await action(await client(), { signal: bounded });
    } catch (error) {
      if (error instanceof ModelError) throw error;
      const fault = faultOf(what, error, tooLong.aborted);
      if (isOperators(error)) {
        log.error("model.operator", { what, message: fault.message, cause: String(error) });
      }
      throw fault;
    }
  };
}

async function create(apiKey: string, baseURL: string, http: typeof fetch): Promise<OpenAI> {
  const { default: OpenAI } = await import("openai");
  return new OpenAI({
    apiKey,
    baseURL,
    // Each call is billed, so the caller, who knows about credits, decides on another one.
    maxRetries: 0,
    timeout: 10 * IMAGE_MS,
    fetch: http,
    // Null, because the client would read them from the environment otherwise.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: "off",
  });
}
