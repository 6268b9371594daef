/** The service's dependencies: everything outside that the domain may touch. Tests bring their own. */
import type { Now } from "../foundation/calendar.ts";
import type { By } from "../kv/audit.ts";
import type { Jobs } from "../kv/jobs/jobs.ts";
import type { Log } from "../foundation/log.ts";
import type { Passwords } from "../brands/passwords.ts";
import type { Meter } from "../brands/meter/meter.ts";
import type { ImageModel, TextModel } from "../models/model.ts";
import type { FetchPublic } from "../media/net/fetch_public.ts";
import type { PostPublic } from "../media/net/post_public.ts";
import type { PostIndexes } from "../posts/index/indexes.ts";
import type { Insights } from "../insights/tables.ts";
import type { Secrets } from "../foundation/secrets.ts";
import type { Settings } from "../foundation/settings.ts";
import type { Storage } from "../media/storage/storage.ts";

export interface Service {
  readonly settings: Settings;
  readonly kv: Deno.Kv;
  readonly now: Now;
  readonly log: Log;
  /** Who acts, for the audit trail: the system, unless the door that was asked says otherwise. */
  readonly by: By;
  readonly secrets: Secrets;
  readonly passwords: Passwords;
  readonly jobs: Jobs;
  readonly meter: Meter;
  /** The indexes of the brands whose posts are being read. */
  readonly posts: PostIndexes;
  /** The tables of the brands whose insights are being read. */
  readonly insights: Insights;
  /** Where image bytes are kept. */
  readonly storage: Storage;
  readonly imageModel: ImageModel;
  readonly textModel: TextModel;
  /** For addresses that the settings name (platforms, webhooks); users' addresses take the guarded fetch. */
  readonly http: typeof fetch;
  /** For addresses that users give us. */
  readonly fetchPublic: FetchPublic;
  /** For addresses to which users want something sent. */
  readonly postPublic: PostPublic;
  /** How long to wait for a platform, and for a person. */
  readonly patience: Patience;
  /** Aborts when the process is to end, so that nobody keeps waiting. */
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
  /** The wait before looking again whether a pass's jobs have ended. Each look reads the store. */
  passMs: number;
  /** A person who is asked through an agent's client. */
  askMs: number;
}
