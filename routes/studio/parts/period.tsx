/** A period of the brand: its numbers as chips that switch the chart, and the chart. */
import type { Summary, Timeline, TimelineMetric } from "../../../domain/insights/shape.ts";
import { type Asked, daysBefore, insightsAt, SWAPS } from "../insights_query.ts";
import {
  type Change,
  changeOf,
  METRIC_WORDS,
  shortWords,
  usualWords,
  valueWords,
} from "../numbers.ts";
import type { Studio } from "../studio.ts";
import { Notice } from "./chip.tsx";
import { type Compared, DayChart } from "./day_chart.tsx";
import { Icon } from "./icons.tsx";

const CHIPS = [
  ...["views", "impressions", "reach", "engagement", "engagementRate"] as const,
  ...["likes", "comments", "shares", "saves", "clicks"] as const,
] satisfies TimelineMetric[];

interface PeriodProps {
  studio: Studio;
  asked: Asked;
  summary: Summary;
  now: Timeline;
  /** The days before; null when the chart compares with something else. */
  before: Timeline | null;
}

export function Period({ studio, asked, summary, now, before }: PeriodProps) {
  const { metric } = asked;
  return (
    <section class="card period" aria-labelledby="period">
      <h2 id="period" class="out">{METRIC_WORDS[metric]} day by day</h2>
      <ul class="kpis" {...SWAPS}>
        {CHIPS.map((each) => (
          <li>
            <Kpi
              metric={each}
              address={insightsAt(studio, asked, { metric: each })}
              isShown={each === metric}
              value={summary[each]}
              change={changeOf(summary[each], summary.previous[each])}
            />
          </li>
        ))}
      </ul>
      <Usual asked={asked} summary={summary} studio={studio} />
      <DayChart metric={metric} days={now.data} compared={comparedWith(asked, summary, before)} />
    </section>
  );
}

interface KpiProps {
  metric: TimelineMetric;
  address: string;
  isShown: boolean;
  value: number | null;
  change: Change | null;
}

function Kpi({ metric, address, isShown, value, change }: KpiProps) {
  return (
    <a
      class="kpi"
      id={`kpi-${metric}`}
      href={address}
      aria-current={isShown ? "true" : undefined}
    >
      <span class="small">{METRIC_WORDS[metric]}</span>
      {value === null
        ? <b class="none">not reported</b>
        : <b title={valueWords(metric, value)}>{shortWords(metric, value)}</b>}
      <Delta change={change} />
    </a>
  );
}

function Delta({ change }: { change: Change | null }) {
  if (change === null) return <span class="delta small">&nbsp;</span>;
  const { words, direction } = change;
  return (
    <span class={`delta small ${direction}`}>
      {direction === "even" ? null : <Icon name={direction} size={12} />}
      {words}
      <span class="out">&nbsp;against the period before</span>
    </span>
  );
}

function comparedWith(
  { against, metric, from, to }: Asked,
  { usual }: Summary,
  before: Timeline | null,
): Compared[] {
  if (before !== null) {
    const values = before.data.map(({ value }) => value);
    return [{ kind: "before", word: "The period before", values }];
  }
  if (against !== "usual" || metric !== "engagement" || usual === null) return [];
  const { days } = daysBefore({ from, to });
  const evenly = (kind: "low" | "high", word: string): Compared => ({
    kind,
    word,
    values: Array.from({ length: days }, () => Math.round(usual.engagement[kind] / days)),
  });
  return [evenly("low", "Usual, lower end"), evenly("high", "Usual, upper end")];
}

/** The interactions of the period against what such a period usually brings. */
function Usual(
  { asked, summary, studio }: { asked: Asked; summary: Summary; studio: Studio },
) {
  if (asked.against !== "usual") return null;
  const words = usualWords(summary);
  if (words === null) {
    return (
      <p class="soft">
        Your usual is known once there are three earlier periods of this length.
      </p>
    );
  }
  const { interactions, where, range } = words;
  return (
    <Notice>
      {interactions}, <b>{where}</b>: half of the earlier periods of this length brought {range}.
      {asked.metric === "engagement" ? null : (
        <>
          {" "}
          <a href={insightsAt(studio, asked, { metric: "engagement" })}>Show them in the chart</a>
        </>
      )}
    </Notice>
  );
}
