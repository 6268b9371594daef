/** LinkedIn's images: registering one, uploading its bytes, reading its status (PLATFORMS B.5). */
import { DAY, HOUR, SECOND } from "../../../domain/foundation/calendar.ts";
import { transact } from "../../../domain/kv/transact.ts";
import { accountByNumber, isMember } from "../../../domain/platforms/sandbox/accounts.ts";
import { externalAccountId } from "../../../domain/platforms/sandbox/ids.ts";
import { seededPosts } from "../../../domain/platforms/sandbox/history.ts";
import type { SandboxImage } from "../../../domain/platforms/sandbox/shape.ts";
import type { Service } from "../../../domain/service/service.ts";
import { keepCopy, measure } from "../files.ts";
import { absolute, json } from "../wire.ts";
import { requireScope, requireToken, type RestCall } from "./call.ts";
import { accessDenied, apiError, badValue, notFound } from "./errors.ts";
import { urnOf, urnsOf } from "./restli.ts";

const MAX_PIXELS = 36_152_320;
const MAX_BYTES = 20 * 1024 * 1024;
const LINK_LIFE = DAY;
const DOWNLOAD_LIFE = HOUR;
/** Processing ends after the image was read this often, or after this time. */
const READS_TO_FINISH = 1;
const PROCESSING_MS = 10 * SECOND;

interface UploadedImage {
  urn: string;
  /** The account's number. */
  number: number;
  /** Instants, ms; `uploadedAt` is null until the bytes have arrived. */
  registeredAt: number;
  uploadedAt: number | null;
  /** The platform's copy; null until it is uploaded, or when the bytes are no image. */
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

/** `PUT {uploadUrl}` with the bytes and the token; returns 201 without a body. */
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
  const url = await stored(service, bytes);
  const uploaded: UploadedImage = { ...image, url, uploadedAt: service.now() };
  await transact(service.kv, (commit) => commit.set(imageKey(urn), uploaded));
  return new Response(null, { status: 201 });
}

/** Stores an image within the limits and returns its address; null when processing will fail. */
async function stored(
  service: Service,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string | null> {
  const measured = measure(bytes);
  if (measured === null || bytes.length > MAX_BYTES) return null;
  if (measured.width * measured.height >= MAX_PIXELS) return null;
  return await keepCopy(service, bytes, measured.type);
}

/** `GET /rest/images/{urn}`: each read advances the processing. */
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

/** A member's token may upload images but not read them. */
function requireReader(call: RestCall): void {
  if (isMember(call.account)) throw accessDenied("partnerApiImages.GET");
  requireScope(call, "partnerApiImages.GET", SCOPES);
}

async function imageNode(service: Service, call: RestCall, urn: string) {
  const upload = await readUpload(service, urn);
  const image = upload === null ? await seededImage(service, urn) : null;
  const found = upload ?? image;
  if (found === null || found.number !== call.account.number) return null;
  const status = upload === null ? "AVAILABLE" : statusOf(service, upload);
  return {
    id: urn,
    owner: externalAccountId(call.account),
    status,
    ...(status !== "AVAILABLE" || found.url === null ? {} : {
      downloadUrl: absolute(service, found.url),
      downloadUrlExpiresAt: service.now() + DOWNLOAD_LIFE,
    }),
  };
}

export function statusOf({ now }: Service, image: UploadedImage): Status {
  if (image.uploadedAt === null) return "WAITING_UPLOAD";
  if (image.polls <= READS_TO_FINISH && now() - image.uploadedAt < PROCESSING_MS) {
    return "PROCESSING";
  }
  return image.url === null ? "PROCESSING_FAILED" : "AVAILABLE";
}

export async function findUpload({ kv }: Service, urn: string): Promise<UploadedImage | null> {
  return (await kv.get<UploadedImage>(imageKey(urn))).value;
}

function readUpload({ kv }: Service, urn: string): Promise<UploadedImage | null> {
  return transact(kv, async (commit) => {
    const image = await commit.get<UploadedImage>(imageKey(urn));
    if (image === null || image.uploadedAt === null || image.polls > READS_TO_FINISH) return image;
    const read: UploadedImage = { ...image, polls: image.polls + 1 };
    commit.set(imageKey(urn), read);
    return read;
  });
}

/** An image of a made-up post, which its URN names. */
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
