/** Lists a channel's uploads with their counts: two units of quota a page (PLATFORMS C.2). */
import { z } from "zod";
import { SECOND } from "../../../foundation/calendar.ts";
import type { PostFormat } from "../../../posts/shape.ts";
import { hashtagsOf, instant } from "../../contract/texts.ts";
import type { PlatformClient } from "../../contract/client.ts";
import type { Found, ListOptions } from "../../contract/platform.ts";
import { address, PlatformError } from "../../contract/wire.ts";

export const PAGE_SIZE = 50;
/** Longest Short since October 2024, ms: https://support.google.com/youtube/answer/15424877 */
const SHORT = 180 * SECOND;
const PARTS = "snippet,contentDetails,statistics,status,liveStreamingDetails";

const PlaylistItems = z.object({
  items: z.array(z.object({
    contentDetails: z.object({ videoId: z.string(), videoPublishedAt: z.string().optional() }),
  })),
  nextPageToken: z.string().optional(),
});
/** A count is a string; hidden counts are missing. */
const count = z.union([z.string(), z.number()]).transform(Number).pipe(z.int()).optional();
const Videos = z.object({
  items: z.array(z.object({
    id: z.string(),
    snippet: z.object({
      publishedAt: z.string(),
      title: z.string(),
      description: z.string().default(""),
      thumbnails: z.record(z.string(), z.object({ url: z.string() })).default({}),
      liveBroadcastContent: z.string().optional(),
    }),
    contentDetails: z.object({ duration: z.string().optional() }).optional(),
    status: z.object({ privacyStatus: z.string().optional() }).optional(),
    statistics: z.object({ viewCount: count, likeCount: count, commentCount: count }).optional(),
    liveStreamingDetails: z.unknown().optional(),
    fileDetails: z.object({
      videoStreams: z.array(z.object({
        widthPixels: z.number().optional(),
        heightPixels: z.number().optional(),
        rotation: z.string().optional(),
      })).optional(),
    }).optional().catch(undefined),
  })),
});
type Video = z.output<typeof Videos>["items"][number];
const Channels = z.object({
  items: z.array(z.object({
    id: z.string(),
    contentDetails: z.object({ relatedPlaylists: z.object({ uploads: z.string() }) }),
  })).default([]),
});

export async function* listYouTube(
  client: PlatformClient,
  data: string,
  { since }: ListOptions,
): AsyncGenerator<Found[]> {
  const parts: Parts = { withFile: true };
  let playlistId = uploadsOf(client.account.externalId);
  let pageToken: string | null = null;
  do {
    const query: Record<string, string | number | null> = {
      part: "contentDetails",
      playlistId,
      maxResults: PAGE_SIZE,
      pageToken,
    };
    const url: string = address(`${data}/playlistItems`, query);
    let page: z.output<typeof PlaylistItems>;
    try {
      page = await client.read({ url }, PlaylistItems);
    } catch (error) {
      if (!isMissing(error) || pageToken !== null) throw error;
      const listed = await readUploadsId(client, data);
      if (listed === playlistId) throw error;
      playlistId = listed;
      continue;
    }
    const uploads = page.items.map(({ contentDetails }) => contentDetails);
    if (uploads.length > 0) {
      const videos = await readVideos(client, data, parts, uploads.map(({ videoId }) => videoId));
      yield videos.filter(isPublic).map(toFound);
    }
    const oldest = instant(uploads.at(-1)?.videoPublishedAt ?? "");
    if (since !== null && oldest !== null && Date.parse(oldest) < since) return;
    pageToken = page.nextPageToken ?? null;
    if (pageToken === null) return;
  } while (true);
}

/** The uploads of channel UC… are the playlist UU…, so the id costs no quota. */
function uploadsOf(channelId: string): string {
  return channelId.replace(/^UC/, "UU");
}

function isMissing(error: unknown): boolean {
  return error instanceof PlatformError &&
    ["playlistNotFound", "404", "notFound"].includes(error.code);
}

async function readUploadsId(client: PlatformClient, data: string): Promise<string> {
  const url = address(`${data}/channels`, { part: "contentDetails", mine: "true" });
  const { items } = await client.read({ url }, Channels);
  const channel = items.find(({ id }) => id === client.account.externalId);
  if (channel !== undefined) return channel.contentDetails.relatedPlaylists.uploads;
  throw new PlatformError(
    "permission",
    "YouTube: the channel no longer belongs to this Google account.",
  );
}

/** Which parts are read. The file's shape is the owner's alone to read, so it may be refused. */
interface Parts {
  withFile: boolean;
}

async function readVideos(
  client: PlatformClient,
  data: string,
  parts: Parts,
  ids: string[],
): Promise<Video[]> {
  const read = async (part: string) => {
    const url = address(`${data}/videos`, { part, id: ids.join(","), maxResults: PAGE_SIZE });
    return (await client.read({ url }, Videos)).items;
  };
  if (!parts.withFile) return await read(PARTS);
  try {
    return await read(`${PARTS},fileDetails`);
  } catch (error) {
    const isRefused = error instanceof PlatformError &&
      (error.fault === "permission" || error.fault === "badRequest");
    if (!isRefused) throw error;
    parts.withFile = false;
    return await read(PARTS);
  }
}

function isPublic({ status, snippet }: Video): boolean {
  return (status?.privacyStatus ?? "public") === "public" &&
    snippet.liveBroadcastContent !== "upcoming";
}

function toFound(video: Video): Found {
  const { id, snippet, statistics } = video;
  const shape = shapeOf(video);
  const short = mayBeShort(video) && shape !== "wide";
  const cover = coverOf(snippet.thumbnails);
  return {
    post: {
      externalId: id,
      platform: "youtube",
      ...shownAs(id, short),
      // The length alone is the last guess.
      keeps: mayBeShort(video) && shape === null ? ["format", "url"] : [],
      title: snippet.title,
      caption: snippet.description,
      hashtags: hashtagsOf(snippet.title, snippet.description),
      thumbnailUrl: cover,
      mediaUrls: cover === null ? [] : [cover],
      publishedAt: instant(snippet.publishedAt) ?? snippet.publishedAt,
    },
    hints: {
      kind: "video",
      product: "videos",
      mayBeShort: mayBeShort(video),
      views: statistics?.viewCount,
      likes: statistics?.likeCount,
      // Switched-off comments count as 0 (PLATFORMS C.5).
      comments: statistics === undefined ? undefined : statistics.commentCount ?? 0,
    },
  };
}

/** How a video is shown: a Short as a reel. */
export function shownAs(id: string, isShort: boolean): { format: PostFormat; url: string } {
  return isShort
    ? { format: "reel", url: `https://www.youtube.com/shorts/${id}` }
    : { format: "video", url: `https://www.youtube.com/watch?v=${id}` };
}

/** The shape of the file; null when it is not known. A Short is upright or square. */
function shapeOf({ fileDetails }: Video): "upright" | "wide" | null {
  const { widthPixels, heightPixels, rotation } = fileDetails?.videoStreams?.[0] ?? {};
  if (widthPixels === undefined || heightPixels === undefined) return null;
  const isTurned = rotation === "clockwise" || rotation === "counterClockwise";
  const [width, height] = isTurned ? [heightPixels, widthPixels] : [widthPixels, heightPixels];
  return width > height ? "wide" : "upright";
}

/** Whether it is short enough, and no live stream. */
function mayBeShort({ contentDetails, liveStreamingDetails }: Video): boolean {
  const length = durationOf(contentDetails?.duration ?? "");
  return length > 0 && length <= SHORT && liveStreamingDetails === undefined;
}

/** An ISO 8601 duration in ms; 0 for any other text. */
export function durationOf(duration: string): number {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(duration);
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = (match ?? []).slice(1)
    .map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * SECOND;
}

function coverOf(thumbnails: Record<string, { url: string }>): string | null {
  for (const size of ["maxres", "standard", "high", "medium", "default"]) {
    if (thumbnails[size] !== undefined) return thumbnails[size].url;
  }
  return null;
}
