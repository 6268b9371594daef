/** LinkedIn's hosts: one setting names the API, the sign-in follows from it (PLATFORMS B.1, B.2). */
import type { Settings } from "../../settings.ts";

export interface LinkedInHosts {
  api: string;
  /** Sign-in and tokens. */
  oauth: string;
  /** YYYYMM: each lives twelve months. */
  version: string;
}

export function linkedInHosts(settings: Settings): LinkedInHosts {
  const { LINKEDIN_API_URL: api, LINKEDIN_API_VERSION: version } = settings;
  const host = api === "https://api.linkedin.com" ? "https://www.linkedin.com" : api;
  return { api, oauth: `${host}/oauth/v2`, version };
}
