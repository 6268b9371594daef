/** Addresses of LinkedIn's images and videos; they expire, so each pass reads those it writes. */
import { z } from "zod";
import { mapLimited } from "../limited.ts";
import type { Line } from "../line.ts";
import { PlatformError } from "../wire.ts";

/** URNs in one batch read. */
const BATCH = 50;
const AT_ONCE = 4;

const Image = z.object({ downloadUrl: z.string().optional(), status: z.string().optional() });
const Images = z.object({ results: z.record(z.string(), Image) });
const Video = z.object({ thumbnail: z.string().optional() });

/** URN → address. What can't be read is left out: a picture's address is no reason to lose numbers. */
export async function imageAddresses(
  line: Line,
  api: string,
  urns: string[],
): Promise<Map<string, string>> {
  const addresses = new Map<string, string>();
  for (let at = 0; at < urns.length; at += BATCH) {
    const batch = urns.slice(at, at + BATCH);
    for (const [urn, { downloadUrl }] of await readBatch(line, api, batch)) {
      if (downloadUrl !== undefined) addresses.set(urn, downloadUrl);
    }
  }
  return addresses;
}

export async function readImage(line: Line, api: string, urn: string) {
  return await line.read({ url: `${api}/rest/images/${encodeURIComponent(urn)}` }, Image);
}

/** The cover of a video, or null when it can't be read. */
export async function videoThumbnail(
  line: Line,
  api: string,
  urn: string,
): Promise<string | null> {
  const url = `${api}/rest/videos/${encodeURIComponent(urn)}`;
  return (await line.read({ url }, Video).catch(unlessAccountWide))?.thumbnail ?? null;
}

async function readBatch(line: Line, api: string, urns: string[]) {
  const list = urns.map(encodeURIComponent).join(",");
  const answer = await line.read({
    url: `${api}/rest/images?ids=List(${list})`,
    headers: { "x-restli-method": "BATCH_GET" },
  }, Images).catch(unlessAccountWide);
  if (answer !== null) return Object.entries(answer.results);
  // Applications of the Development tier may only read them one by one.
  let refused = false;
  const images = await mapLimited(urns, AT_ONCE, async (urn) => {
    const image = refused ? null : await readImage(line, api, urn).catch(unlessAccountWide);
    refused ||= image === null;
    return image;
  });
  return urns.flatMap((urn, at) => images[at] == null ? [] : [[urn, images[at]] as const]);
}

/** Faults of this one read are let go; those of the whole account are not. */
function unlessAccountWide(error: unknown): null {
  if (error instanceof PlatformError && !error.isAccountWide) return null;
  throw error;
}
