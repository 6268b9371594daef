/** Groups of posts against the brand's usual: the 95 % interval as a bar, the verdict in words. */
import { CompareBy, type Comparison, type Effect } from "../../../domain/insights/shape.ts";
import { OverlayTemplate } from "../../../domain/media/overlays/shape.ts";
import { TRAITS } from "../../../domain/platforms/contract/traits.ts";
import { Platform, PostFormat } from "../../../domain/posts/shape.ts";
import { type Asked, insightsAt, SWAPS } from "../insights_query.ts";
import { effectWords, POST_FORMATS, ratioWords, whole } from "../numbers.ts";
import type { Studio } from "../studio.ts";
import { counted, type StateWords, TEMPLATES } from "../words.ts";
import { Chip } from "./chip.tsx";
import { hourWords, WEEKDAYS } from "./heat_map.tsx";

const SHOWN = 8;

const BY: Record<CompareBy, { many: string; order: number }> = {
  format: { many: "Formats", order: 0 },
  hashtag: { many: "Hashtags", order: 1 },
  hour: { many: "Hours", order: 2 },
  weekday: { many: "Weekdays", order: 3 },
  platform: { many: "Platforms", order: 4 },
  series: { many: "Series", order: 5 },
  template: { many: "Text overlays", order: 6 },
};
const TABS = CompareBy.options.toSorted((a, b) => BY[a].order - BY[b].order);

type Group = Comparison["groups"][number];

const VERDICTS: Record<Group["verdict"], StateWords> = {
  better: { word: "Better", icon: "up", tone: "good" },
  worse: { word: "Worse", icon: "down", tone: "warn" },
  cantTell: { word: "Can’t tell yet", icon: "dashed", tone: "calm" },
};

interface EffectsProps {
  studio: Studio;
  asked: Asked;
  comparison: Comparison;
  /** Series id → name. */
  names: ReadonlyMap<string, string>;
}

export function Effects({ studio, asked, comparison: { by, groups }, names }: EffectsProps) {
  const shown = asked.all ? groups : groups.slice(0, SHOWN);
  const reach = reachOf(shown);
  const name = ({ value }: Group) => nameOf(by, value, names);
  const rest = groups.length - shown.length;
  return (
    <section class="card later" aria-labelledby="works">
      <h2 id="works">What works</h2>
      <nav class="tabs" aria-label="Compare" {...SWAPS}>
        {TABS.map((one) => (
          <a
            id={`by-${one}`}
            href={`${insightsAt(studio, asked, { by: one, all: false })}#works`}
            aria-current={one === by ? "true" : undefined}
          >
            {BY[one].many}
          </a>
        ))}
      </nav>
      <p dir="auto">{verdictWords(groups, name)}</p>
      {shown.length === 0 ? null : (
        <table class="effects">
          <thead>
            <tr>
              <th scope="col">{BY[by].many}</th>
              <th scope="col" class="scale">
                <span class="ends">
                  <span>{ratioWords(1 / reach)}</span>
                  <span>your usual</span>
                  <span>{ratioWords(reach)}</span>
                </span>
              </th>
              <th scope="col">Verdict</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((group) => (
              <tr>
                <th scope="row">
                  <b dir="auto">{name(group)}</b>
                  <span class="soft small">{counted(group.posts, "post")}</span>
                </th>
                <td>
                  {group.effect === null
                    ? <span class="none small">too few posts to compare</span>
                    : (
                      <>
                        <Interval effect={group.effect} reach={reach} verdict={group.verdict} />
                        <span class="small soft">{effectWords(group.effect)}</span>
                      </>
                    )}
                </td>
                <td>
                  <Chip state={VERDICTS[group.verdict]} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rest === 0 ? null : (
        <p {...SWAPS}>
          <a
            class="button quiet"
            id="all-groups"
            href={`${insightsAt(studio, asked, { all: true })}#works`}
          >
            Show {whole(rest)} more
          </a>
        </p>
      )}
      <p class="soft small">
        Interactions 48 hours after publication, of all your posts, each against the usual of its
        platform and format. The bar is the range in which the true effect lies with 95% certainty;
        a verdict holds among all rows together.
      </p>
    </section>
  );
}

const WIDTH = 200;

/** The interval on a scale of ratios, on which half and double are equally far from the usual. */
function Interval(
  { effect, reach, verdict }: { effect: Effect; reach: number; verdict: Group["verdict"] },
) {
  const x = (ratio: number) => {
    const place = Math.log(Math.max(ratio, 1 / reach)) / Math.log(reach);
    return Math.round((1 + Math.min(place, 1)) * WIDTH * 50) / 100;
  };
  const { low, mid, high } = effect;
  return (
    <svg
      class={`interval ${verdict}`}
      viewBox={`0 0 ${WIDTH} 16`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class="zero" d={`M${WIDTH / 2} 0V16`} />
      <rect class="range" x={x(low)} y="5" width={Math.max(x(high) - x(low), 1)} height="6" />
      <rect class="mid" x={x(mid) - 1.5} y="2" width="3" height="12" />
    </svg>
  );
}

/** How far the scale goes to each side: the widest interval, within bounds that keep it readable. */
function reachOf(groups: Group[]): number {
  const far = groups.flatMap(({ effect }) =>
    effect === null ? [] : [effect.high, 1 / Math.max(effect.low, 0.01)]
  );
  return Math.min(4, Math.max(1.5, ...far));
}

function nameOf(by: CompareBy, value: string, names: ReadonlyMap<string, string>): string {
  switch (by) {
    case "format": {
      const { data } = PostFormat.safeParse(value);
      const many = data === undefined ? value : POST_FORMATS[data].many;
      return many.charAt(0).toUpperCase() + many.slice(1);
    }
    case "hashtag":
      return `#${value}`;
    case "hour":
      return hourWords(Number(value));
    case "weekday":
      return WEEKDAYS[Number(value) - 1] ?? value;
    case "platform": {
      const { data } = Platform.safeParse(value);
      return data === undefined ? value : TRAITS[data].name;
    }
    case "series":
      return names.get(value) ?? "A deleted series";
    case "template": {
      const { data } = OverlayTemplate.safeParse(value);
      return data === undefined ? "No text" : TEMPLATES[data];
    }
  }
}

/** What is certain, in a sentence. */
function verdictWords(groups: Group[], name: (group: Group) => string): string {
  const of = (verdict: Group["verdict"]) =>
    groups.filter((group) => group.verdict === verdict).slice(0, 3)
      .map((group) =>
        group.effect === null ? name(group) : `${name(group)} (${ratioWords(group.effect.mid)})`
      );
  const [better, worse] = [of("better"), of("worse")];
  if (groups.length === 0) return "There is nothing to compare yet.";
  if (better.length + worse.length === 0) {
    return "No difference is certain yet. With more posts, the bars get shorter.";
  }
  return [
    better.length === 0 ? "" : `Better than your usual: ${list(better)}.`,
    worse.length === 0 ? "" : `Worse: ${list(worse)}.`,
  ].join(" ").trim();
}

const list = (words: string[]): string => new Intl.ListFormat("en-GB").format(words);
