/** LinkedIn's images: registration, the PUT of the bytes, and their state (PLATFORMS B.5). */
import { DAY, HOUR, SECOND } from "../../../domain/calendar.ts";
import { transact } from "../../../domain/kv.ts";
import { accountByNumber, isMember } from "../../../domain/sandbox/accounts.ts";
import { externalAccountId } from "../../../domain/sandbox/ids.ts";
import { seededPosts } from "../../../domain/sandbox/history.ts";
import type { SandboxImage } from "../../../domain/sandbox/posts.ts";
import type { Service } from "../../../domain/service.ts";
import { keepCopy, measure } from "../files.ts";
import { absolute, json } from "../wire.ts";
import { requireScope, requireToken, type RestCall } from "./call.ts";
import { accessDenied, apiError, badValue, notFound } from "./errors.ts";
import { urnOf, urnsOf } from "./restli.ts";

const MAX_PIXELS = 36_152_320;
const MAX_BYTES = 20 * 1024 * 1024;
const LINK_LIFE = DAY;
const DOWNLOAD_LIFE = HOUR;
/** Processing is over after this many looks, or this long. */
const POLLS = 1;
const PROCESSING_MS = 10 * SECOND;

export interface UploadedImage {
  urn: string;
  /** Whose. */
  number: number;
  /** Instants, ms; null until the bytes have come. */
  registeredAt: number;
  uploadedAt: number | null;
  /** The platform's copy; null until uploaded, or when the bytes are no image. */
  url: string | null;
  polls: number;
}

type Status = "WAITING_UPLOAD" | "PROCESSING" | "AVAILABLE" | "PROCESSING_FAILED";

const imageKey = (urn: string): Deno.KvKey => ["sandbox", "linkedin", "image", urn];

const SCOPES = { organization: "w_organization_social", member: "w_member_social" };

/** `POST /rest/images?action=initializeUpload` */
export async function initializeUpload(service: Service, call: RestCall): Promise<Response> {
  const body = await call.request.json().catch(() => null) as
    | { initializeUploadRequest?: { owner?: unknown } }
    | null;
  const owner = body?.initializeUploadRequest?.owner;
  if (typeof owner !== "string") throw badValue("initializeUploadRequest/owner", "is required");
  requireScope(call, "partnerApiImages.ACTION-initializeUpload", SCOPES);
  if (owner !== externalAccountId(call.account)) {
    throw accessDenied("partnerApiImages.ACTION-initializeUpload");
  }
  const name = crypto.getRandomValues(new Uint8Array(12)).toHex();
  const urn = `urn:li:image:D4E10AQ${name}`;
  const image: UploadedImage = {
    urn,
    number: call.account.number,
    registeredAt: service.now(),
    uploadedAt: null,
    url: null,
    polls: 0,
  };
  await transact(service.kv, (commit) => commit.set(imageKey(urn), image));
  const uploadUrl = `${service.settings.ownUrl}/sandbox/linkedin/dms-uploads/D4E10AQ${name}` +
    "/uploaded-image/0?ca=vector_ads&cn=uploads&sync=0&v=beta";
  return json({
    value: { uploadUrlExpiresAt: service.now() + LINK_LIFE, uploadUrl, image: urn },
  });
}

/** `PUT {uploadUrl}` with the bytes and the token: 201, empty. */
export async function receiveUpload(
  service: Service,
  request: Request,
  name: string,
): Promise<Response> {
  const { account } = await requireToken(service, request);
  const urn = `urn:li:image:${name}`;
  const image = await findUpload(service, urn);
  if (image === null) throw notFound(urn);
  if (image.number !== account.number) throw accessDenied("dms-uploads");
  if (service.now() - image.registeredAt > LINK_LIFE) {
    throw apiError(403, "ACCESS_DENIED", "The upload URL has expired");
  }
  const bytes = await request.bytes();
  if (bytes.length === 0) throw apiError(400, "BAD_REQUEST", "The upload is empty");
  const url = await acceptable(service, bytes);
  const uploaded: UploadedImage = { ...image, url, uploadedAt: service.now() };
  await transact(service.kv, (commit) => commit.set(imageKey(urn), uploaded));
  return new Response(null, { status: 201 });
}

/** The platform's copy of a picture within the limits; null for what processing will refuse. */
async function acceptable(
  service: Service,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string | null> {
  const measured = measure(bytes);
  if (measured === null || bytes.length > MAX_BYTES) return null;
  if (measured.width * measured.height >= MAX_PIXELS) return null;
  return await keepCopy(service, bytes, measured.type);
}

/** `GET /rest/images/{urn}`: each look brings the processing forward. */
export async function readImage(service: Service, call: RestCall, raw: string): Promise<Response> {
  const urn = urnOf(raw, "id");
  requireReader(call);
  const node = await imageNode(service, call, urn);
  if (node === null) throw notFound(urn);
  return json(node);
}

/** `GET /rest/images?ids=List(...)` */
export async function readImages(service: Service, call: RestCall): Promise<Response> {
  const urns = urnsOf(call.query.get("ids") ?? "", "ids");
  requireReader(call);
  const results: Record<string, unknown> = {};
  const statuses: Record<string, number> = {};
  for (const urn of urns) {
    const node = await imageNode(service, call, urn);
    statuses[urn] = node === null ? 404 : 200;
    if (node !== null) results[urn] = node;
  }
  return json({ results, statuses, errors: {} });
}

/** A token with nothing but `w_member_social` may upload but not look. */
function requireReader(call: RestCall): void {
  if (isMember(call.account)) throw accessDenied("partnerApiImages.GET");
  requireScope(call, "partnerApiImages.GET", SCOPES);
}

async function imageNode(service: Service, call: RestCall, urn: string) {
  const upload = await lookedAt(service, urn);
  const image = upload === null ? await seededImage(service, urn) : null;
  const owner = upload?.number ?? image?.number;
  if (owner === undefined || owner !== call.account.number) return null;
  const status = upload === null ? "AVAILABLE" : statusOf(service, upload);
  const url = upload === null ? image!.url : upload.url;
  return {
    id: urn,
    owner: externalAccountId(call.account),
    status,
    ...(status !== "AVAILABLE" ? {} : {
      downloadUrl: absolute(service, url!),
      downloadUrlExpiresAt: service.now() + DOWNLOAD_LIFE,
    }),
  };
}

export function statusOf({ now }: Service, image: UploadedImage): Status {
  if (image.uploadedAt === null) return "WAITING_UPLOAD";
  if (image.polls <= POLLS && now() - image.uploadedAt < PROCESSING_MS) return "PROCESSING";
  return image.url === null ? "PROCESSING_FAILED" : "AVAILABLE";
}

export async function findUpload({ kv }: Service, urn: string): Promise<UploadedImage | null> {
  return (await kv.get<UploadedImage>(imageKey(urn))).value;
}

function lookedAt({ kv }: Service, urn: string): Promise<UploadedImage | null> {
  return transact(kv, async (commit) => {
    const image = await commit.get<UploadedImage>(imageKey(urn));
    if (image === null || image.uploadedAt === null || image.polls > POLLS) return image;
    const looked: UploadedImage = { ...image, polls: image.polls + 1 };
    commit.set(imageKey(urn), looked);
    return looked;
  });
}

/** An image of a made-up post: its URN names the post. */
async function seededImage(
  { kv }: Service,
  urn: string,
): Promise<(SandboxImage & { number: number }) | null> {
  const match = /^urn:li:image:C4E10AQ(\d{10})(\d{5})\d{2}$/.exec(urn);
  const account = match === null ? null : await accountByNumber(kv, "linkedin", Number(match[1]));
  if (match === null || account === null) return null;
  const post = (await seededPosts(account))[Number(match[2])];
  const image = post?.images.find(({ id }) => id === urn);
  return image === undefined ? null : { ...image, number: account.number };
}
