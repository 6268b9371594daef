/** Instagram's hosts: one setting names the API, the others follow from it (PLATFORMS A.1). */
import { fromOutside } from "../../own_urls.ts";
import type { Settings } from "../../settings.ts";

export interface InstagramHosts {
  /** Which of Meta's two logins this is. */
  family: "instagram" | "facebook";
  /** The Graph API with its version. */
  graph: string;
  /** The Graph API without: the exchange and renewal of tokens. */
  root: string;
  /** Where a code becomes a token. */
  exchange: string;
  /** Where a person signs in. */
  authorize: string;
}

export function instagramHosts(settings: Settings): InstagramHosts {
  const { INSTAGRAM_API_URL: root, INSTAGRAM_API_VERSION: version } = settings;
  const graph = `${root}/${version}`;
  if (new URL(root).hostname === "graph.facebook.com") {
    return {
      family: "facebook",
      graph,
      root,
      exchange: `${graph}/oauth/access_token`,
      authorize: `https://www.facebook.com/${version}/dialog/oauth`,
    };
  }
  const real = root === "https://graph.instagram.com";
  return {
    family: "instagram",
    graph,
    root,
    exchange: `${real ? "https://api.instagram.com" : root}/oauth/access_token`,
    authorize: fromOutside(
      settings,
      `${real ? "https://www.instagram.com" : root}/oauth/authorize`,
    ),
  };
}
