/** The autopilot in worlds whose truth is known: does it find what earns more, and nothing where nothing is? */
import type { Bench, Figure } from "./figure.ts";
import { type Life, live, PER_WEEK, type Statement, WEEKS, type World } from "./worlds.ts";

/** Seeds that the model's constants were tuned on begin with "tune"; these were not looked at for that. */
const JUDGED = "judged";
const SEEDS = 100;
const QUICK_SEEDS = 2;
const LIFT = 0.3;
/** Fewer statements don't tell a share within 5 %. */
const FEWEST_STATEMENTS = 100;

type Kind = Omit<World, "seed" | "kind" | "fatTails">;

const WORLDS: Record<string, Kind> = {
  "one direction +30 %, noise 0.37": { noise: 0.37, lift: LIFT },
  "one direction +30 %, noise 0.50": { noise: 0.5, lift: LIFT },
  "nothing differs, noise 0.37": { noise: 0.37 },
  "nothing differs, growth of 2 % a week": { noise: 0.37, growth: 0.02 },
  "nothing differs, growth of 4 % a week": { noise: 0.37, growth: 0.04 },
  "nothing differs, growth of 8 % a week": { noise: 0.37, growth: 0.08 },
  "nothing differs, noise 0.85": { noise: 0.85 },
  "winner moves at week 8": { noise: 0.37, lift: LIFT, movesAt: 8 },
  "everything differs by 0.17 of log": { noise: 0.37, spread: 0.17, fortnights: 0.25 },
  "stories get reach and no likes": {
    noise: 0.37,
    formats: ["post", "story"],
    silentStories: true,
  },
};

type Lives = (name: string) => Life[];

interface Must {
  atLeast?: number;
  atMost?: number;
}

/** The mean with its standard error, as a row of the table. */
function row(name: string, values: number[], must: Must): Figure {
  const mean = meanOf(values);
  const error = Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)) / values.length);
  const note = `standard error ${error.toFixed(3)}`;
  return { name: `strategist: ${name}`, measured: mean, note, ...must };
}

function meanOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function findings(lives: Lives): Figure[] {
  const winner = (noise: string, regret: number, share: number) => {
    const name = `one direction +30 %, noise ${noise}`;
    const all = lives(name);
    return [
      row(`${name}: regret against equal shares`, all.map((life) => life.regret), {
        atMost: regret,
      }),
      row(`${name}: its share at week ${WEEKS}`, all.map((life) => life.share), { atLeast: share }),
      row(`${name}: worlds in which it was called better`, all.map(found), {}),
    ];
  };
  const moved = "winner moves at week 8";
  return [
    ...winner("0.37", 0.45, 0.78),
    ...winner("0.50", 0.55, 0.7),
    row(`${moved}: its share at week ${WEEKS}`, lives(moved).map(({ share }) => share), {
      atLeast: 0.6,
    }),
  ];
}

const found = ({ foundIn }: Life) => Number(foundIn !== null);
const claims = ({ pushed, dropped }: Life) => Number(pushed || dropped);

function falseVerdicts(lives: Lives): Figure[] {
  const most: Record<string, number> = {
    "nothing differs, noise 0.37": 0.05,
    "nothing differs, growth of 2 % a week": 0.05,
    "nothing differs, growth of 4 % a week": 0.08,
    "nothing differs, growth of 8 % a week": 0.15,
    "nothing differs, noise 0.85": 0.05,
  };
  return [
    ...Object.entries(most).map(([name, atMost]) =>
      row(`${name}: worlds with any push or drop`, lives(name).map(claims), { atMost })
    ),
    row(
      "stories get reach and no likes: worlds with a verdict on formats",
      lives("stories get reach and no likes").map(({ judgedFormats }) => Number(judgedFormats)),
      { atMost: 0.05 },
    ),
  ];
}

/** How far what came true is from what was stated, in the worst cell that has enough statements. */
function calibration(lives: Lives): Figure[] {
  const cells = ["one direction +30 %, noise 0.37", "everything differs by 0.17 of log"].flatMap(
    (name) =>
      [[0.8, 0.95], [0.95, 1.01]].flatMap(([from = 0, to = 1]) => {
        const cell = lives(name).flatMap(({ statements }) => statements)
          .filter(({ stated }) => stated >= from && stated < to);
        return cell.length < FEWEST_STATEMENTS ? [] : [calibrationOf(name, from, cell)];
      }),
  );
  return cells;
}

function calibrationOf(name: string, from: number, cell: Statement[]): Figure {
  const stated = meanOf(cell.map((each) => each.stated));
  const isTrue = meanOf(cell.map((each) => Number(each.isTrue)));
  const range = from < 0.95 ? "0.80 to 0.95" : "0.95 and more";
  return {
    name: `strategist: ${name}: stated ${range}, how far from what was true`,
    measured: Math.abs(stated - isTrue),
    atMost: 0.05,
    note: `stated ${stated.toFixed(3)}, true ${isTrue.toFixed(3)}, ${cell.length} statements`,
  };
}

/** Lives of each world, a third of them with fat tails; each world is lived when it is first asked for. */
function livesOf(seeds: number): Lives {
  const known = new Map<string, Life[]>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const world = WORLDS[name];
    if (world === undefined) throw new Error(`No world is called "${name}".`);
    const lives = Array.from(
      { length: seeds },
      (_, at) => live({ ...world, kind: name, seed: `${JUDGED} ${at}`, fatTails: at % 3 === 0 }),
    );
    known.set(name, lives);
    return lives;
  };
}

export const bench: Bench = ({ quick }) => {
  const seeds = quick ? QUICK_SEEDS : SEEDS;
  const lives = livesOf(seeds);
  const sizes = `${seeds} seeds, ${WEEKS} weeks, ${PER_WEEK} posts a week`;
  const [first, ...others] = [...findings(lives), ...falseVerdicts(lives), ...calibration(lives)];
  if (first === undefined) throw new Error("The table has rows.");
  return Promise.resolve([{ ...first, note: `${first.note}; ${sizes}` }, ...others]);
};
