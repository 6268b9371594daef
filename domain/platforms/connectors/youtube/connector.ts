/** YouTube: a channel's videos, read-only because no API publishes images there (PLATFORMS C.6). */
import { MINUTE } from "../../../foundation/calendar.ts";
import { renewal } from "../../contract/code_flow.ts";
import type { App, Connector } from "../../contract/platform.ts";
import { PlatformError } from "../../contract/wire.ts";
import { classifyYouTube } from "./errors.ts";
import type { YouTubeHosts } from "./hosts.ts";
import { listYouTube, PAGE_SIZE } from "./list.ts";
import { measureYouTube } from "./measure.ts";

/** An access token is valid for an hour. */
const RENEW_WITHIN = 10 * MINUTE;

export function youTube(hosts: YouTubeHosts, app: App): Connector {
  const readOnly = () =>
    Promise.reject(
      new PlatformError("badRequest", "YouTube: no API publishes images.", { code: "readOnly" }),
    );
  return {
    platform: "youtube",
    pageSize: PAGE_SIZE,
    classify: classifyYouTube,
    authorize: (request, token) => ({
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${token}` },
    }),
    list: (client, options) => listYouTube(client, hosts.data, options),
    measure: (client, found) => measureYouTube(client, hosts.analytics, found),
    publish: readOnly,
    reconcile: readOnly,
    refresh: renewal(hosts, app, RENEW_WITHIN),
  };
}
