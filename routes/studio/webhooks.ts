/** Webhooks and what was sent to them, as people see it, and where. */
import type { Delivery, Webhook } from "../../domain/events/webhooks/shape.ts";
import { EVENT_WORDS } from "./event_words.ts";
import { fromNow } from "./when.ts";
import { plain, type StateWords } from "./words.ts";

export const WEBHOOKS = "/settings/webhooks";
export const webhookPath = (id: string): string => `${WEBHOOKS}/${id}`;

const ON: StateWords = { word: "On", icon: "check", tone: "good" };
const PAUSED: StateWords = { word: "Paused", icon: "pause", tone: "calm" };
const OFF: StateWords = { word: "Switched off", icon: "alert", tone: "bad" };
const FAILING: StateWords = { word: "Failing", icon: "alert", tone: "warn" };

/** @param last the newest try, if there was one */
export function webhookState(
  { active, disabledAt }: Webhook,
  last: Delivery | null,
): StateWords {
  if (!active) return disabledAt === null ? PAUSED : OFF;
  return last === null || last.error === null ? ON : FAILING;
}

const WAITS: StateWords = { word: "Waits", icon: "clock", tone: "accent" };
const ARRIVED: StateWords = { word: "Arrived", icon: "check", tone: "good" };
const AGAIN: StateWords = { word: "Tries again", icon: "redo", tone: "warn" };
const GIVEN_UP: StateWords = { word: "Given up", icon: "alert", tone: "bad" };

export function deliveryState({ attempt, error, nextAt }: Delivery): StateWords {
  if (nextAt !== null) return attempt === 0 ? WAITS : AGAIN;
  return error === null ? ARRIVED : GIVEN_UP;
}

/** The delivery that was tried last, or null. */
export const lastTry = (deliveries: Delivery[]): Delivery | null =>
  deliveries.filter(({ attempt }) => attempt > 0)
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))[0] ?? null;

/** What came of the last try, and when. */
export function answerWords({ attempt, status, error, at }: Delivery, now: number): string {
  if (attempt === 0) return error === null ? "Not tried yet." : plain(error);
  const answer = error === null ? `It answered ${status}.` : plain(error);
  const tries = attempt === 1 ? "Tried once" : `Tried ${attempt} times, last`;
  return `${answer} ${tries} ${fromNow(at, now)}.`;
}

/** The events that it is sent. */
export const typesWords = ({ types }: Webhook): string =>
  types.length === 0 ? "All events" : types.map((type) => EVENT_WORDS[type]).join(" · ");

export const eventWords = ({ type }: Delivery): string =>
  type === null ? "An event that is no longer kept" : EVENT_WORDS[type];
