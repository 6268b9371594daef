/** A channel's uploads with their statistics, as posts: two units of quota a page (PLATFORMS C.2). */
import { z } from "zod";
import { SECOND } from "../../calendar.ts";
import { hashtagsOf, instant } from "../caption.ts";
import type { Line } from "../line.ts";
import type { Found, ListOptions } from "../platform.ts";
import { address, PlatformError } from "../wire.ts";

export const PAGE = 50;
/** What YouTube counts as a Short since October 2024; the API has no flag for it. */
const SHORT = 180 * SECOND;

const PlaylistItems = z.object({
  items: z.array(z.object({
    contentDetails: z.object({ videoId: z.string(), videoPublishedAt: z.string().optional() }),
  })),
  nextPageToken: z.string().optional(),
});
/** Counts are strings; a hidden one is missing. */
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
  line: Line,
  data: string,
  { since }: ListOptions,
): AsyncGenerator<Found[]> {
  let playlistId = uploadsOf(line.account.externalId);
  let pageToken: string | null = null;
  do {
    const query: Record<string, string | number | null> = {
      part: "contentDetails",
      playlistId,
      maxResults: PAGE,
      pageToken,
    };
    const url: string = address(`${data}/playlistItems`, query);
    let page: z.output<typeof PlaylistItems>;
    try {
      page = await line.read({ url }, PlaylistItems);
    } catch (error) {
      if (!isMissing(error) || pageToken !== null) throw error;
      const told = await uploadsTold(line, data);
      if (told === playlistId) throw error;
      playlistId = told;
      continue;
    }
    const uploads = page.items.map(({ contentDetails }) => contentDetails);
    if (uploads.length > 0) {
      const videos = await readVideos(line, data, uploads.map(({ videoId }) => videoId));
      yield videos.filter(isPublic).map(toFound);
    }
    const oldest = instant(uploads.at(-1)?.videoPublishedAt ?? "");
    if (since !== null && oldest !== null && Date.parse(oldest) < since) return;
    pageToken = page.nextPageToken ?? null;
    if (pageToken === null) return;
  } while (true);
}

/** A channel UC… has its uploads in the playlist UU…: known without spending quota. */
function uploadsOf(channelId: string): string {
  return channelId.replace(/^UC/, "UU");
}

function isMissing(error: unknown): boolean {
  return error instanceof PlatformError &&
    ["playlistNotFound", "404", "notFound"].includes(error.code);
}

async function uploadsTold(line: Line, data: string): Promise<string> {
  const url = address(`${data}/channels`, { part: "contentDetails", mine: "true" });
  const { items } = await line.read({ url }, Channels);
  const channel = items.find(({ id }) => id === line.account.externalId);
  if (channel !== undefined) return channel.contentDetails.relatedPlaylists.uploads;
  throw new PlatformError("permission", "YouTube: the channel is no longer this account's.");
}

async function readVideos(line: Line, data: string, ids: string[]): Promise<Video[]> {
  const part = "snippet,contentDetails,statistics,status,liveStreamingDetails";
  const url = address(`${data}/videos`, { part, id: ids.join(","), maxResults: PAGE });
  return (await line.read({ url }, Videos)).items;
}

function isPublic({ status, snippet }: Video): boolean {
  return (status?.privacyStatus ?? "public") === "public" &&
    snippet.liveBroadcastContent !== "upcoming";
}

function toFound(video: Video): Found {
  const { id, snippet, statistics } = video;
  const short = isShort(video);
  const cover = coverOf(snippet.thumbnails);
  return {
    post: {
      externalId: id,
      platform: "youtube",
      format: short ? "reel" : "video",
      title: snippet.title,
      url: short ? `https://www.youtube.com/shorts/${id}` : `https://www.youtube.com/watch?v=${id}`,
      caption: snippet.description,
      hashtags: hashtagsOf(snippet.title, snippet.description),
      thumbnailUrl: cover,
      mediaUrls: cover === null ? [] : [cover],
      publishedAt: instant(snippet.publishedAt) ?? snippet.publishedAt,
    },
    hints: {
      kind: "video",
      views: statistics?.viewCount,
      likes: statistics?.likeCount,
      // Comments that are switched off count as none (PLATFORMS C.5).
      comments: statistics === undefined ? undefined : statistics.commentCount ?? 0,
    },
  };
}

function isShort({ contentDetails, liveStreamingDetails }: Video): boolean {
  const length = lengthOf(contentDetails?.duration ?? "");
  return length > 0 && length <= SHORT && liveStreamingDetails === undefined;
}

/** ISO 8601 duration in ms; 0 when it can't be told. */
export function lengthOf(duration: string): number {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(duration);
  const [days, hours, minutes, seconds] = (match ?? []).slice(1).map((part) => Number(part ?? 0));
  if (seconds === undefined) return 0;
  return (((days! * 24 + hours!) * 60 + minutes!) * 60 + seconds) * SECOND;
}

function coverOf(thumbnails: Record<string, { url: string }>): string | null {
  for (const size of ["maxres", "standard", "high", "medium", "default"]) {
    if (thumbnails[size] !== undefined) return thumbnails[size].url;
  }
  return null;
}
