/**
 * The demo's past: some weeks are lived in a store in memory, with a clock of its own, by the service's
 * own passes and jobs against the sandbox. What came of it is then stored in one commit, so a process
 * that is killed on the way leaves nothing behind, and the next start begins again.
 */
import type { z } from "zod";
import type { Brand } from "../../domain/brands/brands.ts";
import { type ApiKey, Scope } from "../../domain/brands/keys.ts";
import { DAY, HOUR, startOfDay, WEEK } from "../../domain/foundation/calendar.ts";
import { silent } from "../../domain/foundation/log.ts";
import { createSeries } from "../../domain/operations/series.ts";
import { type Context, Replayed } from "../../domain/operations/operation.ts";
import { findAccount } from "../../domain/platforms/sandbox/accounts.ts";
import { leaveOutSerials } from "../../domain/platforms/sandbox/posts.ts";
import { orderFault } from "../../domain/platforms/sandbox/faults.ts";
import { listSlots } from "../../domain/series/slot_list.ts";
import { buildService, PATIENCE } from "../../domain/service/build.ts";
import type { Service } from "../../domain/service/service.ts";
import { HANDLERS } from "../handlers.ts";
import { runPass } from "../passes.ts";
import { Worker } from "../worker.ts";
import { AUTOPILOT, HANDLES, MANUAL, STAGE } from "./brand.ts";

/** Serves requests to a service, in this process. */
export type Face = (service: Service) => (request: Request) => Response | Promise<Response>;

/** When a day's numbers are read. */
const READ_AT = 22 * HOUR;
/** One of the last posts is refused, so that a person has something to decide. */
const TROUBLE = 4 * DAY;
const LOST_PERMISSION = { operation: "publish", fault: "permission", times: 1 } as const;

/** How many posts may be published on the brand's account while its past is lived. */
const MEANWHILE = 1_000;

/** What the past is lived with. */
interface Life {
  service: Service;
  worker: Worker;
  turnTo(at: number): void;
}

/** What a brand is, as the store of the past needs it: rows that are the brand's, and the sandbox. */
const OWN_ROWS = ["brandKit", "asset", "assetShelf", "castMember", "castCount", "social"];
const rowsOf = ({ id, accountId }: Brand): Deno.KvKey[] => [
  ["brand"],
  ["account", accountId],
  ["accountBrand", accountId],
  ...[...OWN_ROWS, "socialByExternalId", "socialTokens"].map((name) => [name, id]),
  ["sandbox"],
];

/** Whose past, and how long it is. */
interface Lived {
  brand: Brand;
  /** The account on which the autopilot publishes. */
  accountId: string;
  weeks: number;
}

/**
 * Lives the weeks before today and returns the store in which that happened; the caller closes it.
 * @throws when `service.stopping` aborts
 */
export async function livePast(service: Service, face: Face, lived: Lived): Promise<Deno.Kv> {
  const kv = await Deno.openKv(":memory:");
  try {
    for (const prefix of rowsOf(lived.brand)) {
      for await (const { key, value } of service.kv.list({ prefix })) await kv.set(key, value);
      const own = await service.kv.get(prefix);
      if (own.value !== null) await kv.set(prefix, own.value);
    }
    const account = await findAccount(kv, STAGE, HANDLES[STAGE]);
    if (account !== null) await leaveOutSerials(kv, account, MEANWHILE);
    // It ends before today, so that nothing of it meets what happens meanwhile.
    const end = startOfDay(service.now());
    await live(await lifeIn(kv, service, face), lived, end);
  } catch (error) {
    kv.close();
    throw error;
  }
  return kv;
}

async function lifeIn(kv: Deno.Kv, service: Service, face: Face): Promise<Life> {
  let at = 0;
  const now = () => at;
  // The past costs nothing, so it is painted and written by the local models.
  const { OPENAI_API_KEY, ...settings } = { ...service.settings, JOBS: "poll" as const };
  const local = await buildService({ settings, kv, now, log: silent, stopping: service.stopping });
  const models = OPENAI_API_KEY === undefined
    ? { imageModel: service.imageModel, textModel: service.textModel }
    : {};
  const patience = { ...PATIENCE, pollMs: 1, passMs: 5 };
  const http: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    return request.url.startsWith(`${settings.ownUrl}/`) ? await answer(request) : fetch(request);
  };
  const past: Service = { ...local, ...models, storage: service.storage, patience, http };
  const answer = face(past);
  const turnTo = (next: number) => at = next;
  return { service: past, worker: new Worker(past, HANDLERS), turnTo };
}

async function live(
  life: Life,
  { brand, accountId, weeks }: Lived,
  end: number,
): Promise<void> {
  const { service, worker, turnTo } = life;
  const { kv } = service;
  const pass = async (name: "series" | "metrics", at: number) => {
    service.stopping.throwIfAborted();
    turnTo(at);
    await runPass(service, worker, name, { brandId: brand.id });
  };
  const begin = end - weeks * WEEK;
  turnTo(begin);
  const { id } = await start(service, brand, { ...AUTOPILOT, socialAccountId: accountId });
  let isHeld = false;
  for (let day = begin; day < end; day += DAY) {
    // Plans, and makes the images of the next 24 hours.
    await pass("series", day);
    const due = await listSlots(kv, brand.id, id, { from: day, to: day + DAY - 1 });
    for (const slot of due.filter(({ status }) => status === "ready")) {
      if (!isHeld && day >= end - TROUBLE) {
        isHeld = await orderFault(kv, STAGE, LOST_PERMISSION);
      }
      await pass("series", Date.parse(slot.scheduledFor));
    }
    await pass("metrics", day + READ_AT);
  }
  turnTo(end - HOUR);
  await start(service, brand, { ...MANUAL, socialAccountId: accountId });
  await pass("series", end - HOUR / 2);
}

/** Starts a series as the brand would by the API. */
async function start(service: Service, brand: Brand, input: z.input<typeof createSeries.input>) {
  const key: ApiKey = {
    id: "demo",
    brandId: brand.id,
    name: "demo",
    scopes: [...Scope.options],
    prefix: "",
    createdAt: brand.createdAt,
    revokedAt: null,
  };
  const client = { signal: service.stopping, address: null };
  const context: Context = { ...service, brand, key, client };
  const made = await createSeries.run(context, createSeries.input.parse(input));
  return made instanceof Replayed ? made.value : made;
}
