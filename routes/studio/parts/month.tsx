/** The grid of a month or a week: posts to open, to choose and to drag, and what is likely to come. */
import type { Slot } from "../../../domain/series/shape.ts";
import { type CalendarQuery, queryWords } from "../calendar_query.ts";
import { isFree } from "../free_day.ts";
import type { Likely } from "../likely.ts";
import type { Studio } from "../studio.ts";
import { dayAfter, dayIn, dayWords, timeWords, whenWords } from "../when.ts";
import { POST_STATES } from "../words.ts";
import { ChooseBox, ChosenBar, DropForm, mayChoose, mayMove, moveAddress } from "./chosen.tsx";
import { cardOf } from "./live.tsx";
import { Icon } from "./icons.tsx";
import { isChanged } from "./calendar_news.tsx";
import { LikelyEntries } from "./likely.tsx";
import { Near, type Nearest, nearOf } from "./near.tsx";
import { NewPostOn } from "./new_post.tsx";
import { Cover } from "./picture.tsx";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

interface GridProps {
  studio: Studio;
  posts: Slot[];
  nearest: Nearest;
  /** Null: what is likely comes later. */
  likely: Likely | null;
  /** Its first day is a Monday. */
  query: CalendarQuery;
}

export function MonthGrid({ studio, posts, nearest, likely, query }: GridProps) {
  const { from, to, day } = query;
  const isWeek = query.view === "week";
  const back = queryWords(query);
  const days: string[] = [];
  for (let one = from; one <= to; one = dayAfter(one, 1)) days.push(one);
  const dayOf = ({ scheduledFor }: { scheduledFor: string }) => dayIn(scheduledFor, studio.zone);
  const byDay = Map.groupBy(posts, dayOf);
  const today = dayIn(studio.now, studio.zone);
  const grid = (
    <div class={`month ${isWeek ? "week" : ""}`}>
      {WEEKDAYS.map((name) => <div class="day-name" aria-hidden="true">{name.slice(0, 3)}</div>)}
      {days.map((one) => {
        const isOutside = !isWeek && one.slice(0, 7) !== day.slice(0, 7);
        const own = byDay.get(one) ?? [];
        const marks = `${isOutside ? "outside" : ""} ${one === today ? "today" : ""}`;
        return (
          <div
            id={`day-${one}`}
            class={`day ${marks}`}
            {...(one < today ? {} : { "data-day": one })}
          >
            <div class="day-top">
              <a
                href={studio.at(`/calendar?view=week&day=${one}`)}
                aria-label={`The week of ${dayWords(`${one}T12:00Z`, "UTC")}`}
              >
                {Number(one.slice(8))}
              </a>
            </div>
            {own.map((post) => (
              <Entry studio={studio} post={post} near={nearOf(nearest, post)} back={back} />
            ))}
            {one < today ? null : (
              <div class="likely-day" id={`grid-${one}`}>
                {likely === null
                  ? null
                  : <LikelyEntries studio={studio} likely={likely} day={one} />}
              </div>
            )}
            {one >= today && isFree(own) ? <NewPostOn studio={studio} day={one} /> : null}
          </div>
        );
      })}
    </div>
  );
  if (!mayChoose(studio)) return grid;
  return (
    <>
      <form
        class="only-wide stack"
        method="post"
        action={studio.at("/calendar/chosen")}
        data-chosen
      >
        {grid}
        <ChosenBar studio={studio} back={back} />
      </form>
      <DropForm studio={studio} back={back} />
    </>
  );
}

interface EntryProps {
  studio: Studio;
  post: Slot;
  near: string | null;
  back: string;
}

function Entry({ studio, post, near, back }: EntryProps) {
  const { word, icon } = POST_STATES[post.status];
  const { id, scheduledFor } = post;
  const time = timeWords(scheduledFor, studio.zone);
  const isMovable = mayMove(studio, post);
  const drag = isMovable
    ? { draggable: true, "data-moves": studio.at(`/posts/${id}/move`), "data-time": time }
    : {};
  return (
    <div {...cardOf("entry", post, near)} class={`entry ${post.status}`} {...drag}>
      <a class="open" href={studio.at(`/posts/${id}`)} autofocus={isChanged(studio, post)}>
        <Cover studio={studio} post={post} />
        <span>
          <b>{time}</b>
          <span class="state soft">
            <Icon name={icon} size={12} />
            <span class="clip">{word}</span>
          </span>
        </span>
        <Near studio={studio} near={near} />
      </a>
      {mayChoose(studio)
        ? (
          <label class="pick">
            <ChooseBox studio={studio} post={post} />
          </label>
        )
        : null}
      {isMovable
        ? (
          <a
            class="to"
            href={moveAddress(studio, post, back)}
            title="Move to…"
            aria-label={`Move the post of ${whenWords(scheduledFor, studio.zone)} to…`}
            data-key="m"
          >
            <Icon name="calendar" size={16} />
          </a>
        )
        : null}
    </div>
  );
}
