/** What is posted for an event: the event itself, or for Slack's own webhooks a message for people. */
import { EVENT_KINDS, type StoredEvent, TEST_TYPE } from "../../kv/event_types.ts";
import type { Settings } from "../../foundation/settings.ts";
import { brandPage, itemPage } from "../pages.ts";

/** Incoming webhooks and workflows of Slack take `{text}` and refuse anything else. */
const SLACK = "hooks.slack.com";
const MOST_CHARACTERS = 1_000;

/** JSON. */
export function bodyFor(
  settings: Pick<Settings, "BASE_URL">,
  address: string,
  event: StoredEvent,
): string {
  const value = new URL(address).hostname === SLACK ? slackMessage(settings, event) : event;
  return JSON.stringify(value);
}

function slackMessage(
  settings: Pick<Settings, "BASE_URL">,
  { type, brandId, data }: StoredEvent,
): { text: string } {
  const when = type === TEST_TYPE ? "A test of this webhook." : EVENT_KINDS[type].when;
  // What went wrong or where it is; everything else is a click away.
  const detail = [data["error"], data["url"], data["handle"], data["name"]]
    .filter((one) => typeof one === "string").map((one) => escaped(one.slice(0, MOST_CHARACTERS)));
  const { itemId } = data;
  const page = typeof itemId === "string"
    ? itemPage(settings, brandId, itemId)
    : brandPage(settings, brandId);
  return { text: [`*${escaped(when)}*`, ...detail, `<${page}|Open Marquee>`].join("\n") };
}

/** The three characters that mean something in Slack's markup, so nobody can be mentioned. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
