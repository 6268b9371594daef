/** Publishes through Instagram's containers, and finds what became of them (PLATFORMS A.6 and G). */
import { z } from "zod";
import { HOUR, iso, MINUTE, SECOND } from "../../../foundation/calendar.ts";
import type { PlatformClient } from "../../contract/client.ts";
import type {
  Keep,
  OutgoingFile,
  OutgoingPost,
  Progress,
  Published,
  Verdict,
} from "../../contract/platform.ts";
import { address, NOT_FETCHABLE, PlatformError } from "../../contract/wire.ts";
import { CONTAINER_NOT_FOUND, IMAGE_NOT_FETCHED, isRetryable, MEDIA_EXPIRED } from "./errors.ts";
import { type Media, pages } from "./list.ts";

/** A container expires after 24 h; one that is near its end is replaced. */
const CONTAINER_LIFE = 23 * HOUR;
/** The publishing quota counts the last 24 hours, so it may have room again after this time. */
const QUOTA_RETRY_IN = HOUR;

/** Forgets all containers, so that the next try makes new ones. */
const NOTHING = { files: [], container: null, begunAt: null };

/** Takes the place of a carousel's item that has to be made again; the others are used again. */
const LOST = "";

const Created = z.object({ id: z.string().min(1) });
const Status = z.object({ status_code: z.string(), status: z.string().nullish() });
const Quota = z.object({
  data: z.array(z.object({
    quota_usage: z.number(),
    config: z.object({ quota_total: z.number().default(50) }).optional(),
  })),
});
const Details = z.object({ permalink: z.string().optional(), timestamp: z.string().optional() });

export async function publishInstagram(
  client: PlatformClient,
  graph: string,
  outgoing: OutgoingPost,
  progress: Progress,
  keep: Keep,
): Promise<Published> {
  const edge = `${graph}/${client.account.externalId}`;
  await requireQuota(client, edge);
  const ready = await prepared(
    client,
    graph,
    edge,
    outgoing,
    await fresh(client, progress, keep),
    keep,
  );
  // An earlier call may have taken effect late; the container's status tells.
  const forget = () => keep({ container: null });
  if (await finished(client, graph, ready, forget) === "PUBLISHED") {
    return lookFor(client, graph, outgoing);
  }
  client.requireTime(0);
  await keep({ committedAt: client.service.now(), commits: progress.commits + 1 });
  const form = { creation_id: ready };
  const url = `${edge}/media_publish`;
  const { id } = await client.read({ method: "POST", url, form }, Created).catch(async (error) => {
    // The items of a carousel are looked at, and made again only where they are gone, too.
    if (isGone(error)) await keep({ container: null });
    throw error;
  });
  return { ...await details(client, graph, id), externalPostId: id };
}

/** Looks whether the container was published, and as which post. */
export async function reconcileInstagram(
  client: PlatformClient,
  graph: string,
  outgoing: OutgoingPost,
  progress: Progress,
): Promise<Verdict> {
  if (progress.container === null) return { is: "absent" };
  const { status_code: status } = await statusOf(client, graph, progress.container);
  if (status === "PUBLISHED") {
    return { is: "published", post: await lookFor(client, graph, outgoing) };
  }
  if (status === "IN_PROGRESS") {
    return { is: "unseen", message: "Instagram is still processing the post." };
  }
  return { is: "absent" };
}

/** Forgets containers that are too old to publish. */
async function fresh(client: PlatformClient, progress: Progress, keep: Keep): Promise<Progress> {
  const { begunAt } = progress;
  if (begunAt === null || client.service.now() - begunAt < CONTAINER_LIFE) return progress;
  await keep(NOTHING);
  return { ...progress, ...NOTHING };
}

async function requireQuota(client: PlatformClient, edge: string): Promise<void> {
  const url = address(`${edge}/content_publishing_limit`, { fields: "quota_usage,config" });
  const quota = await client.read({ url }, Quota).catch((error) => {
    // Reading the quota may fail: publishing itself is refused when the quota is used up.
    if (error instanceof PlatformError && error.fault !== "tokenDead") return null;
    throw error;
  });
  const entry = quota?.data[0];
  if (entry === undefined || entry.quota_usage < (entry.config?.quota_total ?? 50)) return;
  const message = "Instagram: the account has used up its quota of posts for 24 hours.";
  throw new PlatformError("rateLimited", message, {
    code: "publishQuota",
    about: "publishing",
    retryAt: client.service.now() + QUOTA_RETRY_IN,
  });
}

/** Makes the containers that are missing, storing each id at once; returns the post's container. */
async function prepared(
  client: PlatformClient,
  graph: string,
  edge: string,
  outgoing: OutgoingPost,
  progress: Progress,
  keep: Keep,
): Promise<string> {
  const make = async (form: Record<string, string>) => {
    client.requireTime(0);
    return (await client.read({ method: "POST", url: `${edge}/media`, form }, Created)).id;
  };
  const begunAt = progress.begunAt ?? client.service.now();
  const files = [...progress.files];
  if (outgoing.format === "carousel") {
    for (const [place, file] of outgoing.files.entries()) {
      if ((files[place] ?? LOST) !== LOST) continue;
      files[place] = await make({ is_carousel_item: "true", ...imageFields(file) });
      await keep({ files, begunAt });
    }
    for (const [place, child] of files.entries()) {
      const forget = () => keep({ files: files.with(place, LOST), container: null });
      await finished(client, graph, child, forget);
    }
  }
  let container = progress.container;
  if (container === null) {
    container = await make(parentFields(outgoing, files));
    await keep({ container, begunAt });
  }
  return container;
}

function imageFields({ url, altText }: OutgoingFile): Record<string, string> {
  return { image_url: url, ...(altText === "" ? {} : { alt_text: altText }) };
}

/** Labels the post as made by a model. Instagram refuses that label on a carousel's children. */
function parentFields(
  { format, text, files: [first] }: OutgoingPost,
  children: string[],
): Record<string, string> {
  if (format === "carousel") {
    return {
      media_type: "CAROUSEL",
      children: children.join(","),
      caption: text,
      is_ai_generated: "true",
    };
  }
  if (first === undefined) throw new PlatformError("badRequest", "The post has no image.");
  return format === "story"
    ? { media_type: "STORIES", image_url: first.url, is_ai_generated: "true" }
    : { ...imageFields(first), caption: text, is_ai_generated: "true" };
}

/** Waits until the container can be published or is published; returns which. */
async function finished(
  client: PlatformClient,
  graph: string,
  id: string,
  forget: () => Promise<void>,
): Promise<string> {
  return await client.poll(async () => {
    const { status_code: code, status } = await statusOf(client, graph, id);
    if (code === "FINISHED" || code === "PUBLISHED") return code;
    if (code === "IN_PROGRESS") return null;
    // A new container may succeed, so the next try makes one in place of this.
    await forget();
    throw failedContainer(code, status ?? "");
  });
}

function failedContainer(code: string, status: string): PlatformError {
  const subcode = /22070\d\d/.exec(status)?.[0];
  const retryable = code === "EXPIRED" || subcode === undefined || isRetryable(Number(subcode));
  return new PlatformError(
    retryable ? "notReady" : "badRequest",
    `Instagram could not use the image (${code}${status === "" ? "" : `: ${status}`}).`,
    {
      code: subcode ?? code,
      names: Number(subcode) === IMAGE_NOT_FETCHED ? NOT_FETCHABLE : null,
    },
  );
}

async function statusOf(client: PlatformClient, graph: string, id: string) {
  try {
    const url = address(`${graph}/${id}`, { fields: "status_code,status" });
    return await client.read({ url }, Status);
  } catch (error) {
    const missing = error instanceof PlatformError && error.fault === "unmeasurable";
    if (missing || isGone(error)) return { status_code: "EXPIRED", status: null };
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof PlatformError &&
    [CONTAINER_NOT_FOUND, MEDIA_EXPIRED].some((code) => error.code.endsWith(`/${code}`));
}

/** The public post's address and time. The post is public even if they can't be read. */
async function details(client: PlatformClient, graph: string, id: string) {
  const url = address(`${graph}/${id}`, { fields: "permalink,timestamp" });
  const seen = await client.read({ url }, Details).catch(() => null);
  const at = client.service.now();
  return { url: seen?.permalink ?? null, publishedAt: instantOr(seen?.timestamp, at) };
}

function instantOr(timestamp: string | undefined, at: number): string {
  const parsed = Date.parse(timestamp ?? "");
  return iso(Number.isNaN(parsed) ? at : parsed);
}

/**
 * Finds the post that the container became: the only one with its text since the attempt was claimed.
 * Returns no id when there are several or none.
 */
async function lookFor(
  client: PlatformClient,
  graph: string,
  outgoing: OutgoingPost,
): Promise<Published> {
  const story = outgoing.format === "story";
  const edge = `${graph}/${client.account.externalId}/${story ? "stories" : "media"}`;
  const since = Math.floor((outgoing.claimedAt - 5 * MINUTE) / SECOND);
  // Instagram's timestamps are whole seconds.
  const claimed = Math.floor(outgoing.claimedAt / SECOND) * SECOND;
  const candidates: Media[] = [];
  for await (const page of pages(client, edge, story ? {} : { since })) {
    for (const media of page) {
      const ours = story || (media.caption ?? "") === outgoing.text;
      if (ours && Date.parse(media.timestamp) >= claimed) candidates.push(media);
    }
    const last = page.at(-1);
    if (last !== undefined && Date.parse(last.timestamp) < claimed) break;
  }
  const [only, second] = candidates;
  if (only === undefined || second !== undefined) {
    return { externalPostId: null, url: null, publishedAt: iso(client.service.now()) };
  }
  return {
    externalPostId: only.id,
    url: only.permalink ?? null,
    publishedAt: instantOr(only.timestamp, client.service.now()),
  };
}
