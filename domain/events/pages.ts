/** Where messages lead: addresses of Studio's pages for what they name. */
import type { Settings } from "../foundation/settings.ts";

type Base = Pick<Settings, "BASE_URL">;

/** What needs a person today. */
export function brandPage({ BASE_URL }: Base, brandId: string): string {
  return `${BASE_URL}/studio/${brandId}`;
}

/** The page of a scheduled post. */
export function itemPage(settings: Base, brandId: string, itemId: string): string {
  return `${brandPage(settings, brandId)}/posts/${itemId}`;
}

/** The page of a published post. */
export function postPage(settings: Base, brandId: string, postId: string): string {
  return `${brandPage(settings, brandId)}/published/${postId}`;
}

/** A text that Discord's markdown shows as it is. */
export function plain(text: string): string {
  return text.replaceAll(/[\\*_~`|]/g, "\\$&");
}

/** A link in Discord's markdown. Brackets would end its words early. */
export function link(words: string, address: string): string {
  return `[${plain(words.replaceAll(/[[\]]/g, ""))}](${address})`;
}
