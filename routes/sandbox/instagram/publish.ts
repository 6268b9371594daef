/** `media_publish`, the call that makes a container public, and the quota on it (PLATFORMS A.6). */
import { DAY } from "../../../domain/foundation/calendar.ts";
import { imageId } from "../../../domain/platforms/sandbox/history.ts";
import { publish, publishedPosts } from "../../../domain/platforms/sandbox/posts.ts";
import type { PostKind } from "../../../domain/platforms/sandbox/shape.ts";
import type { Service } from "../../../domain/service/service.ts";
import { json } from "../wire.ts";
import { type GraphCall, requireOwner, requireScope } from "./call.ts";
import { type Container, containerKey, findContainer, serialOf, statusOf } from "./container.ts";
import { badParameter, containerGone, graphError, publishing } from "./errors.ts";

/** Posts a day as the guide documents it. The reference documents 50, so clients read it. */
const QUOTA = 100;

const KINDS: Record<Exclude<Container["kind"], "child">, PostKind> = {
  image: "image",
  carousel: "carousel",
  story: "story",
};

/** `POST /{ig}/media_publish` */
export async function publishContainer(
  service: Service,
  call: GraphCall,
  owner: string,
): Promise<Response> {
  requireOwner(call, owner);
  requireScope(call, "instagram_business_content_publish");
  const id = call.params["creation_id"];
  if (id === undefined) throw badParameter("The parameter creation_id is required");
  const serial = await requireReady(service, call, id);
  if (await usedQuota(service, call, service.now() - DAY) >= QUOTA) {
    throw graphError({
      status: 403,
      code: 9,
      subcode: 2207042,
      message: "(#9) Application request limit reached",
      title: "You reached maximum number of posts that is allowed to be published by Content " +
        "Publishing API.",
    });
  }
  const key = containerKey(call.account, serial);
  const post = await publish(
    service.kv,
    service.now,
    call.account,
    async (commit, postId, postSerial) => {
      const container = await commit.get<Container>(key);
      if (container === null || container.publishedAs !== null) throw alreadyUsed();
      commit.set(key, { ...container, publishedAs: postId } satisfies Container);
      const kind = container.kind === "child" ? "image" : container.kind;
      return {
        kind: KINDS[kind],
        caption: container.caption,
        wireText: null,
        title: null,
        link: null,
        images: container.images.map((image, at) => ({
          ...image,
          id: imageId(call.account, postSerial, at),
        })),
        durationSec: null,
        tags: [],
        likesHidden: false,
        commentsOff: false,
        readings: null,
      };
    },
  );
  return json({ id: post.id });
}

/** The container's serial. @throws Refusal unless it can be published */
async function requireReady(service: Service, call: GraphCall, id: string): Promise<number> {
  const serial = serialOf(call.account, id);
  const container = await findContainer(service, call.account, id);
  if (serial === null || container === null) throw containerGone(id);
  if (container.kind === "child") throw badParameter("A carousel item can't be published alone.");
  switch (await statusOf(service, call.account, container)) {
    case "FINISHED":
      return serial;
    case "PUBLISHED":
      throw alreadyUsed();
    case "EXPIRED":
      throw publishing(
        -2,
        2207020,
        "The media has expired.",
        "The media you are trying to access has expired. Please try to upload again.",
      );
    case "IN_PROGRESS":
      throw publishing(
        9007,
        2207027,
        "Media ID is not available",
        "The media is not ready for publishing, please wait for a moment",
      );
  }
}

const alreadyUsed = () =>
  publishing(
    24,
    2207006,
    "The requested resource does not exist",
    "The media with this creation id was published already.",
  );

/** `GET /{ig}/content_publishing_limit?fields=quota_usage,config` */
export async function readQuota(
  service: Service,
  call: GraphCall,
  owner: string,
): Promise<Response> {
  requireOwner(call, owner);
  requireScope(call, "instagram_business_content_publish");
  const since = call.params["since"];
  const from = since === undefined ? service.now() - DAY : Number(since) * 1_000;
  if (!(from >= service.now() - DAY)) throw badParameter("Param since must be within 24 hours.");
  const node = {
    quota_usage: await usedQuota(service, call, from),
    config: { quota_total: QUOTA, quota_duration: DAY / 1_000 },
  };
  const fields = (call.params["fields"] ?? "quota_usage").split(",");
  const asked = Object.entries(node).filter(([name]) => fields.includes(name));
  return json({ data: [Object.fromEntries(asked)] });
}

/** How many posts were published since `from`; a carousel counts once. */
async function usedQuota({ kv }: Service, { account }: GraphCall, from: number): Promise<number> {
  return (await publishedPosts(kv, account)).filter((post) => post.publishedAt >= from).length;
}
