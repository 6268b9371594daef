/** The Data API's videos with their counts (PLATFORMS C.2). */
import {
  accountByNumber,
  type SandboxAccount,
} from "../../../domain/platforms/sandbox/accounts.ts";
import { numbersAt } from "../../../domain/platforms/sandbox/growth.ts";
import { externalAccountId } from "../../../domain/platforms/sandbox/ids.ts";
import { findPosts } from "../../../domain/platforms/sandbox/posts.ts";
import type { SandboxPost } from "../../../domain/platforms/sandbox/shape.ts";
import { readWorld, type World } from "../../../domain/platforms/sandbox/world.ts";
import type { Service } from "../../../domain/service/service.ts";
import { absolute } from "../wire.ts";
import type { GoogleCall } from "./call.ts";
import { googleError } from "./errors.ts";
import { list, onlyParts, partsOf, timeOf } from "./parts.ts";

const MAX_IDS = 50;

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
  const cover = absolute(service, post.images[0]?.url ?? "");
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
          // Every third Short is square.
          ? { widthPixels: 1080, heightPixels: post.serial % 3 === 0 ? 1080 : 1920 }
          : { widthPixels: 1920, heightPixels: 1080 },
      ],
    },
  };
}

/** `PT1H2M3S` */
function isoDuration(seconds: number): string {
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds % 3_600 / 60);
  const rest = seconds % 60;
  return `PT${hours ? `${hours}H` : ""}${minutes ? `${minutes}M` : ""}` +
    (rest || seconds === 0 ? `${rest}S` : "");
}
