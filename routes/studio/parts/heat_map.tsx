/** The hours of the week: how many posts at each, and whether they did more or less than usual. */
import type { Effect, When } from "../../../domain/insights/shape.ts";
import { effectWords } from "../numbers.ts";
import { counted } from "../words.ts";

export const WEEKDAYS = [
  ...["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
] as const;

type Cell = When["cells"][number];
type Level = "much-less" | "less" | "as-usual" | "more" | "much-more";

const SIGNS: Record<Level, string> = {
  "much-less": "▼▼",
  less: "▼",
  "as-usual": "=",
  more: "▲",
  "much-more": "▲▲",
};
/** Up to which ratio to the usual a level goes. */
const LEVELS: [most: number, level: Level][] = [
  [0.75, "much-less"],
  [0.95, "less"],
  [1.05, "as-usual"],
  [1.35, "more"],
  [Infinity, "much-more"],
];

const levelOf = ({ mid }: Effect): Level =>
  LEVELS.find(([most]) => mid <= most)?.[1] ?? "much-more";

export const hourWords = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

export function HeatMap({ when: { cells, timeZone } }: { when: When }) {
  const at = new Map(cells.map((cell) => [`${cell.weekday} ${cell.hour}`, cell]));
  const cell = (weekday: number, hour: number) => at.get(`${weekday} ${hour}`);
  const hours = cells.map(({ hour }) => hour);
  const [first, last] = [Math.min(...hours), Math.max(...hours)];
  const shown = Array.from({ length: last - first + 1 }, (_, nth) => first + nth);
  return (
    <section class="card later" aria-labelledby="when">
      <header>
        <h2 id="when">When posts do well</h2>
        <span class="soft small">Hours in {timeZone.replaceAll("_", " ")}</span>
      </header>
      {cells.length === 0
        ? (
          <p class="soft">
            Once posts are two days old, it shows at which hours of the week they do well.
          </p>
        )
        : (
          <>
            <p class="soft small">
              The number of posts at each hour. {SIGNS.more} more and {SIGNS.less}{" "}
              less interactions than your usual after 48 hours; hours with fewer than 5 posts have
              no sign, because they tell nothing.
            </p>
            <div class="wide-table only-wide">
              <table class="heat">
                <thead>
                  <tr>
                    <th scope="col">
                      <span class="out">Weekday</span>
                    </th>
                    {shown.map((hour) => <th scope="col">{hourWords(hour).slice(0, 2)}</th>)}
                  </tr>
                </thead>
                <tbody>
                  {WEEKDAYS.map((day, at) => (
                    <tr>
                      <th scope="row">{day.slice(0, 3)}</th>
                      {shown.map((hour) => <HourCell cell={cell(at + 1, hour)} />)}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <table class="heat only-phone">
              <thead>
                <tr>
                  <th scope="col">
                    <span class="out">Hour</span>
                  </th>
                  {WEEKDAYS.map((day) => <th scope="col">{day.slice(0, 2)}</th>)}
                </tr>
              </thead>
              <tbody>
                {shown.map((hour) => (
                  <tr>
                    <th scope="row">{hourWords(hour)}</th>
                    {WEEKDAYS.map((_, at) => <HourCell cell={cell(at + 1, hour)} />)}
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
    </section>
  );
}

function HourCell({ cell }: { cell: Cell | undefined }) {
  if (cell === undefined || cell.posts === 0) return <td></td>;
  const { weekday, hour, posts, effect } = cell;
  const level = effect === null ? null : levelOf(effect);
  const where = `${WEEKDAYS[weekday - 1]} ${hourWords(hour)}: ${counted(posts, "post")}`;
  const words = effect === null ? "too few to compare" : `${effectWords(effect)} interactions`;
  return (
    <td class={level === null ? "few" : level} title={`${where}, ${words}`}>
      {posts}
      {level === null ? null : (
        <>
          <span class="sign" aria-hidden="true">{SIGNS[level]}</span>
          <span class="out">, {words}</span>
        </>
      )}
    </td>
  );
}
