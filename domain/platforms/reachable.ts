/** Whether platforms can fetch the images of posts: Instagram takes addresses, not bytes. */
import { isPrivate } from "../foundation/addresses.ts";
import type { Settings } from "../foundation/settings.ts";
import type { Platform } from "../posts/shape.ts";
import { TRAITS } from "./contract/traits.ts";

/** The setting and address at which images are public. */
function imageAddress(settings: Settings): { setting: keyof Settings; url: string } {
  const { S3_BUCKET, S3_PUBLIC_URL, S3_PUBLIC_ENDPOINT, S3_ENDPOINT, BASE_URL } = settings;
  if (S3_BUCKET === undefined) return { setting: "BASE_URL", url: BASE_URL };
  if (S3_PUBLIC_URL !== undefined) return { setting: "S3_PUBLIC_URL", url: S3_PUBLIC_URL };
  const endpoint = S3_PUBLIC_ENDPOINT ?? S3_ENDPOINT;
  // Without an endpoint it is AWS's own, which is public.
  return { setting: "S3_PUBLIC_ENDPOINT", url: endpoint ?? "https://s3.amazonaws.com" };
}

/**
 * Why the platform can't fetch the images of the account's posts, with the cure; null when it can. A
 * platform at a private address, like the sandbox, is taken to be in the same network.
 */
export function unreachable(
  settings: Settings,
  { platform }: { platform: Platform },
): string | null {
  const { name, fetchesImages, settings: names } = TRAITS[platform];
  if (!fetchesImages) return null;
  const api = String(settings[names.url]);
  const { setting, url } = imageAddress(settings);
  if (isPrivate(api) || !isPrivate(url)) return null;
  return `${name} fetches the images of posts from ${url}, which it cannot reach. Set ${setting} to ` +
    "an address on the public internet; until then nothing can be published there.";
}
