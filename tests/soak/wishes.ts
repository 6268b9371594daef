/** What a client can want: a REST request and the same as a tool's call, and how the rest is chosen. */
import { DAY, iso, MINUTE } from "../../domain/foundation/calendar.ts";
import { seededRandom } from "../../domain/foundation/chance.ts";
import type { Action } from "../../domain/kv/audit.ts";
import type { Known } from "./known.ts";
import type { Step } from "./schedule.ts";
import { phrase } from "./words.ts";
import type { Json } from "../support/json.ts";

/** What a client wants done. */
export interface Wish {
  rest: [method: string, path: string, body?: object];
  tool?: [name: string, input: object];
  /** The row of the audit trail that a write leaves. */
  leaves?: Action;
  /** What the row names; the id of the answer when absent. */
  subject?: string;
  /** Doing it again leaves no row; `idle`: nor does the first time, when there is nothing to change. */
  again?: "again" | "idle";
  /** It carries an Idempotency-Key, and is sent again until it is answered. */
  keyed?: true;
  costs?: "credit";
  /** A refusal may come after the row: the platform refused what had been claimed. */
  refusedLate?: true;
  /** It may come after words from the model, or from a platform, whose faults are its own. */
  needs?: "model" | "platform";
  learn?: (answer: Json, known: Known) => void;
  /** What comes after the answer: bytes to put somewhere, and then another wish. */
  follow?: (answer: Json) => { put: string; bytes: Uint8Array<ArrayBuffer>; wish: Wish };
}

/** Chooses by the step's own numbers, so that a replay chooses alike. */
export interface Hand {
  known: Known;
  /** Domain time, ms. */
  now: number;
  roll(nth: number): number;
  text(words: number): string;
}

export function handOf(step: Step, known: Known, now: number): Hand {
  const random = seededRandom(JSON.stringify(step));
  return {
    known,
    now,
    roll: (nth) => step.rolls[nth] ?? 0,
    text: (words) => phrase(random, words),
  };
}

/** One of the list, or undefined when it is empty. */
export function choose<T>(list: readonly T[], roll: number): T | undefined {
  return list[Math.floor(roll * list.length)];
}

export type Act = (hand: Hand) => Wish | null;

export const day = (at: number) => iso(at).slice(0, 10);
export const later = ({ now, roll }: Hand) => iso(now + 2 * MINUTE + Math.floor(roll(3) * 2 * DAY));

export const read = (path: string, tool?: string, input: object = {}): Act => () => ({
  rest: ["GET", path],
  ...(tool === undefined ? {} : { tool: [tool, input] as [string, object] }),
});

/** An act on one of the known ids. */
export const on = (
  what: "pictures" | "items" | "series" | "members",
  act: (id: string, hand: Hand) => Wish | null,
): Act =>
(hand) => {
  const id = choose(hand.known[what], hand.roll(0));
  return id === undefined ? null : act(id, hand);
};

export const verb = (
  name: string,
  leaves: Action,
  tool: [string, (id: string) => object] | null,
  more: Partial<Wish> = {},
): Act =>
  on("items", (id) => ({
    rest: ["POST", `/v1/items/${id}/${name}`],
    ...(tool === null ? {} : { tool: [tool[0], tool[1](id)] as [string, object] }),
    leaves,
    subject: id,
    ...more,
  }));

export const byItem = (itemId: string) => ({ itemId });
