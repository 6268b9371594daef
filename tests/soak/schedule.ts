/** Everything that a soak does and everything that goes wrong, drawn from its seed before it begins. */
import { HOUR, MINUTE, SECOND } from "../../domain/foundation/calendar.ts";
import { hashOf } from "../../domain/foundation/chance.ts";
import { type Draws, drawsFrom } from "../../domain/platforms/sandbox/draws.ts";
import { FaultName, SandboxOperation } from "../../domain/platforms/sandbox/faults.ts";
import type { Platform } from "../../domain/posts/shape.ts";
import { AGENT_ACTS, INTEGRATION_ACTS, PERSON_ACTS } from "./acts.ts";

export type SiteName = "cluster" | "single";
export type Role = "person" | "agent" | "integration";

/** Something that somebody does. */
export interface Step {
  /** ms after the beginning. */
  at: number;
  site: SiteName;
  /** Which of the site's brands. */
  brand: number;
  role: Role;
  act: string;
  /** Numbers in [0, 1) that decide the rest: what it is done to, and with which words. */
  rolls: number[];
}

/** Something that goes wrong. */
export type Mishap = { at: number; site: SiteName } & What;
type What =
  /** kill -9, or SIGTERM, and a new start. */
  | { kind: "kill" | "stop"; process: number }
  /** The process stands still, as on a machine that swaps, and then goes on. */
  | { kind: "stall"; process: number; lastsMs: number }
  /** The store answers nothing, or refuses everything, for some time. */
  | { kind: "frozen" | "away"; lastsMs: number }
  /** The store does the next commits, and their answers never arrive. */
  | { kind: "lost"; commits: number }
  /** The clock of all processes jumps ahead. */
  | { kind: "clock"; byMs: number }
  | {
    kind: "platform";
    platform: Platform;
    operation: SandboxOperation;
    fault: FaultName;
    times: number;
  }
  /** The model refuses or fails the next calls. */
  | { kind: "model"; fault: ModelFault; calls: number }
  | { kind: "disk"; lastsMs: number };
export const MODEL_FAULTS = [
  "serverError",
  "rateLimited",
  "declined",
  "malformed",
  "hangs",
] as const;
export type ModelFault = typeof MODEL_FAULTS[number];

export interface Schedule {
  seed: string;
  lastsMs: number;
  steps: Step[];
  mishaps: Mishap[];
}

interface Size {
  /** Brands of each site. */
  brands: Record<SiteName, number>;
  /** Actions a second, on average. */
  pace: Record<SiteName, number>;
}

export const SIZE: Size = {
  brands: { cluster: 20, single: 4 },
  pace: { cluster: 6, single: 2 },
};

/** Before the first mishap, and between the last one and the end, so that each is met by actions. */
const QUIET_MS = 4 * SECOND;
const MISHAP_EVERY_MS = 2_500;
/** Turns of the clock, at most, in all: afterwards it must still be the same month. */
const MOST_TURNED = 96 * HOUR;
const PUBLISHES: readonly Platform[] = ["instagram", "linkedin"];
/** What the platforms' stand-ins can be ordered to do; the more likely ones are named twice. */
const FAULTS: readonly FaultName[] = [
  ...FaultName.options,
  ...["timeoutAfterAccept", "serverError", "rateLimited"] as const,
];

/** @param pace how much is done in the same time; 1: as `SIZE` says */
export function drawSchedule(seed: string, lastsMs: number, pace = 1): Schedule {
  const steps = (["cluster", "single"] as const)
    .flatMap((site) => drawSteps(drawsFrom(`${seed} ${site}`), site, lastsMs, pace));
  steps.sort((a, b) => a.at - b.at);
  return { seed, lastsMs, steps, mishaps: drawMishaps(drawsFrom(`${seed} mishaps`), lastsMs) };
}

/** The same for the same schedule; printed, so that a replay can be told from another run. */
export function fingerprint({ steps, mishaps }: Schedule): string {
  return hashOf(JSON.stringify([steps, mishaps])).toString(16).padStart(8, "0");
}

const ACTS: Record<Role, readonly string[]> = {
  person: PERSON_ACTS,
  agent: AGENT_ACTS,
  integration: INTEGRATION_ACTS,
};

function drawSteps(draws: Draws, site: SiteName, lastsMs: number, pace: number): Step[] {
  const steps: Step[] = [];
  const everyMs = SECOND / (SIZE.pace[site] * pace);
  for (let at = 0; at < lastsMs; at += draws.between(0, 2 * everyMs)) {
    const role = draws.pick(["person", "agent", "integration", "integration"] as const);
    steps.push({
      at: Math.round(at),
      site,
      brand: draws.whole(0, SIZE.brands[site] - 1),
      role,
      act: draws.pick(ACTS[role]),
      rolls: Array.from({ length: 6 }, () => draws.unit()),
    });
  }
  return steps;
}

function drawMishaps(draws: Draws, lastsMs: number): Mishap[] {
  const mishaps: Mishap[] = [];
  const end = lastsMs - QUIET_MS;
  // One of each kind comes early, so that a short soak meets all of them, in another order each time.
  const first = shuffled(draws, KINDS.filter((kind, nth) => KINDS.indexOf(kind) === nth));
  const clocks = Math.max(1, Math.floor(lastsMs / MISHAP_EVERY_MS / 8));
  const turn = Math.min(9 * HOUR, MOST_TURNED / clocks);
  let turned = 0;
  for (let at = QUIET_MS; at < end; at += draws.between(0.5, 1.5) * MISHAP_EVERY_MS) {
    const [site, kind] = first.shift() ?? draws.pick(KINDS);
    const what = drawWhat(draws, kind, turn);
    if (what.kind === "clock" && site === "cluster") {
      if (turned + what.byMs > MOST_TURNED) continue;
      turned += what.byMs;
    }
    mishaps.push({ at: Math.round(at), site, ...what });
  }
  return mishaps;
}

type Kind = readonly [SiteName, What["kind"]];
/** As often as they are named. */
const KINDS: readonly Kind[] = [
  ["cluster", "kill"],
  ["cluster", "kill"],
  ["cluster", "stop"],
  ["cluster", "stall"],
  ["cluster", "frozen"],
  ["cluster", "away"],
  ["cluster", "lost"],
  ["cluster", "lost"],
  ["cluster", "clock"],
  ["cluster", "platform"],
  ["cluster", "platform"],
  ["cluster", "platform"],
  ["cluster", "model"],
  ["single", "kill"],
  ["single", "disk"],
  ["single", "clock"],
  ["single", "platform"],
];

function drawWhat(draws: Draws, kind: What["kind"], turn: number): What {
  switch (kind) {
    case "kill":
    case "stop":
      return { kind, process: draws.whole(0, 99) };
    case "stall":
      return {
        kind,
        process: draws.whole(0, 99),
        lastsMs: Math.round(draws.between(2, 9) * SECOND),
      };
    case "frozen":
    case "away":
      return { kind, lastsMs: Math.round(draws.between(1, 7) * SECOND) };
    case "lost":
      return { kind, commits: draws.whole(1, 12) };
    case "clock":
      return { kind, byMs: Math.round(draws.between(5 * MINUTE, turn)) };
    case "model":
      return { kind, fault: draws.pick(MODEL_FAULTS), calls: draws.whole(1, 6) };
    case "disk":
      return { kind, lastsMs: Math.round(draws.between(2, 6) * SECOND) };
    case "platform":
      return {
        kind,
        platform: draws.pick(PUBLISHES),
        operation: draws.pick(SandboxOperation.options),
        fault: draws.pick(FAULTS),
        times: draws.whole(1, 4),
      };
  }
}

function shuffled<T>(draws: Draws, list: readonly T[]): T[] {
  const keyed = list.map((value) => ({ value, key: draws.unit() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}
