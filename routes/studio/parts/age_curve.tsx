/** A post's interactions by age against the middle half of like posts, as a picture and as a table. */
import type { Standing } from "../../../domain/insights/shape.ts";
import { ageWords, compact, niceTop, whole } from "../numbers.ts";

const WIDTH = 360;
const HEIGHT = 220;
const LEFT = 34;
const RIGHT = 8;
const TOP = 10;
const BOTTOM = 24;
/** Ages that are written below, hours. */
const TICKS = [1, 6, 24, 72, 168, 336, 720];
/** From a written age to the one that ends at the edge. */
const ROOM = 42;

type Point = { ageHours: number; value: number };

export function AgeCurve({ standing }: { standing: Standing }) {
  const { own, usual, projection } = standing;
  const newest = own.at(-1)?.ageHours ?? 0;
  const known = usual.filter(({ ageHours }) => ageHours <= Math.max(newest * 1.5, 48));
  const end = Math.max(
    ...[newest, known.at(-1)?.ageHours ?? 0, projection === null ? 0 : projection.ageHours, 6],
  );
  const most = niceTop(Math.max(
    ...own.map(({ engagement }) => engagement),
    ...known.map(({ high }) => high),
    projection?.high ?? 0,
    2,
  ));
  // Most happens in the first hours, so they get more room.
  const x = (ageHours: number) =>
    round(LEFT + Math.log1p(ageHours) / Math.log1p(end) * (WIDTH - LEFT - RIGHT));
  const y = (value: number) => round(HEIGHT - BOTTOM - value / most * (HEIGHT - TOP - BOTTOM));
  const isReadable = (age: number) =>
    age === end || !TICKS.includes(end) || x(end) - x(age) >= ROOM;
  const line = (points: Point[]) =>
    points.map(({ ageHours, value }) => `${x(ageHours)} ${y(value)}`).join("L");
  const band = [
    line(known.map(({ ageHours, high }) => ({ ageHours, value: high }))),
    line(known.map(({ ageHours, low }) => ({ ageHours, value: low })).reverse()),
  ].join("L");
  const points = own.map(({ ageHours, engagement }) => ({ ageHours, value: engagement }));
  return (
    <figure class="chart">
      <div class="readout small" aria-hidden="true">
        <span class="key now">This post</span>
        {known.length === 0 ? null : <span class="key band">Your usual, the middle half</span>}
        {projection === null ? null : <span class="key ahead">Likely after 7 days</span>}
      </div>
      <svg
        class="curve"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label="Interactions by age of the post. The numbers stand in the table below."
      >
        {[0, 0.5, 1].map((part) => (
          <>
            <path class="grid-lines" d={`M${LEFT} ${y(most * part)}H${WIDTH - RIGHT}`} />
            <text x={LEFT - 5} y={y(most * part) + 3} text-anchor="end">
              {compact(most * part)}
            </text>
          </>
        ))}
        {TICKS.filter((age) => age <= end && isReadable(age)).map((age) => (
          <text x={x(age)} y={HEIGHT - 7} text-anchor={age === end ? "end" : "middle"}>
            {age < 48 ? `${age} h` : `${age / 24} d`}
          </text>
        ))}
        {known.length < 2 ? null : (
          <>
            <path class="band" d={`M${band}Z`} />
            <path
              class="line usual"
              d={`M${line(known.map(({ ageHours, mid }) => ({ ageHours, value: mid })))}`}
            />
          </>
        )}
        {projection === null ? null : (
          <path
            class="line ahead"
            d={`M${x(projection.ageHours)} ${y(projection.low)}V${y(projection.high)}` +
              `m-4 0h8M${x(projection.ageHours) - 4} ${y(projection.low)}h8` +
              `M${x(projection.ageHours) - 4} ${y(projection.mid)}h8`}
          />
        )}
        <path class="line now" d={`M${x(0)} ${y(0)}L${line(points)}`} />
        {points.slice(-1).map(({ ageHours, value }) => (
          <circle class="dot" cx={x(ageHours)} cy={y(value)} r="3.5" />
        ))}
      </svg>
      <details class="more">
        <summary>
          The same as a table
        </summary>
        <CurveTable standing={standing} usual={known} />
      </details>
    </figure>
  );
}

function CurveTable({ standing, usual }: { standing: Standing; usual: Standing["usual"] }) {
  const { own, projection } = standing;
  /** The newest reading of the post up to an age. */
  const ownAt = (age: number) => own.findLast(({ ageHours }) => ageHours <= age);
  const newest = own.at(-1);
  const rows = usual.length > 0
    ? usual.map((each) => {
      const isKnown = newest !== undefined && newest.ageHours >= each.ageHours;
      return { ...each, own: isKnown ? ownAt(each.ageHours)?.engagement ?? null : null };
    })
    : own.slice(-20).map(({ ageHours, engagement }) => ({
      ...{ ageHours, own: engagement, low: null, mid: null, high: null },
    }));
  const cell = (value: number | null) => (
    <td class="number">{value === null ? <span class="none">not known</span> : whole(value)}</td>
  );
  return (
    <div class="wide-table tall" role="region" aria-label="Interactions by age" tabindex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Age</th>
            <th scope="col" class="number">This post</th>
            <th scope="col" class="number">Lower end</th>
            <th scope="col" class="number">Usual</th>
            <th scope="col" class="number">Upper end</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ ageHours, own, low, mid, high }) => (
            <tr>
              <th scope="row">{ageWords(ageHours)}</th>
              {[own, low, mid, high].map(cell)}
            </tr>
          ))}
          {projection === null ? null : (
            <tr>
              <th scope="row">7 days, likely</th>
              <td class="number">{whole(projection.mid)}</td>
              <td class="number" colspan={3}>
                {whole(projection.low)} to {whole(projection.high)} with 95% certainty
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

const round = (value: number): number => Math.round(value * 10) / 10;
