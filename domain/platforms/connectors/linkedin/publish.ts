/** Uploads images to LinkedIn, publishes the post once, and finds what became of it (PLATFORMS B.5, G). */
import { z } from "zod";
import { iso, MINUTE } from "../../../foundation/calendar.ts";
import { sentence } from "../../../foundation/text.ts";
import type { PlatformClient } from "../../contract/client.ts";
import type { Keep, OutgoingPost, Progress, Published, Verdict } from "../../contract/platform.ts";
import { PlatformError } from "../../contract/wire.ts";
import { imageUrns, postUrl, readPosts } from "./list.ts";
import { escapeLittleText, unescapeLittleText } from "./little_text.ts";
import { readImage } from "./media.ts";

/** LinkedIn refuses an identical post for this long, and names the first one. */
const DUPLICATE_WINDOW = 10 * MINUTE;
/** How many of the newest posts are searched for ours. */
const SEARCHED = 20;

const Upload = z.object({ value: z.object({ uploadUrl: z.url(), image: z.string() }) });

export async function publishLinkedIn(
  client: PlatformClient,
  api: string,
  outgoing: OutgoingPost,
  progress: Progress,
  keep: Keep,
): Promise<Published> {
  const images = await uploaded(client, api, outgoing, progress, keep);
  client.requireTime(0);
  await keep({ committedAt: client.service.now(), commits: progress.commits + 1 });
  try {
    return await post(client, api, outgoing, images);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.fault !== "duplicate") throw error;
    if (progress.commits > 0 && error.names !== null) return published(client, error.names);
    // This was the first try, so somebody else published the post that LinkedIn names.
    throw new PlatformError(
      "rateLimited",
      `${sentence(error.message)} Somebody just published the same text there.`,
      {
        code: error.code,
        about: "post",
        retryAt: client.service.now() + DUPLICATE_WINDOW,
      },
    );
  }
}

/** Looks for a post with our image URNs, which no other post has. A member's posts can't be listed. */
export async function reconcileLinkedIn(
  client: PlatformClient,
  api: string,
  outgoing: OutgoingPost,
  progress: Progress,
): Promise<Verdict> {
  if (client.account.kind === "member") return await repeat(client, api, outgoing, progress);
  const { elements } = await readPosts(client, api, SEARCHED, 0);
  const ours = elements.find((element) => {
    const urns = imageUrns(element);
    if (urns.length > 0) return urns.some((urn) => progress.files.includes(urn));
    const same = unescapeLittleText(element.commentary ?? "") === outgoing.text;
    return same && (element.createdAt ?? 0) >= outgoing.claimedAt;
  });
  if (ours === undefined) return { is: "absent" };
  const at = ours.publishedAt ?? ours.createdAt ?? client.service.now();
  return {
    is: "published",
    post: { externalPostId: ours.id, url: postUrl(ours.id), publishedAt: iso(at) },
  };
}

/** Sends the identical post again while LinkedIn refuses duplicates and names the first one. */
async function repeat(
  client: PlatformClient,
  api: string,
  outgoing: OutgoingPost,
  progress: Progress,
): Promise<Verdict> {
  const age = client.service.now() - (progress.committedAt ?? 0);
  if (age > DUPLICATE_WINDOW - MINUTE) {
    return { is: "unseen", message: "LinkedIn lets no application read a person's posts." };
  }
  try {
    return { is: "published", post: await post(client, api, outgoing, progress.files) };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.fault === "duplicate" && error.names !== null) {
      return { is: "published", post: published(client, error.names) };
    }
    if (!error.mayHaveBeenTaken) throw error;
    return { is: "unseen", message: error.message };
  }
}

async function post(
  client: PlatformClient,
  api: string,
  outgoing: OutgoingPost,
  images: string[],
): Promise<Published> {
  const { headers } = await client.send({
    method: "POST",
    url: `${api}/rest/posts`,
    json: {
      author: client.account.externalId,
      commentary: escapeLittleText(outgoing.text),
      visibility: "PUBLIC",
      distribution: {
        feedDistribution: "MAIN_FEED",
        targetEntities: [],
        thirdPartyDistributionChannels: [],
      },
      content: contentOf(outgoing, images),
      lifecycleState: "PUBLISHED",
      isReshareDisabledByAuthor: false,
    },
  });
  const urn = headers.get("x-restli-id");
  if (urn !== null && urn !== "") return published(client, urn);
  throw new PlatformError("malformed", "LinkedIn accepted the post without returning its id.");
}

function published(client: PlatformClient, urn: string): Published {
  return { externalPostId: urn, url: postUrl(urn), publishedAt: iso(client.service.now()) };
}

function contentOf(outgoing: OutgoingPost, images: string[]): object {
  const described = images.map((id, at) => {
    const altText = outgoing.files[at]?.altText ?? "";
    return altText === "" ? { id } : { id, altText };
  });
  return described.length === 1 ? { media: described[0] } : { multiImage: { images: described } };
}

/** Uploads the images that are missing, storing each URN at once; returns the URNs. */
async function uploaded(
  client: PlatformClient,
  api: string,
  outgoing: OutgoingPost,
  progress: Progress,
  keep: Keep,
): Promise<string[]> {
  const files = [...progress.files];
  for (const file of outgoing.files.slice(files.length)) {
    client.requireTime(0);
    const { value } = await client.read({
      method: "POST",
      url: `${api}/rest/images?action=initializeUpload`,
      json: { initializeUploadRequest: { owner: client.account.externalId } },
    }, Upload);
    await client.send({ method: "PUT", url: value.uploadUrl, bytes: await file.bytes() });
    files.push(value.image);
    await keep({ files, begunAt: progress.begunAt ?? client.service.now() });
  }
  for (const urn of files) await available(client, api, urn, keep);
  return files;
}

/** Waits until the image is processed, because a post made earlier can stay invisible. */
async function available(
  client: PlatformClient,
  api: string,
  urn: string,
  keep: Keep,
): Promise<void> {
  let refusedLooks = 0;
  await client.poll(async () => {
    const status = await statusOf(client, api, urn);
    if (status === "AVAILABLE") return true;
    // A member's token may not read the status, so a few moments of waiting must do.
    if (status === null) return ++refusedLooks > 2 ? true : null;
    if (status !== "PROCESSING_FAILED") return null;
    await keep({ files: [], begunAt: null });
    throw new PlatformError("transient", "LinkedIn could not process the image.", { code: status });
  });
}

async function statusOf(client: PlatformClient, api: string, urn: string): Promise<string | null> {
  try {
    return (await readImage(client, api, urn)).status ?? "AVAILABLE";
  } catch (error) {
    if (error instanceof PlatformError && error.fault === "permission") return null;
    throw error;
  }
}
