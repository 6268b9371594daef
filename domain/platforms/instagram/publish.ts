/** Instagram's containers: made, watched, published once, and looked for (PLATFORMS A.6 and G). */
import { z } from "zod";
import { HOUR, iso, MINUTE, SECOND } from "../../calendar.ts";
import type { Line } from "../line.ts";
import type { Draft, Keep, Progress, Published, Verdict } from "../platform.ts";
import { address, PlatformError } from "../wire.ts";
import { CONTAINER_NOT_FOUND, isPassing, MEDIA_EXPIRED } from "./errors.ts";
import { type Media, pages } from "./list.ts";

/** A container lives 24 h; one near its end is made anew. */
const CONTAINER_LIVES = 23 * HOUR;
/** The 24-hour window of the publishing quota moves on all the time: look again then. */
const QUOTA_MOVES_IN = HOUR;

/** Progress without containers: the next try makes new ones. */
const NOTHING = { files: [], container: null, begunAt: null };

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
  line: Line,
  graph: string,
  draft: Draft,
  progress: Progress,
  keep: Keep,
): Promise<Published> {
  const edge = `${graph}/${line.account.externalId}`;
  await requireQuota(line, edge);
  const ready = await prepared(line, graph, edge, draft, await fresh(line, progress, keep), keep);
  // A call that seemed lost may have been carried out late: the container itself says so.
  if (await finished(line, graph, ready, keep) === "PUBLISHED") return lookFor(line, graph, draft);
  line.leave(0);
  await keep({ committedAt: line.service.now(), commits: progress.commits + 1 });
  const form = { creation_id: ready };
  const url = `${edge}/media_publish`;
  const { id } = await line.read({ method: "POST", url, form }, Created).catch(async (error) => {
    if (isGone(error)) await keep(NOTHING);
    throw error;
  });
  return { ...await details(line, graph, id), externalPostId: id };
}

/** Whether the container went public; and if so, as which medium. */
export async function reconcileInstagram(
  line: Line,
  graph: string,
  draft: Draft,
  progress: Progress,
): Promise<Verdict> {
  if (progress.container === null) return { is: "absent" };
  const { status_code: status } = await statusOf(line, graph, progress.container);
  if (status === "PUBLISHED") {
    return { is: "published", post: await lookFor(line, graph, draft) };
  }
  if (status === "IN_PROGRESS") {
    return { is: "unseen", message: "Instagram is still at work on it." };
  }
  return { is: "absent" };
}

/** Containers that are too old to publish are forgotten; making them again harms nothing. */
async function fresh(line: Line, progress: Progress, keep: Keep): Promise<Progress> {
  const { begunAt } = progress;
  if (begunAt === null || line.service.now() - begunAt < CONTAINER_LIVES) return progress;
  await keep(NOTHING);
  return { ...progress, ...NOTHING };
}

async function requireQuota(line: Line, edge: string): Promise<void> {
  const url = address(`${edge}/content_publishing_limit`, { fields: "quota_usage,config" });
  const quota = await line.read({ url }, Quota).catch((error) => {
    // The limit is a courtesy: publishing itself says no when it is reached.
    if (error instanceof PlatformError && error.fault !== "tokenDead") return null;
    throw error;
  });
  const entry = quota?.data[0];
  if (entry === undefined || entry.quota_usage < (entry.config?.quota_total ?? 50)) return;
  const message = "Instagram: the account's posts of the last 24 hours have used up its quota.";
  throw new PlatformError("rateLimited", message, {
    code: "publishQuota",
    retryAt: line.service.now() + QUOTA_MOVES_IN,
  });
}

/** The id of the post's container; each container is kept as soon as it is known. */
async function prepared(
  line: Line,
  graph: string,
  edge: string,
  draft: Draft,
  progress: Progress,
  keep: Keep,
): Promise<string> {
  const make = async (form: Record<string, string>) => {
    line.leave(0);
    return (await line.read({ method: "POST", url: `${edge}/media`, form }, Created)).id;
  };
  const begunAt = progress.begunAt ?? line.service.now();
  const files = [...progress.files];
  if (draft.format === "carousel") {
    for (const file of draft.files.slice(files.length)) {
      files.push(await make({ is_carousel_item: "true", ...imageFields(file) }));
      await keep({ files, begunAt });
    }
    for (const child of files) await finished(line, graph, child, keep);
  }
  let container = progress.container;
  if (container === null) {
    container = await make(parentFields(draft, files));
    await keep({ container, begunAt });
  }
  return container;
}

function imageFields({ url, altText }: Draft["files"][number]): Record<string, string> {
  return { image_url: url, ...(altText === "" ? {} : { alt_text: altText }) };
}

/** Our images are made by a model, and the post says so; children may not. */
function parentFields(draft: Draft, children: string[]): Record<string, string> {
  switch (draft.format) {
    case "carousel":
      return {
        media_type: "CAROUSEL",
        children: children.join(","),
        caption: draft.text,
        is_ai_generated: "true",
      };
    case "story":
      return { media_type: "STORIES", image_url: draft.files[0]!.url, is_ai_generated: "true" };
    case "post":
      return { ...imageFields(draft.files[0]!), caption: draft.text, is_ai_generated: "true" };
  }
}

/** Waits until the container can be published, or has been. */
async function finished(line: Line, graph: string, id: string, keep: Keep): Promise<string> {
  return await line.poll(async () => {
    const { status_code: code, status } = await statusOf(line, graph, id);
    if (code === "FINISHED" || code === "PUBLISHED") return code;
    if (code === "IN_PROGRESS") return null;
    // Another container may fare better: the next attempt begins with new ones.
    await keep(NOTHING);
    throw failedContainer(code, status ?? "");
  });
}

function failedContainer(code: string, status: string): PlatformError {
  const subcode = /22070\d\d/.exec(status)?.[0];
  const passing = code === "EXPIRED" || subcode === undefined || isPassing(Number(subcode));
  return new PlatformError(
    passing ? "notReady" : "badRequest",
    `Instagram could not use the image (${code}${status === "" ? "" : `: ${status}`}).`,
    { code: subcode ?? code },
  );
}

async function statusOf(line: Line, graph: string, id: string) {
  try {
    const url = address(`${graph}/${id}`, { fields: "status_code,status" });
    return await line.read({ url }, Status);
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

/** Where and when it is public; it is, even when this can't be told. */
async function details(line: Line, graph: string, id: string) {
  const url = address(`${graph}/${id}`, { fields: "permalink,timestamp" });
  const seen = await line.read({ url }, Details).catch(() => null);
  const at = line.service.now();
  return { url: seen?.permalink ?? null, publishedAt: instantOr(seen?.timestamp, at) };
}

function instantOr(timestamp: string | undefined, at: number): string {
  const parsed = Date.parse(timestamp ?? "");
  return iso(Number.isNaN(parsed) ? at : parsed);
}

/** The medium that the container became: the only one since the claim that could be it. */
async function lookFor(line: Line, graph: string, draft: Draft): Promise<Published> {
  const story = draft.format === "story";
  const edge = `${graph}/${line.account.externalId}/${story ? "stories" : "media"}`;
  const since = Math.floor((draft.claimedAt - 5 * MINUTE) / SECOND);
  // Instagram's timestamps are whole seconds.
  const claimed = Math.floor(draft.claimedAt / SECOND) * SECOND;
  const candidates: Media[] = [];
  for await (const page of pages(line, edge, story ? {} : { since })) {
    for (const media of page) {
      const ours = story || (media.caption ?? "") === draft.text;
      if (ours && Date.parse(media.timestamp) >= claimed) candidates.push(media);
    }
    if (Date.parse(page.at(-1)!.timestamp) < claimed) break;
  }
  const [only, second] = candidates;
  if (only === undefined || second !== undefined) {
    return { externalPostId: null, url: null, publishedAt: iso(line.service.now()) };
  }
  return {
    externalPostId: only.id,
    url: only.permalink ?? null,
    publishedAt: instantOr(only.timestamp, line.service.now()),
  };
}
