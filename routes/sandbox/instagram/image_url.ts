/** Fetches `image_url` as Instagram does, and refuses what its feed can't show (PLATFORMS A.6). */
import { fromInside } from "../../../domain/foundation/addresses.ts";
import type { Service } from "../../../domain/service/service.ts";
import { keepCopy, measure, type Measured } from "../files.ts";
import { publishing } from "./errors.ts";

const MAX_BYTES = 8 * 1024 * 1024;
const FETCH_MS = 15_000;
/** 4:5 and 1.91:1, with room for rounding by a pixel. */
const NARROWEST = 4 / 5 - 0.005;
const WIDEST = 1.91 + 0.005;

/** Stores a copy of the image and returns its address. @throws Refusal with the documented subcode */
export async function takeImage(
  service: Service,
  imageUrl: string,
  place: "feed" | "story",
): Promise<string> {
  const bytes = await fetchBytes(service, imageUrl);
  const measured = measure(bytes);
  if (measured?.type !== "image/jpeg") {
    throw publishing(
      36001,
      2207005,
      "The image format is not supported.",
      "The image format is not supported. Supported formats are: JPEG.",
    );
  }
  if (place === "feed") requireRatio(measured);
  return await keepCopy(service, bytes, measured.type);
}

function requireRatio({ width, height }: Measured): void {
  const ratio = width / height;
  if (ratio >= NARROWEST && ratio <= WIDEST) return;
  throw publishing(
    36003,
    2207009,
    "The aspect ratio is not supported.",
    `The submitted image with aspect ratio ('${width}/${height}',) cannot be published. Please ` +
      "submit an image with a valid aspect ratio.",
  );
}

async function fetchBytes(service: Service, url: string): Promise<Uint8Array<ArrayBuffer>> {
  // deno-lint-ignore no-control-regex -- Instagram takes ASCII addresses only
  if (!/^https?:\/\/[\x00-\x7f]+$/.test(url)) throw notFetchable(url);
  const bytes = await (isOurs(service, url) ? fetchOurs(service, url) : fetchForeign(service, url));
  if (bytes === null) throw notFetchable(url);
  if (bytes.length > MAX_BYTES) throw tooLarge();
  return bytes;
}

/** Whether the address is this service's or its storage's, which may be on a private network. */
function isOurs({ settings }: Service, url: string): boolean {
  const homes = [settings.BASE_URL, settings.S3_PUBLIC_ENDPOINT, settings.S3_ENDPOINT];
  return homes.some((home) => home !== undefined && url.startsWith(`${home}/`));
}

async function fetchOurs({ http, settings }: Service, url: string) {
  const signal = AbortSignal.timeout(FETCH_MS);
  const answer = await http(fromInside(settings, url), { redirect: "manual", signal }).catch(() =>
    null
  );
  if (answer?.status === 200) return await answer.bytes().catch(() => null);
  await answer?.body?.cancel();
  return null;
}

/** Reads beyond the limit, so that an image that is too large is not reported as missing. */
function fetchForeign({ fetchPublic }: Service, url: string) {
  return fetchPublic(url, { maxBytes: 2 * MAX_BYTES }).catch(() => null);
}

const tooLarge = () =>
  publishing(
    36000,
    2207004,
    "The image size is too large.",
    "The image is too large to download. It should be less than 8 MiB.",
  );

const notFetchable = (url: string) =>
  publishing(
    9004,
    2207052,
    "Only photo or video can be accepted as media type.",
    `The media could not be fetched from this URI: ${url}`,
  );
