/** `POST /rest/posts`: makes a post public, or refuses it (PLATFORMS B.5, B.6). */
import { createHash } from "node:crypto";
import { z } from "zod";
import { DAY, MINUTE, startOfDay } from "../../../domain/foundation/calendar.ts";
import { externalAccountId } from "../../../domain/platforms/sandbox/ids.ts";
import { readLittleText } from "../../../domain/platforms/sandbox/little_text.ts";
import { publish, publishedPosts } from "../../../domain/platforms/sandbox/posts.ts";
import type { NewPost, SandboxImage } from "../../../domain/platforms/sandbox/shape.ts";
import type { Service } from "../../../domain/service/service.ts";
import { requireScope, type RestCall } from "./call.ts";
import { accessDenied, apiError, badValue, tooMany } from "./errors.ts";
import { findUpload, statusOf } from "./images.ts";

const MAX_TEXT = 3_000;
const MAX_ALT_TEXT = 4_086;
const DUPLICATE_WITHIN = 10 * MINUTE;
/** Posts a member may share in a UTC day. */
const SHARES_A_DAY = 150;

const altText = z.string().max(MAX_ALT_TEXT).optional();
const Media = z.object({ id: z.string(), altText, title: z.string().optional() });

const NewLinkedInPost = z.object({
  author: z.string(),
  commentary: z.string(),
  visibility: z.enum(["PUBLIC", "CONNECTIONS", "LOGGED_IN"]),
  distribution: z.object({ feedDistribution: z.enum(["MAIN_FEED", "NONE"]) }),
  lifecycleState: z.literal("PUBLISHED"),
  isReshareDisabledByAuthor: z.boolean().optional(),
  content: z.union([
    z.strictObject({ media: Media }),
    z.strictObject({
      multiImage: z.object({
        images: z.array(z.object({ id: z.string(), altText })).min(2).max(20),
      }),
    }),
    z.strictObject({
      article: z.object({ source: z.url(), title: z.string(), description: z.string().optional() }),
    }),
  ]).optional(),
});
type NewLinkedInPost = z.output<typeof NewLinkedInPost>;

/** A recent post, by which an identical one is refused. */
interface Recent {
  urn: string;
  /** Instant, ms. */
  at: number;
}

/** Returns 201 without a body, the post's URN in `x-restli-id`. */
export async function createPost(service: Service, call: RestCall): Promise<Response> {
  const body = await readBody(call);
  const resource = "partnerApiPosts.CREATE";
  requireScope(call, resource, {
    organization: "w_organization_social",
    member: "w_member_social",
  });
  if (body.author !== externalAccountId(call.account)) throw accessDenied(resource);
  const fresh = await composed(service, call, body);
  await requireShareLeft(service, call);
  const key = recentKey(call, body);
  const post = await publish(service.kv, service.now, call.account, async (commit, urn) => {
    const recent = await commit.get<Recent>(key);
    if (recent !== null && service.now() - recent.at < DUPLICATE_WITHIN) {
      throw apiError(422, "DUPLICATE_POST", `Content is a duplicate of ${recent.urn}`);
    }
    commit.set(key, { urn, at: service.now() } satisfies Recent, { expireIn: DAY });
    return fresh;
  });
  return new Response(null, { status: 201, headers: { "x-restli-id": post.id } });
}

async function readBody({ request }: RestCall): Promise<NewLinkedInPost> {
  const json: unknown = await request.json().catch(() => null);
  const parsed = NewLinkedInPost.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badValue(issue?.path.join("/") ?? "", issue?.message ?? "is invalid");
}

async function composed(
  service: Service,
  call: RestCall,
  { commentary, content }: NewLinkedInPost,
): Promise<NewPost> {
  const text = readLittleText(commentary);
  if ("reserved" in text) {
    throw badValue(
      "commentary",
      `reserved character ${text.reserved} at ${text.at} is not escaped`,
    );
  }
  if ([...text.text].length > MAX_TEXT) {
    throw apiError(
      400,
      "FIELD_LENGTH_TOO_LONG",
      `/commentary has more than ${MAX_TEXT} characters`,
    );
  }
  const images = await sentImages(service, call, content);
  const article = content !== undefined && "article" in content ? content.article : null;
  const kind = article !== null
    ? "article"
    : images.length > 1
    ? "carousel"
    : images.length === 1
    ? "image"
    : "text";
  return {
    kind,
    caption: text.text,
    wireText: commentary,
    title: article?.title ?? null,
    link: article?.source ?? /https?:\/\/\S+/.exec(text.text)?.[0] ?? null,
    images,
    durationSec: null,
    tags: [],
    likesHidden: false,
    commentsOff: false,
    readings: null,
  };
}

async function sentImages(
  service: Service,
  call: RestCall,
  content: NewLinkedInPost["content"],
): Promise<SandboxImage[]> {
  if (content === undefined || "article" in content) return [];
  const sent = "media" in content ? [content.media] : content.multiImage.images;
  const images: SandboxImage[] = [];
  for (const { id, altText } of sent) {
    const image = await findUpload(service, id);
    if (image === null) throw apiError(400, "INVALID_IMAGE_ID", `${id} is no image`);
    if (image.number !== call.account.number) {
      throw apiError(400, "INVALID_IMAGE_ID", `${id} is not owned by the author`);
    }
    const status = statusOf(service, image);
    if (status === "WAITING_UPLOAD") {
      throw apiError(400, "MEDIA_ASSET_WAITING_UPLOAD", `${id} is waiting for its upload`);
    }
    if (image.url === null) {
      throw apiError(400, "MEDIA_ASSET_PROCESSING_FAILED", `${id} could not be processed`);
    }
    images.push({ id, url: image.url, altText: altText ?? "" });
  }
  return images;
}

async function requireShareLeft({ kv, now }: Service, { account }: RestCall): Promise<void> {
  const today = startOfDay(now());
  const shared = (await publishedPosts(kv, account)).filter((post) => post.publishedAt >= today);
  if (shared.length >= SHARES_A_DAY) throw tooMany();
}

/** Posts with the same author, text and content count as identical. */
function recentKey({ account }: RestCall, body: NewLinkedInPost): Deno.KvKey {
  const { commentary, content } = body;
  const hash = createHash("sha256").update(JSON.stringify([commentary, content])).digest("hex");
  return ["sandbox", "linkedin", "recent", account.number, hash];
}
