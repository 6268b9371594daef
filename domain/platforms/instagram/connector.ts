/** Instagram: feed, carousels, reels and stories of a professional account, by either login. */
import { DAY } from "../../calendar.ts";
import type { Connector } from "../platform.ts";
import { classifyInstagram } from "./errors.ts";
import type { InstagramHosts } from "./hosts.ts";
import { listInstagram, PAGE } from "./list.ts";
import { measureInstagram } from "./measure.ts";
import { publishInstagram, reconcileInstagram } from "./publish.ts";
import { bearer, renewInstagram } from "./signin.ts";

/** A token younger than a day can't be renewed (PLATFORMS A.2). */
const RENEWABLE_AFTER = DAY;
const RENEW_WITHIN = 10 * DAY;

export function instagram(hosts: InstagramHosts): Connector {
  const { graph } = hosts;
  return {
    platform: "instagram",
    pageSize: PAGE,
    classify: classifyInstagram,
    authorize: (request, token) =>
      request.form === undefined
        ? { ...request, headers: { ...request.headers, ...bearer(token) } }
        : { ...request, form: { ...request.form, access_token: token } },
    list: (line, options) => listInstagram(line, graph, options),
    measure: (line, found) => measureInstagram(line, graph, found),
    publish: (line, draft, progress, keep) => publishInstagram(line, graph, draft, progress, keep),
    reconcile: (line, draft, progress) => reconcileInstagram(line, graph, draft, progress),
    refresh: (wire, tokens, at, force) => {
      const { accessExpiresAt, issuedAt } = tokens;
      const old = at - issuedAt >= RENEWABLE_AFTER;
      const near = accessExpiresAt !== null && accessExpiresAt - at < RENEW_WITHIN;
      const alive = accessExpiresAt === null || accessExpiresAt > at;
      // A token that Instagram calls dead can't renew itself.
      const due = !force && old && near && alive;
      return due ? renewInstagram(hosts, wire, tokens.access, at) : Promise.resolve(null);
    },
  };
}
