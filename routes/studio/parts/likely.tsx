/** What a series will probably plan, dimmed among the posts, and the day on which the credits end. */
import { type CalendarQuery, daysToCome, queryWords } from "../calendar_query.ts";
import { calendarAt } from "../back.ts";
import type { Likely, LikelyPost } from "../likely.ts";
import type { Studio } from "../studio.ts";
import { dayWords, timeWords } from "../when.ts";
import { counted, plain } from "../words.ts";
import { Icon } from "./icons.tsx";
import { Near } from "./near.tsx";

interface DayProps {
  studio: Studio;
  likely: Likely;
  day: string;
}

/** A day of the grid. */
export function LikelyEntries({ studio, likely, day }: DayProps) {
  return (
    <>
      {day === likely.creditsEndOn ? <CreditsEnd studio={studio} /> : null}
      {(likely.byDay.get(day) ?? []).map((post) => <Entry studio={studio} post={post} />)}
    </>
  );
}

/** A day of the list. */
export function LikelyLines({ studio, likely, day }: DayProps) {
  return (
    <>
      {day === likely.creditsEndOn
        ? (
          <li>
            <CreditsEnd studio={studio} />
            <span class="small grow">New pictures wait for the next month or a larger plan.</span>
          </li>
        )
        : null}
      {(likely.byDay.get(day) ?? []).map((post) => <Line studio={studio} post={post} />)}
    </>
  );
}

interface NoteProps {
  studio: Studio;
  query: CalendarQuery;
  /** Null: they are still to be looked for. */
  likely: Likely | null;
}

/** Says what is likely, or looks for it once the page is shown; without script a link does. */
export function LikelyNote({ studio, query, likely }: NoteProps) {
  const words = queryWords({ ...query, showsLikely: false });
  const shown = queryWords({ ...query, showsLikely: true });
  const looks = likely === null
    ? { "hx-get": studio.at(`/calendar/likely?${words}`), "hx-trigger": "load" }
    : {};
  return (
    <p class="soft small likely-note" role="status" {...looks}>
      {likely === null
        ? <a href={studio.at(calendarAt(shown))}>Show likely posts</a>
        : <LikelyWords studio={studio} likely={likely} />}
    </p>
  );
}

export function LikelyWords({ studio, likely }: { studio: Studio; likely: Likely }) {
  const { count, creditsEndOn, seriesLeftOut } = likely;
  const asOf = timeWords(studio.now, studio.zone);
  return (
    <>
      {count === 0
        ? "No further posts are likely here"
        : `${counted(count, "more post")} ${count === 1 ? "is" : "are"} likely from your series`}
      {`, as of ${asOf}.`}
      {creditsEndOn === null
        ? ""
        : ` The credits end on ${dayWords(`${creditsEndOn}T12:00Z`, "UTC")}.`}
      {seriesLeftOut === 0 ? "" : ` Older series are not counted (${seriesLeftOut}).`}
    </>
  );
}

/** What a page that is shown already takes in: the words of its note, and each day's likely posts. */
export function LikelyNews({ studio, query, likely }: NoteProps & { likely: Likely }) {
  const days = daysToCome(studio, query)
    .filter((day) => likely.byDay.has(day) || day === likely.creditsEndOn);
  return (
    <>
      <LikelyWords studio={studio} likely={likely} />
      {query.view === "list" ? null : days.map((day) => (
        <div hx-swap-oob={`innerHTML:#grid-${day}`}>
          <LikelyEntries studio={studio} likely={likely} day={day} />
        </div>
      ))}
      {days.map((day) => (
        <ul hx-swap-oob={`beforeend:#list-${day}`}>
          <LikelyLines studio={studio} likely={likely} day={day} />
        </ul>
      ))}
    </>
  );
}

interface Props {
  studio: Studio;
  post: LikelyPost;
}

function Entry({ studio, post }: Props) {
  const { scheduledFor, seriesId, seriesName, near } = post;
  return (
    <a class="entry likely" href={studio.at(`/series/${seriesId}`)} title={seriesName}>
      <span class="thumb">
        <Icon name="dashed" />
      </span>
      <span>
        {timeWords(scheduledFor, studio.zone)}
        <span class="state">
          <span class="clip">Likely</span>
          <span class="out">, by the series {seriesName}</span>
        </span>
      </span>
      <Near studio={studio} near={near} />
    </a>
  );
}

function Line({ studio, post }: Props) {
  const { scheduledFor, seriesId, seriesName, direction, near } = post;
  return (
    <li class="likely">
      <span class="thumb">
        <Icon name="dashed" />
      </span>
      <span class="grow">
        <a href={studio.at(`/series/${seriesId}`)}>
          {timeWords(scheduledFor, studio.zone)} Likely
        </a>
        <span class="clip2 small" dir="auto">{plain(direction)}</span>
        <span class="small" dir="auto">{seriesName}</span>
      </span>
      <Near studio={studio} near={near} />
    </li>
  );
}

function CreditsEnd({ studio }: { studio: Studio }) {
  return (
    <a class="chip warn credits-end" href={studio.at("/settings/plan")}>
      <Icon name="alert" size={14} />
      <span class="clip">Credits end</span>
    </a>
  );
}
