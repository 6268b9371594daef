/**
 * A metric day by day: a line that the server draws, and the same numbers as a table. Where a script
 * runs, it draws the line anew from the table, so that days can be pointed at.
 */
import type { Timeline, TimelineMetric } from "../../../domain/insights/shape.ts";
import { METRIC_WORDS, niceTop, shortWords, valueWords } from "../numbers.ts";
import { dayWords } from "../when.ts";

/** What the line is compared with, day by day. */
export interface Compared {
  kind: "before" | "low" | "high";
  word: string;
  values: (number | null)[];
}

interface ChartProps {
  metric: TimelineMetric;
  days: Timeline["data"];
  compared: Compared[];
}

const shortDay = (date: string): string => dayWords(`${date}T12:00Z`, "UTC");
/** "4 Nov" */
const dayAndMonth = (date: string): string => shortDay(date).replace(/^\w+ /, "");

export function DayChart({ metric, days, compared }: ChartProps) {
  const isKnown = days.some(({ value }) => value !== null);
  if (!isKnown) {
    return (
      <p class="nothing soft">
        {METRIC_WORDS[metric]}: nothing was reported in these days. Not every platform has this
        number.
      </p>
    );
  }
  const all = [days.map(({ value }) => value), ...compared.map(({ values }) => values)].flat();
  const top = niceTop(Math.max(0, ...all.map((value) => value ?? 0)));
  const least = Math.min(0, ...all.map((value) => value ?? 0));
  const low = least === 0 ? 0 : -niceTop(-least);
  const middle = days[Math.floor((days.length - 1) / 2)];
  const [first, last] = [days[0], days.at(-1)];
  return (
    <figure class="chart" data-chart={metric} data-low={low} data-top={top}>
      <div class="readout small" aria-hidden="true">
        <Keys word={METRIC_WORDS[metric]} compared={compared} />
      </div>
      <div
        class="plot"
        role="img"
        aria-label={summaryOf(metric, days)}
      >
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <Grid />
          <Band compared={compared} low={low} top={top} />
          {compared.filter(({ kind }) => kind === "before").map(({ values }) => (
            <path class="line before" d={path(values, low, top)} />
          ))}
          <path class="area" d={area(days.map(({ value }) => value), low, top)} />
          <path class="line now" d={path(days.map(({ value }) => value), low, top)} />
          <path class="line lone" d={dots(days.map(({ value }) => value), low, top)} />
        </svg>
        <div class="scale-y" aria-hidden="true">
          <span>{shortWords(metric, top)}</span>
          <span>{shortWords(metric, (top + low) / 2)}</span>
          <span>{shortWords(metric, low)}</span>
        </div>
        <div class="scale-x" aria-hidden="true">
          {[first, middle, last].map((day) => <span>{day ? dayAndMonth(day.date) : ""}</span>)}
        </div>
      </div>
      <details class="more">
        <summary>
          The same as a table
        </summary>
        <Table metric={metric} days={days} compared={compared} />
      </details>
    </figure>
  );
}

function Keys({ word, compared }: { word: string; compared: Compared[] }) {
  const band = compared.some(({ kind }) => kind === "low");
  return (
    <>
      <span class="key now">{word}</span>
      {compared.filter(({ kind }) => kind === "before").map((one) => (
        <span class="key before">{one.word}</span>
      ))}
      {band ? <span class="key band">Your usual, the middle half</span> : null}
    </>
  );
}

function Grid() {
  return <path class="grid-lines" d="M0 0H100M0 50H100M0 100H100" />;
}

function Band({ compared, low, top }: { compared: Compared[]; low: number; top: number }) {
  const values = (kind: Compared["kind"]) => compared.find((one) => one.kind === kind)?.values;
  const [lower, upper] = [values("low"), values("high")];
  if (lower === undefined || upper === undefined) return null;
  const points = (given: (number | null)[]) =>
    given.map((value, at) => `${x(at, given.length)} ${y(value ?? 0, low, top)}`);
  const outline = [...points(upper), ...points(lower).reverse()].join("L");
  return <path class="band" d={`M${outline}Z`} />;
}

function Table({ metric, days, compared }: ChartProps) {
  const cell = (value: number | null) => (
    <td class="number" data-v={value ?? ""}>
      {value === null ? <span class="none">not reported</span> : valueWords(metric, value)}
    </td>
  );
  return (
    <div class="wide-table tall" role="region" aria-label="Day by day" tabindex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" class="number" data-kind="now">{METRIC_WORDS[metric]}</th>
            {compared.map(({ kind, word }) => (
              <th scope="col" class="number" data-kind={kind}>{word}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ date, value }, at) => (
            <tr data-day={date}>
              <th scope="row">{shortDay(date)}</th>
              {cell(value)}
              {compared.map(({ values }) => cell(values[at] ?? null))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const x = (at: number, count: number): number =>
  count < 2 ? 50 : Math.round(at * 10_000 / (count - 1)) / 100;
const y = (value: number, low: number, top: number): number =>
  Math.round(10_000 - (value - low) * 10_000 / (top - low || 1)) / 100;

/** A line with gaps where nothing was reported; a lone day is a short stroke. */
function path(values: (number | null)[], low: number, top: number): string {
  let [drawn, isOpen] = ["", false];
  for (const [at, value] of values.entries()) {
    if (value !== null) {
      const point = `${x(at, values.length)} ${y(value, low, top)}`;
      drawn += isOpen ? `L${point}` : `M${point}l.01 0`;
    }
    isOpen = value !== null;
  }
  return drawn;
}

/** Days with nothing reported on either side: a thin line of one day could not be seen. */
function dots(values: (number | null)[], low: number, top: number): string {
  const isKnown = (at: number) => (values[at] ?? null) !== null;
  const alone = values.map((value, at) => isKnown(at - 1) || isKnown(at + 1) ? null : value);
  return path(alone, low, top);
}

/** The area below the line. A day with no known day beside it has none. */
function area(values: (number | null)[], low: number, top: number): string {
  const ground = y(0, low, top);
  const across = (at: number) => x(at, values.length);
  let drawn = "";
  let points: string[] = [];
  for (const [at, value] of [...values, null].entries()) {
    if (value !== null) {
      points.push(`${across(at)} ${y(value, low, top)}`);
      continue;
    }
    if (points.length > 1) {
      const [first, last] = [at - points.length, at - 1].map(across);
      drawn += `M${first} ${ground}L${points.join("L")}L${last} ${ground}Z`;
    }
    points = [];
  }
  return drawn;
}

function summaryOf(metric: TimelineMetric, days: Timeline["data"]): string {
  const known = days.filter(({ value }) => value !== null);
  const word = METRIC_WORDS[metric];
  const most = known.reduce<typeof known[number] | undefined>(
    (best, day) => best === undefined || (day.value ?? 0) > (best.value ?? 0) ? day : best,
    undefined,
  );
  if (most === undefined) return `${word}: nothing was reported in these days.`;
  const least = known.reduce((low, day) => (day.value ?? 0) < (low.value ?? 0) ? day : low, most);
  const words = ({ date, value }: typeof most) =>
    `${valueWords(metric, value ?? 0)} on ${shortDay(date)}`;
  return `${word} day by day: the most ${words(most)}, the least ${words(least)}. ` +
    "All days stand in the table below.";
}
