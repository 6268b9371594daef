/** One story told twice, to REST in one world and to MCP in its twin; what differs by chance is masked. */
import { assert } from "@std/assert";
import { bodyNames, queryNames } from "../../routes/input.ts";
import type { Row } from "../../routes/row.ts";
import { TABLE } from "../../routes/table.ts";
import { rehearse } from "./rehearsal.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { DAY } from "../../domain/foundation/calendar.ts";
import { type breakable } from "./creations.ts";
import { NOON, type TestService } from "./service.ts";
import { postOf } from "./stored_series.ts";
import type { Json } from "./json.ts";

export type Answer = Json;
export type Input = Record<string, unknown>;

/** What either face answered; REST's status is left to the laws. */
export interface Told {
  refused: boolean;
  /** Undefined for a 204 and for `Done.`. */
  body: Answer;
  retryAfter?: number;
}

export interface World extends AsyncDisposable {
  t: TestService;
  secret: string;
  accountId: string;
  /** What earlier steps kept. */
  kept: Record<string, Answer>;
  /** Works off every job, and the series' pass before it when asked to. */
  work(pass?: "series"): Promise<void>;
}

/** A brand with five posts, an Instagram account and a model that can be broken. */
export async function world(
  imageModel: ReturnType<typeof breakable>["imageModel"],
  allowed: string,
): Promise<World> {
  const r = await rehearse({
    environ: { ALLOW_PRIVATE_HOSTS: allowed },
    dependencies: { imageModel },
    at: NOON,
  });
  const { t, brand: { brand, secret } } = r;
  const posts = [1, 2, 3, 4, 5].map((n) => postOf(`p${n}`, NOON - n * 4 * DAY, n * 100));
  await upsertPosts(t.service, brand.id, posts);
  const account = await r.connect("instagram");
  let open = true;
  // Publishing waits for a worker.
  const working = (async () => {
    while (open) {
      await t.worker.drain();
      await new Promise((done) => setTimeout(done, 20));
    }
  })();
  return {
    t,
    secret,
    accountId: account.id,
    kept: {},
    async work(pass) {
      if (pass !== undefined) await r.pass(pass);
      await t.worker.drain();
    },
    async [Symbol.asyncDispose]() {
      open = false;
      await working;
      await r[Symbol.asyncDispose]();
    },
  };
}

/** Sends a tool's input as its row would want it. */
export async function byRest(
  { t, secret }: World,
  operationId: string,
  input: Input,
): Promise<Told> {
  const row = rowOf(operationId);
  const [verb, path, , , options] = row;
  // A slot's series goes by `id` in the path; without a series the slot does.
  const subject = input["seriesId"] ?? input["itemId"] ?? input["id"];
  const isSlots = "itemId" in input;
  const flat: Input = isSlots ? { ...input, id: subject } : input;
  let target = path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => encodeURIComponent(String(flat[name])),
  );
  const query = queryNames(row).filter((name) => flat[name] !== undefined);
  if (query.length > 0) {
    target += `?${new URLSearchParams(query.map((name) => [name, String(flat[name])]))}`;
  }
  const names = bodyNames(row);
  const body = Object.fromEntries(Object.entries(flat).filter(([name]) => names.includes(name)));
  const header = options?.header;
  const sent = header === undefined ? undefined : flat[header.field];
  const answer = await t.call(secret, target, {
    method: verb,
    ...names.length === 0 ? {} : { body },
    ...sent === undefined ? {} : { headers: { [header!.name]: String(sent) } },
  });
  const retryAfter = answer.headers.get("retry-after");
  return {
    refused: !answer.ok,
    body: answer.status === 204 ? undefined : await answer.json(),
    ...retryAfter === null ? {} : { retryAfter: Number(retryAfter) },
  };
}

function rowOf(operationId: string): Row {
  const row = TABLE.find(([, , { id }]) => id === operationId);
  assert(row, `No row for ${operationId}`);
  return row;
}

/** One tool call by hand: the whole result. */
export async function callTool(
  { t, secret }: Pick<World, "t" | "secret">,
  name: string,
  input: Input,
): Promise<Answer> {
  const answer = await t.call(secret, "/mcp", {
    method: "POST",
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } },
  });
  return (await answer.json()).result;
}

/** Ids, keys, links and hashes of them are made by chance; all else must be the same. */
export function masked(value: Answer): Answer {
  const text = JSON.stringify(value);
  if (text === undefined) return undefined;
  return JSON.parse(
    text.replaceAll(/\b([a-z]{3,5})_[0-9A-HJKMNP-TV-Z]{26}/g, "$1_*")
      .replaceAll(/(\/media\/|"key":")[^"]+/g, "$1*")
      .replaceAll(/"(uploadUrl|contentHash|prefix)":"[^"]+"/g, '"$1":"*"')
      .replaceAll(/contentHash is \w{64}/g, "contentHash is *"),
  );
}
