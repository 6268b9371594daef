/** Addresses of LinkedIn's images and videos; they expire, so each pass reads those it writes. */
import { z } from "zod";
import { mapLimited } from "../limited.ts";
import type { Line } from "../line.ts";
import { PlatformError } from "../wire.ts";

/** URNs in one batch read. */
const BATCH = 50;
const AT_ONCE = 4;

const Image = z.object({ downloadUrl: z.string().optional(), status: z.string().optional() });
const Images = z.object({
  results: z.record(z.string(), Image),
  /** HTTP's status of each. */
  statuses: z.record(z.string(), z.number()).default({}),
});
const Video = z.object({ thumbnail: z.string().optional() });

/** URN → address, null where LinkedIn has none; left out is what could not be read. */
export type Addresses = Map<string, string | null>;

/** A picture's address that can't be read is no reason to lose numbers. */
export async function imageAddresses(
  line: Line,
  api: string,
  urns: string[],
): Promise<Addresses> {
  const addresses: Addresses = new Map();
  for (let at = 0; at < urns.length; at += BATCH) {
    const batch = urns.slice(at, at + BATCH);
    const images = await readBatch(line, api, batch) ?? await readEach(line, api, batch);
    for (const [urn, image] of images) addresses.set(urn, image?.downloadUrl || null);
  }
  return addresses;
}

/** The covers of videos. */
export async function videoAddresses(
  line: Line,
  api: string,
  urns: string[],
): Promise<Addresses> {
  const read = async (urn: string) => {
    const url = `${api}/rest/videos/${encodeURIComponent(urn)}`;
    return (await line.read({ url }, Video)).thumbnail || null;
  };
  return await eachUntilRefused(urns, read);
}

export async function readImage(line: Line, api: string, urn: string) {
  return await line.read({ url: `${api}/rest/images/${encodeURIComponent(urn)}` }, Image);
}

/** Null when it is refused: applications of the Development tier may only read them one by one. */
async function readBatch(line: Line, api: string, urns: string[]) {
  const list = urns.map(encodeURIComponent).join(",");
  const answer = await line.read({
    url: `${api}/rest/images?ids=List(${list})`,
    headers: { "x-restli-method": "BATCH_GET" },
  }, Images).catch(unlessAccountWide);
  if (answer === null) return null;
  const { results, statuses } = answer;
  const isTold = (urn: string) => urn in results || (statuses[urn] ?? 404) === 404;
  return urns.filter(isTold).map((urn) => [urn, results[urn]] as const);
}

const readEach = (line: Line, api: string, urns: string[]) =>
  eachUntilRefused(urns, (urn) => readImage(line, api, urn));

/** Reads one by one; the first that fails ends it, since the others would fail alike. */
async function eachUntilRefused<T>(
  urns: string[],
  read: (urn: string) => Promise<T>,
): Promise<Map<string, T | null>> {
  const found = new Map<string, T | null>();
  let refused = false;
  await mapLimited(urns, AT_ONCE, async (urn) => {
    if (refused) return;
    try {
      found.set(urn, await read(urn));
    } catch (error) {
      if (isMissing(error)) found.set(urn, null);
      else refused = unlessAccountWide(error) === null;
    }
  });
  return found;
}

/** LinkedIn knows no such file, or no more. */
function isMissing(error: unknown): boolean {
  return error instanceof PlatformError && ["NOT_FOUND", "404"].includes(error.code);
}

/** Faults of this one read are let go; those of the whole account are not. */
function unlessAccountWide(error: unknown): null {
  if (error instanceof PlatformError && !error.isAccountWide) return null;
  throw error;
}
