/** OpenAI's client, or any compatible server's: made at first use, without retries of its own. */
import type OpenAI from "openai";
import { SECOND } from "../../calendar.ts";
import type { Log } from "../../log.ts";
import type { FetchPublic } from "../../net/fetch_public.ts";
import { once } from "../../once.ts";
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
  /** For images that a server answers by address on another host. */
  fetchPublic: FetchPublic;
  log: Log;
  /** The longest that one call may take, ms; absent: what real models need. */
  imageMs?: number;
  textMs?: number;
  /** How long a missing endpoint is believed to be missing, real ms; absent: ten minutes. */
  missingMs?: number;
}

/** An image takes 10 to 120 seconds; one given up is lost and still billed (PLATFORMS.md D.4). */
export const IMAGE_MS = 180 * SECOND;
/** Somebody waits for a text. */
export const TEXT_MS = 45 * SECOND;

/** One call: bounded in time, its failure a ModelError. */
export type Call = <T>(
  what: string,
  longestMs: number,
  signal: AbortSignal | undefined,
  action: (client: OpenAI, options: { signal: AbortSignal }) => Promise<T>,
) => Promise<T>;

export function openAiCalls({ apiKey, baseUrl, http, log }: OpenAiOptions): Call {
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
    // Two calls are two bills: whether to call again is decided where the credit is known.
    maxRetries: 0,
    timeout: 10 * IMAGE_MS,
    fetch: http,
    // Not from the environment: settings are read in one place.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: "off",
  });
}
