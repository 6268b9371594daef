/** The grid of a month or a week: posts to open, to choose and to drag, and what is likely to come. */
import type { Slot } from "../../../domain/series/shape.ts";
import type { Likely } from "../likely.ts";
import type { Studio } from "../studio.ts";
import { dayAfter, dayIn, dayWords, timeWords, whenWords } from "../when.ts";
import { POST_STATES } from "../words.ts";
import { ChooseBox, ChosenBar, DropForm, mayChoose, mayMove, moveAddress } from "./chosen.tsx";
import { cardOf } from "./live.tsx";
import { Icon } from "./icons.tsx";
import { CreditsEnd, LikelyEntry } from "./likely.tsx";
import { Cover } from "./picture.tsx";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

interface GridProps {
  studio: Studio;
  posts: Slot[];
  likely: Likely;
  /** The calendar's own query, to come back to. */
  back: string;
  /** A Monday. */
  from: string;
  to: string;
  day: string;
  isWeek: boolean;
}

export function MonthGrid({ studio, posts, likely, back, from, to, day, isWeek }: GridProps) {
  const days: string[] = [];
  for (let one = from; one <= to; one = dayAfter(one, 1)) days.push(one);
  const dayOf = ({ scheduledFor }: { scheduledFor: string }) => dayIn(scheduledFor, studio.zone);
  const byDay = Map.groupBy(posts, dayOf);
  const likelyByDay = Map.groupBy(likely.posts, dayOf);
  const today = dayIn(studio.now, studio.zone);
  const grid = (
    <div class={`month ${isWeek ? "week" : ""}`}>
      {WEEKDAYS.map((name) => <div class="day-name" aria-hidden="true">{name.slice(0, 3)}</div>)}
      {days.map((one) => {
        const isOutside = !isWeek && one.slice(0, 7) !== day.slice(0, 7);
        const marks = `${isOutside ? "outside" : ""} ${one === today ? "today" : ""}`;
        return (
          <div class={`day ${marks}`} {...(one < today ? {} : { "data-day": one })}>
            <div class="day-top">
              <a
                href={studio.at(`/calendar?view=week&day=${one}`)}
                aria-label={`The week of ${dayWords(`${one}T12:00Z`, "UTC")}`}
              >
                {Number(one.slice(8))}
              </a>
              {one === likely.creditsEndOn ? <CreditsEnd studio={studio} /> : null}
            </div>
            {(byDay.get(one) ?? []).map((post) => (
              <Entry studio={studio} post={post} back={back} />
            ))}
            {(likelyByDay.get(one) ?? []).map((post) => (
              <LikelyEntry studio={studio} post={post} />
            ))}
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

function Entry({ studio, post, back }: { studio: Studio; post: Slot; back: string }) {
  const { word, icon } = POST_STATES[post.status];
  const { id, scheduledFor } = post;
  const time = timeWords(scheduledFor, studio.zone);
  const isMovable = mayMove(studio, post);
  const drag = isMovable
    ? { draggable: true, "data-moves": studio.at(`/posts/${id}/move`), "data-time": time }
    : {};
  return (
    <div {...cardOf("entry", post)} class={`entry ${post.status}`} {...drag}>
      <a class="open" href={studio.at(`/posts/${id}`)}>
        <Cover post={post} />
        <span>
          <b>{time}</b>
          <span class="state soft">
            <Icon name={icon} size={12} />
            <span class="clip">{word}</span>
          </span>
        </span>
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
