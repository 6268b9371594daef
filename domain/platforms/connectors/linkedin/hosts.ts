/** LinkedIn's addresses, which all follow from the API's setting (PLATFORMS B.1, B.2). */
import { fromOutside } from "../../../foundation/addresses.ts";
import type { Settings } from "../../../foundation/settings.ts";

export interface LinkedInHosts {
  api: string;
  authorize: string;
  token: string;
  /** YYYYMM; LinkedIn supports each version for twelve months. */
  version: string;
}

export function linkedInHosts(settings: Settings): LinkedInHosts {
  const { LINKEDIN_API_URL: api, LINKEDIN_API_VERSION: version } = settings;
  const host = api === "https://api.linkedin.com" ? "https://www.linkedin.com" : api;
  const oauth = `${host}/oauth/v2`;
  const authorize = fromOutside(settings, `${oauth}/authorization`);
  return { api, authorize, token: `${oauth}/accessToken`, version };
}
