/** LinkedIn: an organization's posts, and the posts that we published for a member. */
import { DAY } from "../../calendar.ts";
import { renewal } from "../code_flow.ts";
import type { App, Connector } from "../platform.ts";
import { classifyLinkedIn } from "./errors.ts";
import type { LinkedInHosts } from "./hosts.ts";
import { listLinkedIn, PAGE } from "./list.ts";
import { measureLinkedIn } from "./measure.ts";
import { publishLinkedIn, reconcileLinkedIn } from "./publish.ts";
import { authorized } from "./signin.ts";

const RENEW_WITHIN = 10 * DAY;

export function linkedIn(hosts: LinkedInHosts, app: App): Connector {
  const { api } = hosts;
  return {
    platform: "linkedin",
    pageSize: PAGE,
    classify: classifyLinkedIn,
    authorize: (request, token) => authorized(hosts, request, token),
    list: (line, options) => listLinkedIn(line, api, options),
    measure: (line, found) => measureLinkedIn(line, api, found),
    publish: (line, draft, progress, keep) => publishLinkedIn(line, api, draft, progress, keep),
    reconcile: (line, draft, progress) => reconcileLinkedIn(line, api, draft, progress),
    refresh: renewal(hosts, app, RENEW_WITHIN),
  };
}
