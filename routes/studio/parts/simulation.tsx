/** What a series will do: how many posts, what they cost, when, and what stands in the way. */
import type { Simulation } from "../../../domain/series/running/simulate.ts";
import type { Studio } from "../studio.ts";
import { dayWords, whenWords } from "../when.ts";
import { counted, FORMATS, plain } from "../words.ts";
import { Notice } from "./chip.tsx";

const SHOWN = 6;

export function SimulationView({ studio, simulation }: { studio: Studio; simulation: Simulation }) {
  const { slots, credits, creditsEndOn, budgetEndsOn, collisions } = simulation;
  const { zone } = studio;
  const [first] = slots;
  const [collision] = collisions;
  if (first === undefined) {
    return <p class="soft">Nothing in the next 30 days.</p>;
  }
  return (
    <>
      <p>
        <b>{counted(slots.length, "post")}</b> in 30 days,{" "}
        <b>{counted(credits, "credit")}</b>, the first on {whenWords(first.scheduledFor, zone)}.
      </p>
      {creditsEndOn === null ? null : (
        <Notice tone="warn">
          The brand's credits end on {dayWords(`${creditsEndOn}T12:00Z`, "UTC")}.
        </Notice>
      )}
      {budgetEndsOn === null ? null : (
        <Notice tone="warn">
          The monthly budget ends on {dayWords(`${budgetEndsOn}T12:00Z`, "UTC")}.
        </Notice>
      )}
      {collision === undefined ? null : (
        <Notice tone="warn">
          {counted(collisions.length, "post")} within an hour of another series, the first with{" "}
          {collision.seriesName} on {whenWords(collision.otherScheduledFor, zone)}.
        </Notice>
      )}
      <ul class="list">
        {slots.slice(0, SHOWN).map(({ scheduledFor, format, direction }) => (
          <li>
            <span class="grow">
              <b>{whenWords(scheduledFor, zone)}</b>
              <span class="soft small clip2" dir="auto">
                {FORMATS[format]}: {plain(direction)}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {slots.length > SHOWN
        ? <p class="soft small">And {counted(slots.length - SHOWN, "post")} more.</p>
        : null}
    </>
  );
}
