/** Addresses of LinkedIn's images and videos. They expire, so each metrics pass reads them again. */
import { z } from "zod";
import { mapLimited, type PlatformClient } from "../../contract/client.ts";
import { PlatformError } from "../../contract/wire.ts";

/** URNs in one batch read. */
const BATCH = 50;
const AT_ONCE = 4;

const Image = z.object({ downloadUrl: z.string().optional(), status: z.string().optional() });
const Images = z.object({
  results: z.record(z.string(), Image),
  /** The HTTP status of each. */
  statuses: z.record(z.string(), z.number()).default({}),
});
const Video = z.object({ thumbnail: z.string().optional() });

/** URN → address, or null where LinkedIn has none. URNs that could not be read are left out. */
export type Addresses = Map<string, string | null>;

/** Reads images' addresses. Only an error about the whole account is thrown, so that numbers are kept. */
export async function imageAddresses(
  client: PlatformClient,
  api: string,
  urns: string[],
): Promise<Addresses> {
  const addresses: Addresses = new Map();
  for (let at = 0; at < urns.length; at += BATCH) {
    const batch = urns.slice(at, at + BATCH);
    const images = await readBatch(client, api, batch) ?? await readEach(client, api, batch);
    for (const [urn, image] of images) addresses.set(urn, image?.downloadUrl || null);
  }
  return addresses;
}

/** Reads the addresses of videos' covers. */
export async function videoAddresses(
  client: PlatformClient,
  api: string,
  urns: string[],
): Promise<Addresses> {
  const read = async (urn: string) => {
    const url = `${api}/rest/videos/${encodeURIComponent(urn)}`;
    return (await client.read({ url }, Video)).thumbnail || null;
  };
  return await eachUntilRefused(urns, read);
}

export async function readImage(client: PlatformClient, api: string, urn: string) {
  return await client.read({ url: `${api}/rest/images/${encodeURIComponent(urn)}` }, Image);
}

/** Null when LinkedIn refuses: applications of the Development tier may only read one at a time. */
async function readBatch(client: PlatformClient, api: string, urns: string[]) {
  const list = urns.map(encodeURIComponent).join(",");
  const answer = await client.read({
    url: `${api}/rest/images?ids=List(${list})`,
    headers: { "x-restli-method": "BATCH_GET" },
  }, Images).catch(unlessAccountWide);
  if (answer === null) return null;
  const { results, statuses } = answer;
  const isAnswered = (urn: string) => urn in results || (statuses[urn] ?? 404) === 404;
  return urns.filter(isAnswered).map((urn) => [urn, results[urn]] as const);
}

const readEach = (client: PlatformClient, api: string, urns: string[]) =>
  eachUntilRefused(urns, (urn) => readImage(client, api, urn));

/** Reads one at a time and stops at the first error, because the others would fail in the same way. */
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

/** Whether LinkedIn has no such file. */
function isMissing(error: unknown): boolean {
  return error instanceof PlatformError && ["NOT_FOUND", "404"].includes(error.code);
}

/** Ignores an error about this one read. @throws the error when it is about the whole account */
function unlessAccountWide(error: unknown): null {
  if (error instanceof PlatformError && !error.isAccountWide) return null;
  throw error;
}
