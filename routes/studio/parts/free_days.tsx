/** Days without a post, one after the other, in one line of the list. */
import type { Run } from "../free_day.ts";
import type { Studio } from "../studio.ts";
import { dayAfter, dayWords } from "../when.ts";
import { Icon } from "./icons.tsx";
import { NewPostOn } from "./new_post.tsx";

/** "Tue 3 Nov", for yyyy-mm-dd */
export const dayName = (day: string): string => dayWords(`${day}T12:00Z`, "UTC");

const withoutMonth = (name: string): string => name.replace(/ \w+$/, "");

/** One day leads to a new post on it; of several, one is chosen first. */
export function FreeDays({ studio, run }: { studio: Studio; run: Run | undefined }) {
  if (run === undefined) return null;
  const { from, to } = run;
  if (from === to) {
    return (
      <div class="free">
        <Words days={dayName(from)} />
        <NewPostOn studio={studio} day={from} look="button quiet" />
      </div>
    );
  }
  const isOneMonth = from.slice(0, 7) === to.slice(0, 7);
  const first = isOneMonth ? withoutMonth(dayName(from)) : dayName(from);
  const days: string[] = [];
  for (let day = from; day <= to; day = dayAfter(day, 1)) days.push(day);
  return (
    <details class="free">
      <summary>
        <Words days={`${first} – ${dayName(to)}`} />
        <span class="button quiet">
          <Icon name="plus" />
          New post
        </span>
      </summary>
      <div class="free-days">
        {days.map((day) => (
          <NewPostOn
            studio={studio}
            day={day}
            look="button quiet"
            word={withoutMonth(dayName(day))}
          />
        ))}
      </div>
    </details>
  );
}

function Words({ days }: { days: string }) {
  return (
    <h2>
      {days}
      <small class="soft block">Nothing scheduled</small>
    </h2>
  );
}
