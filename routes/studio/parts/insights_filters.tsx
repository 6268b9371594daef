/** What Insights is narrowed to: days, platform, and what they are compared with. */
import { TRAITS } from "../../../domain/platforms/contract/traits.ts";
import { Platform } from "../../../domain/posts/shape.ts";
import { type Against, type Asked, insightsAt, PRESETS, SWAPS } from "../insights_query.ts";
import type { Studio } from "../studio.ts";
import { dayWords } from "../when.ts";
import { Icon } from "./icons.tsx";

const AGAINST: Record<Against, string> = {
  previous: "Against the days before",
  usual: "Against your usual",
  nothing: "Without comparison",
};

/** "26 Oct to 22 Nov 2026" */
export function daysWords(from: string, to: string): string {
  const words = (day: string) => dayWords(`${day}T12:00Z`, "UTC").replace(/^\w+ /, "");
  const year = (day: string) => day.slice(0, 4);
  const first = year(from) === year(to) ? words(from) : `${words(from)} ${year(from)}`;
  return `${first} to ${words(to)} ${year(to)}`;
}

interface FiltersProps {
  studio: Studio;
  asked: Asked;
  /** Dates that were refused, to be mended. */
  refused: Pick<Asked, "from" | "to"> | null;
}

export function InsightsFilters({ studio, asked, refused }: FiltersProps) {
  const { preset, from, to, platform, against } = asked;
  return (
    <div class="row insights-filters" {...SWAPS}>
      <nav class="switch" aria-label="Period">
        {PRESETS.map((days) => (
          <a
            id={`days-${days}`}
            href={insightsAt(studio, asked, { preset: days, page: 1 })}
            aria-current={days === preset ? "true" : undefined}
          >
            {days} days
          </a>
        ))}
      </nav>
      <details class="brand dates" open={refused !== null}>
        <summary class="button quiet" aria-current={preset === null ? "true" : undefined}>
          <Icon name="calendar" />
          {preset === null ? daysWords(from, to) : "Own dates"}
        </summary>
        <form class="menu form" action={studio.at("/insights")}>
          <Kept asked={asked} without={["days"]} />
          <Day name="from" label="First day" value={refused?.from ?? from} />
          <Day name="to" label="Last day" value={refused?.to ?? to} />
          <button>Show</button>
        </form>
      </details>
      <form class="row" action={studio.at("/insights")}>
        <Kept asked={asked} without={["platform", "against"]} />
        <select id="platform" name="platform" aria-label="Platform" data-submits>
          <option value="">All platforms</option>
          {Platform.options.map((value) => (
            <option value={value} selected={value === platform}>{TRAITS[value].name}</option>
          ))}
        </select>
        <select id="against" name="against" aria-label="Compare with" data-submits>
          {Object.entries(AGAINST).map(([value, words]) => (
            <option value={value} selected={value === against}>{words}</option>
          ))}
        </select>
        <button class="quiet" data-without-script>Show</button>
      </form>
    </div>
  );
}

function Day({ name, label, value }: { name: string; label: string; value: string }) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input id={name} name={name} type="date" value={value} required />
    </div>
  );
}

/** What a form does not ask stays as it is. */
function Kept({ asked, without }: { asked: Asked; without: string[] }) {
  const { preset, from, to, platform, against, metric, by, sort, dir } = asked;
  const days = preset === null ? { from, to } : { days: String(preset) };
  const all = { ...days, platform, against, metric, by, sort, dir };
  const own = without.includes("days");
  return (
    <>
      {Object.entries(all)
        .filter(([name]) => !without.includes(name) && !(own && (name === "from" || name === "to")))
        .map(([name, value]) =>
          value === undefined ? null : <input type="hidden" name={name} value={value} />
        )}
    </>
  );
}
