/** LinkedIn's images and posts: uploaded, published once, and looked for (PLATFORMS B.5 and G). */
import { z } from "zod";
import { iso, MINUTE } from "../../calendar.ts";
import { sentence } from "../../text.ts";
import type { Line } from "../line.ts";
import type { Draft, Keep, Progress, Published, Verdict } from "../platform.ts";
import { PlatformError } from "../wire.ts";
import { imageUrns, postUrl, readPosts } from "./list.ts";
import { escapeLittleText, unescapeLittleText } from "./little_text.ts";
import { readImage } from "./media.ts";

/** Within it LinkedIn refuses an identical body and names the first post. */
const DUPLICATE_WINDOW = 10 * MINUTE;
/** Posts that a search for ours looks at. */
const LOOK_AT = 20;

const Upload = z.object({ value: z.object({ uploadUrl: z.url(), image: z.string() }) });

export async function publishLinkedIn(
  line: Line,
  api: string,
  draft: Draft,
  progress: Progress,
  keep: Keep,
): Promise<Published> {
  const images = await uploaded(line, api, draft, progress, keep);
  line.leave(0);
  await keep({ committedAt: line.service.now(), commits: progress.commits + 1 });
  try {
    return await post(line, api, draft, images);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.fault !== "duplicate") throw error;
    if (progress.commits > 0 && error.names !== null) return published(line, error.names);
    // Our first try: the twin that LinkedIn names is somebody else's.
    throw new PlatformError(
      "rateLimited",
      `${sentence(error.message)} The same text was just posted.`,
      {
        code: error.code,
        retryAt: line.service.now() + DUPLICATE_WINDOW,
      },
    );
  }
}

/** Our image URNs are ours alone, so an organization's list tells; a member's can't be read. */
export async function reconcileLinkedIn(
  line: Line,
  api: string,
  draft: Draft,
  progress: Progress,
): Promise<Verdict> {
  if (line.account.kind === "member") return await repeat(line, api, draft, progress);
  const { elements } = await readPosts(line, api, LOOK_AT, 0);
  const ours = elements.find((element) => {
    const urns = imageUrns(element);
    if (urns.length > 0) return urns.some((urn) => progress.files.includes(urn));
    const same = unescapeLittleText(element.commentary ?? "") === draft.text;
    return same && (element.createdAt ?? 0) >= draft.claimedAt;
  });
  if (ours === undefined) return { is: "absent" };
  const at = ours.publishedAt ?? ours.createdAt ?? line.service.now();
  return {
    is: "published",
    post: { externalPostId: ours.id, url: postUrl(ours.id), publishedAt: iso(at) },
  };
}

/** The identical body once more, while LinkedIn would name the twin: it can't become a second post. */
async function repeat(
  line: Line,
  api: string,
  draft: Draft,
  progress: Progress,
): Promise<Verdict> {
  const age = line.service.now() - (progress.committedAt ?? 0);
  if (age > DUPLICATE_WINDOW - MINUTE) {
    return { is: "unseen", message: "LinkedIn shows nobody a member's posts." };
  }
  try {
    return { is: "published", post: await post(line, api, draft, progress.files) };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.fault === "duplicate" && error.names !== null) {
      return { is: "published", post: published(line, error.names) };
    }
    if (!error.mayHaveBeenTaken) throw error;
    return { is: "unseen", message: error.message };
  }
}

async function post(
  line: Line,
  api: string,
  draft: Draft,
  images: string[],
): Promise<Published> {
  const { headers } = await line.send({
    method: "POST",
    url: `${api}/rest/posts`,
    json: {
      author: line.account.externalId,
      commentary: escapeLittleText(draft.text),
      visibility: "PUBLIC",
      distribution: {
        feedDistribution: "MAIN_FEED",
        targetEntities: [],
        thirdPartyDistributionChannels: [],
      },
      content: contentOf(draft, images),
      lifecycleState: "PUBLISHED",
      isReshareDisabledByAuthor: false,
    },
  });
  const urn = headers.get("x-restli-id");
  if (urn !== null && urn !== "") return published(line, urn);
  throw new PlatformError("malformed", "LinkedIn took the post without telling its id.");
}

function published(line: Line, urn: string): Published {
  return { externalPostId: urn, url: postUrl(urn), publishedAt: iso(line.service.now()) };
}

function contentOf(draft: Draft, images: string[]): object {
  const described = images.map((id, at) => {
    const altText = draft.files[at]!.altText;
    return altText === "" ? { id } : { id, altText };
  });
  return described.length === 1 ? { media: described[0] } : { multiImage: { images: described } };
}

/** URNs of the uploaded images; each is kept as soon as its bytes are there. */
async function uploaded(
  line: Line,
  api: string,
  draft: Draft,
  progress: Progress,
  keep: Keep,
): Promise<string[]> {
  const files = [...progress.files];
  for (const file of draft.files.slice(files.length)) {
    line.leave(0);
    const { value } = await line.read({
      method: "POST",
      url: `${api}/rest/images?action=initializeUpload`,
      json: { initializeUploadRequest: { owner: line.account.externalId } },
    }, Upload);
    await line.send({ method: "PUT", url: value.uploadUrl, bytes: await file.bytes() });
    files.push(value.image);
    await keep({ files, begunAt: progress.begunAt ?? line.service.now() });
  }
  for (const urn of files) await available(line, api, urn, keep);
  return files;
}

/** A post made before its images are processed can stay invisible. */
async function available(line: Line, api: string, urn: string, keep: Keep): Promise<void> {
  let blind = 0;
  await line.poll(async () => {
    const status = await statusOf(line, api, urn);
    if (status === "AVAILABLE") return true;
    // A member's token may not look: a few moments must do.
    if (status === null) return ++blind > 2 ? true : null;
    if (status !== "PROCESSING_FAILED") return null;
    await keep({ files: [], begunAt: null });
    throw new PlatformError("transient", "LinkedIn could not process the image.", { code: status });
  });
}

async function statusOf(line: Line, api: string, urn: string): Promise<string | null> {
  try {
    return (await readImage(line, api, urn)).status ?? "AVAILABLE";
  } catch (error) {
    if (error instanceof PlatformError && error.fault === "permission") return null;
    throw error;
  }
}
