/** LinkedIn: an organization's posts, and for a member the posts that Marquee published. */
import { DAY } from "../../../foundation/calendar.ts";
import { renewal } from "../../contract/code_flow.ts";
import type { App, Connector } from "../../contract/platform.ts";
import { classifyLinkedIn } from "./errors.ts";
import type { LinkedInHosts } from "./hosts.ts";
import { listLinkedIn, PAGE_SIZE } from "./list.ts";
import { measureLinkedIn } from "./measure.ts";
import { publishLinkedIn, reconcileLinkedIn } from "./publish.ts";
import { authorized } from "./signin.ts";

const RENEW_WITHIN = 10 * DAY;

export function linkedIn(hosts: LinkedInHosts, app: App): Connector {
  const { api } = hosts;
  return {
    platform: "linkedin",
    pageSize: PAGE_SIZE,
    classify: classifyLinkedIn,
    authorize: (request, token) => authorized(hosts, request, token),
    list: (client, options) => listLinkedIn(client, api, options),
    measure: (client, found) => measureLinkedIn(client, api, found),
    publish: (client, outgoing, progress, keep) =>
      publishLinkedIn(client, api, outgoing, progress, keep),
    reconcile: (client, outgoing, progress) => reconcileLinkedIn(client, api, outgoing, progress),
    refresh: renewal(hosts, app, RENEW_WITHIN),
  };
}
