/** Instagram's addresses, which all follow from the setting that names the API (PLATFORMS A.1). */
import { fromOutside } from "../../../foundation/addresses.ts";
import type { Settings } from "../../../foundation/settings.ts";

export interface InstagramHosts {
  /** Which of Meta's two logins people use. */
  family: "instagram" | "facebook";
  /** The Graph API with its version. */
  graph: string;
  /** The Graph API without a version, where tokens are exchanged and renewed. */
  root: string;
  /** Exchanges a code for a token. */
  exchange: string;
  /** The page on which a person signs in. */
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
