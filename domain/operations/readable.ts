/** Whether the numbers of a platform can be read at present. */
import { listSocialAccounts } from "../platforms/accounts.ts";
import type { Platform } from "../posts/shape.ts";
import type { Context } from "./operation.ts";

/** Tells of each platform whether none of the brand's accounts there, or not all of them, are cut off. */
export async function readableBy(
  { kv, brand }: Pick<Context, "kv" | "brand">,
): Promise<(platform: Platform) => boolean> {
  const accounts = await listSocialAccounts(kv, brand.id);
  return (platform) => {
    const own = accounts.filter((account) => account.platform === platform);
    return own.length === 0 || own.some(({ status }) => status !== "reconnect");
  };
}
