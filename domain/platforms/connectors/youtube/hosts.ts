/** Google's addresses, which all follow from the Data API's setting (PLATFORMS C). */
import { fromOutside } from "../../../foundation/addresses.ts";
import type { Settings } from "../../../foundation/settings.ts";

export interface YouTubeHosts {
  /** The Data API with its version. */
  data: string;
  analytics: string;
  authorize: string;
  token: string;
  revoke: string;
}

export function youTubeHosts(settings: Settings): YouTubeHosts {
  const { YOUTUBE_API_URL: root, YOUTUBE_API_VERSION: version } = settings;
  const hostname = new URL(root).hostname;
  const real = hostname === "www.googleapis.com" || hostname === "youtube.googleapis.com";
  const host = (name: string) => real ? `https://${name}` : root;
  return {
    data: `${root}/youtube/${version}`,
    analytics: `${host("youtubeanalytics.googleapis.com")}/v2`,
    authorize: fromOutside(settings, `${host("accounts.google.com")}/o/oauth2/v2/auth`),
    token: `${host("oauth2.googleapis.com")}/token`,
    revoke: `${host("oauth2.googleapis.com")}/revoke`,
  };
}
