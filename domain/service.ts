/** The service's doors: everything outside that the domain may touch. Tests bring their own. */
import type { Now } from "./clock.ts";
import type { Jobs } from "./jobs.ts";
import type { Log } from "./log.ts";
import type { Meter } from "./meter/meter.ts";
import type { ImageModel, TextModel } from "./models/model.ts";
import type { FetchPublic } from "./net/fetch_public.ts";
import type { PostIndexes } from "./posts/indexes.ts";
import type { Secrets } from "./secrets.ts";
import type { Settings } from "./settings.ts";
import type { Storage } from "./storage/storage.ts";

export interface Service {
  readonly settings: Settings;
  readonly kv: Deno.Kv;
  readonly now: Now;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly jobs: Jobs;
  readonly meter: Meter;
  /** The indexes of the brands whose posts are being read. */
  readonly posts: PostIndexes;
  /** Where image bytes lie. */
  readonly storage: Storage;
  readonly imageModel: ImageModel;
  readonly textModel: TextModel;
  /** For addresses that the settings name (platforms, webhooks); users' addresses take the guarded fetch. */
  readonly http: typeof fetch;
  /** For addresses that users give us. */
  readonly fetchPublic: FetchPublic;
  /** How long a platform is given. */
  readonly patience: Patience;
  /** Aborts when the process is to end: whoever waits for something answers with what is known. */
  readonly stopping: AbortSignal;
  /** Whether answers are checked against their shapes (tests and dev). */
  readonly checkOutput: boolean;
}

/** Lengths of real time, ms. */
export interface Patience {
  /** One call to a platform. */
  callMs: number;
  /** The first wait before looking again whether a platform has finished with a file. */
  pollMs: number;
}
