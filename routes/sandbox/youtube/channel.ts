/** The Data API's channel and its playlist of uploads (PLATFORMS C.2). */
import type { SandboxAccount } from "../../../domain/platforms/sandbox/accounts.ts";
import { numbersAt } from "../../../domain/platforms/sandbox/growth.ts";
import { externalAccountId } from "../../../domain/platforms/sandbox/ids.ts";
import { publicPosts } from "../../../domain/platforms/sandbox/posts.ts";
import { readWorld } from "../../../domain/platforms/sandbox/world.ts";
import type { Service } from "../../../domain/service/service.ts";
import { avatarUrl } from "../wire.ts";
import type { GoogleCall } from "./call.ts";
import { badRequest, googleError } from "./errors.ts";
import { list, onlyParts, partsOf, timeOf } from "./parts.ts";

const DEFAULT_RESULTS = 5;
const MAX_RESULTS = 50;

/** `GET youtube/v3/channels?mine=true` */
export async function listChannels(service: Service, call: GoogleCall): Promise<Response> {
  const { account, query } = call;
  const parts = partsOf(query, ["id", "snippet", "contentDetails", "statistics"]);
  const id = externalAccountId(account);
  const mine = query.get("mine") === "true";
  if (!mine && query.get("id") === null) {
    throw googleError(400, "missingRequiredParameter", "No filter selected.", "youtube.parameter");
  }
  if (!mine && query.get("id") !== id) return list("youtube#channelListResponse", []);
  const posts = await publicPosts(service.kv, service.now, account);
  const world = await readWorld(service.kv);
  const views = posts.reduce(
    (sum, post) => sum + numbersAt(account, post, world, service.now()).views,
    0,
  );
  const channel = {
    kind: "youtube#channel",
    id,
    snippet: {
      title: account.handle,
      description: "",
      customUrl: `@${account.handle.toLowerCase().replaceAll(/\s+/g, "")}`,
      publishedAt: new Date(account.createdAt).toISOString(),
      thumbnails: {
        default: { url: avatarUrl(service, account), width: 96, height: 96 },
      },
    },
    contentDetails: { relatedPlaylists: { likes: "", uploads: uploadsOf(account) } },
    statistics: {
      viewCount: String(views),
      subscriberCount: String(account.number % 90_000),
      hiddenSubscriberCount: false,
      videoCount: String(posts.length),
    },
  };
  return list("youtube#channelListResponse", [onlyParts(channel, parts)]);
}

/** `GET youtube/v3/playlistItems?playlistId=UU...`: newest first. */
export async function listPlaylistItems(service: Service, call: GoogleCall): Promise<Response> {
  const { account, query } = call;
  const parts = partsOf(query, ["id", "snippet", "contentDetails", "status"]);
  if (query.get("playlistId") !== uploadsOf(account)) {
    throw googleError(
      404,
      "playlistNotFound",
      "The playlist identified with the request's playlistId parameter cannot be found.",
      "youtube.playlistItem",
    );
  }
  const size = results(query);
  const posts = await publicPosts(service.kv, service.now, account);
  const start = placeOf(query.get("pageToken"));
  const page = posts.slice(start, start + size);
  const items = page.map((post, at) =>
    onlyParts({
      kind: "youtube#playlistItem",
      id: btoa(`${uploadsOf(account)}.${post.id}`),
      snippet: {
        publishedAt: timeOf(post),
        channelId: externalAccountId(account),
        title: post.title,
        description: post.caption,
        position: start + at,
        playlistId: uploadsOf(account),
        resourceId: { kind: "youtube#video", videoId: post.id },
      },
      contentDetails: { videoId: post.id, videoPublishedAt: timeOf(post) },
      status: { privacyStatus: "public" },
    }, parts)
  );
  return list("youtube#playlistItemListResponse", items, {
    ...(start + size < posts.length ? { nextPageToken: tokenOf(start + size) } : {}),
    ...(start > 0 ? { prevPageToken: tokenOf(Math.max(0, start - size)) } : {}),
    pageInfo: { totalResults: posts.length, resultsPerPage: size },
  });
}

/** The uploads of channel UC… are the playlist UU…. */
const uploadsOf = (account: SandboxAccount): string => `UU${externalAccountId(account).slice(2)}`;

function results(query: URLSearchParams): number {
  const raw = query.get("maxResults");
  const size = raw === null ? DEFAULT_RESULTS : Number(raw);
  if (!Number.isInteger(size) || size < 0 || size > MAX_RESULTS) {
    throw badRequest(`Invalid value '${raw}'. Values must be within the range: [0, 50]`);
  }
  return size;
}

const tokenOf = (place: number): string => btoa(`CAoQ${place}`).replaceAll("=", "");

function placeOf(token: string | null): number {
  if (token === null || token === "") return 0;
  try {
    const place = /^CAoQ(\d{1,9})$/.exec(atob(token))?.[1];
    if (place !== undefined) return Number(place);
  } catch { /* not base64: refused below */ }
  throw googleError(
    400,
    "invalidPageToken",
    "The request specifies an invalid page token.",
    "youtube.parameter",
  );
}
