/** YouTube: a channel's videos, read only: no API publishes images there (PLATFORMS C.6). */
import { MINUTE } from "../../calendar.ts";
import { renewal } from "../code_flow.ts";
import { READ_ONLY } from "../limits.ts";
import type { App, Connector } from "../platform.ts";
import { PlatformError } from "../wire.ts";
import { classifyYouTube } from "./errors.ts";
import type { YouTubeHosts } from "./hosts.ts";
import { listYouTube, PAGE } from "./list.ts";
import { measureYouTube } from "./measure.ts";

/** An access token lives an hour; this near its end it is renewed. */
const RENEW_WITHIN = 10 * MINUTE;

export function youTube(hosts: YouTubeHosts, app: App): Connector {
  const readOnly = () =>
    Promise.reject(new PlatformError("badRequest", READ_ONLY, { code: "readOnly" }));
  return {
    platform: "youtube",
    pageSize: PAGE,
    classify: classifyYouTube,
    authorize: (request, token) => ({
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${token}` },
    }),
    list: (line, options) => listYouTube(line, hosts.data, options),
    measure: (line, found) => measureYouTube(line, hosts.analytics, found),
    publish: readOnly,
    reconcile: readOnly,
    refresh: renewal(hosts, app, RENEW_WITHIN),
  };
}
