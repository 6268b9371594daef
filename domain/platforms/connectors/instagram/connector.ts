/** Instagram: posts, carousels, reels and stories of a professional account, by either login. */
import { DAY } from "../../../foundation/calendar.ts";
import type { Connector } from "../../contract/platform.ts";
import { classifyInstagram } from "./errors.ts";
import type { InstagramHosts } from "./hosts.ts";
import { listInstagram, PAGE_SIZE } from "./list.ts";
import { measureInstagram } from "./measure.ts";
import { publishInstagram, reconcileInstagram } from "./publish.ts";
import { bearer, renewInstagram } from "./signin.ts";

/** Instagram refuses to renew a token younger than a day (PLATFORMS A.2). */
const RENEWABLE_AFTER = DAY;
const RENEW_WITHIN = 10 * DAY;

export function instagram(hosts: InstagramHosts): Connector {
  const { graph } = hosts;
  return {
    platform: "instagram",
    pageSize: PAGE_SIZE,
    classify: classifyInstagram,
    authorize: (request, token) =>
      request.form === undefined
        ? { ...request, headers: { ...request.headers, ...bearer(token) } }
        : { ...request, form: { ...request.form, access_token: token } },
    list: (client, options) => listInstagram(client, graph, options),
    measure: (client, found) => measureInstagram(client, graph, found),
    publish: (client, outgoing, progress, keep) =>
      publishInstagram(client, graph, outgoing, progress, keep),
    reconcile: (client, outgoing, progress) =>
      reconcileInstagram(client, graph, outgoing, progress),
    refresh: (wire, tokens, at, force) => {
      const { accessExpiresAt, issuedAt } = tokens;
      const old = at - issuedAt >= RENEWABLE_AFTER;
      const near = accessExpiresAt !== null && accessExpiresAt - at < RENEW_WITHIN;
      const alive = accessExpiresAt === null || accessExpiresAt > at;
      // A token that Instagram calls dead can't be renewed.
      const due = !force && old && near && alive;
      return due ? renewInstagram(hosts, wire, tokens.access, at) : Promise.resolve(null);
    },
  };
}
