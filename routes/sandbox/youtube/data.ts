/** The Data API: channel, uploads playlist, videos (PLATFORMS C.2). */
import { externalAccountId } from "../../../domain/sandbox/ids.ts";
import { numbersAt } from "../../../domain/sandbox/growth.ts";
import { findPosts, publicPosts, type SandboxPost } from "../../../domain/sandbox/posts.ts";
import { accountByNumber, type SandboxAccount } from "../../../domain/sandbox/accounts.ts";
import { readWorld, type World } from "../../../domain/sandbox/world.ts";
import type { Service } from "../../../domain/service.ts";
import { absolute, avatarUrl, json } from "../wire.ts";
import type { GoogleCall } from "./call.ts";
import { badRequest, googleError } from "./errors.ts";

const MAX_IDS = 50;
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

/** `GET youtube/v3/videos?id=a,b`: counts are strings; unknown ids are left out. */
export async function listVideos(service: Service, { query }: GoogleCall): Promise<Response> {
  const known = [
    "id",
    "snippet",
    "contentDetails",
    "statistics",
    "status",
    "liveStreamingDetails",
    "fileDetails",
  ];
  const parts = partsOf(query, known);
  const ids = (query.get("id") ?? "").split(",").filter(Boolean);
  if (ids.length === 0) {
    throw googleError(400, "missingRequiredParameter", "No filter selected.", "youtube.parameter");
  }
  if (ids.length > MAX_IDS) {
    throw googleError(
      400,
      "invalidFilters",
      `The request specifies more than ${MAX_IDS} ids.`,
      "youtube.parameter",
    );
  }
  const world = await readWorld(service.kv);
  const items: object[] = [];
  for (const post of await findPosts(service.kv, "youtube", ids)) {
    if (post === null || post.publishedAt > service.now()) continue;
    const account = await accountByNumber(service.kv, "youtube", post.number);
    if (account !== null) items.push(onlyParts(videoNode(service, account, post, world), parts));
  }
  return list("youtube#videoListResponse", items);
}

function videoNode(service: Service, account: SandboxAccount, post: SandboxPost, world: World) {
  const { views, likes, comments } = numbersAt(account, post, world, service.now());
  const cover = absolute(service, post.images[0]!.url);
  return {
    kind: "youtube#video",
    id: post.id,
    snippet: {
      publishedAt: timeOf(post),
      channelId: externalAccountId(account),
      title: post.title,
      description: post.caption,
      thumbnails: {
        default: { url: cover.replace("480x360", "120x90"), width: 120, height: 90 },
        high: { url: cover, width: 480, height: 360 },
      },
      channelTitle: account.handle,
      ...(post.tags.length === 0 ? {} : { tags: post.tags }),
      categoryId: "22",
      liveBroadcastContent: "none",
    },
    contentDetails: {
      duration: isoDuration(post.durationSec ?? 0),
      dimension: "2d",
      definition: "hd",
      caption: "false",
    },
    status: { uploadStatus: "processed", privacyStatus: "public", embeddable: true },
    statistics: {
      viewCount: String(views),
      ...(post.likesHidden ? {} : { likeCount: String(likes) }),
      favoriteCount: "0",
      ...(post.commentsOff ? {} : { commentCount: String(comments) }),
    },
    fileDetails: {
      videoStreams: [
        post.kind === "reel"
          ? { widthPixels: 1080, heightPixels: 1920 }
          : { widthPixels: 1920, heightPixels: 1080 },
      ],
    },
  };
}

/** The uploads playlist bears the channel's letters. */
const uploadsOf = (account: SandboxAccount): string => `UU${externalAccountId(account).slice(2)}`;

const timeOf = (post: SandboxPost): string =>
  new Date(post.publishedAt).toISOString().replace(/\.\d{3}Z$/, "Z");

function partsOf(query: URLSearchParams, known: string[]): string[] {
  const parts = (query.get("part") ?? "").split(",").map((part) => part.trim()).filter(Boolean);
  if (parts.length === 0) {
    throw googleError(
      400,
      "missingRequiredParameter",
      "Required parameter: part",
      "youtube.parameter",
    );
  }
  const unknown = parts.find((part) => !known.includes(part));
  if (unknown !== undefined) {
    throw googleError(400, "unknownPart", `'${unknown}'`, "youtube.part");
  }
  return parts;
}

function onlyParts(item: object, parts: string[]): object {
  return Object.fromEntries(
    Object.entries(item).filter(([name]) => ["kind", "id", ...parts].includes(name)),
  );
}

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

/** `PT1H2M3S` */
function isoDuration(seconds: number): string {
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds % 3_600 / 60);
  const rest = seconds % 60;
  return `PT${hours ? `${hours}H` : ""}${minutes ? `${minutes}M` : ""}` +
    (rest || seconds === 0 ? `${rest}S` : "");
}

function list(kind: string, items: object[], more: object = {}): Response {
  const pageInfo = { totalResults: items.length, resultsPerPage: items.length };
  return json({ kind, etag: `"${items.length}"`, pageInfo, ...more, items });
}
