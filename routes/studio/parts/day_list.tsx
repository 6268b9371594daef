/** Posts by day, with boxes to choose many of them at once. */
import { createCreation } from "../../../domain/operations/creations.ts";
import type { Slot } from "../../../domain/series/shape.ts";
import { accountWords } from "../accounts.ts";
import { type CalendarQuery, daysToCome, isFiltered, queryWords } from "../calendar_query.ts";
import { forDay, isFree, runsOf } from "../free_day.ts";
import type { Likely } from "../likely.ts";
import type { Studio } from "../studio.ts";
import { dayIn, timeWords } from "../when.ts";
import { FORMATS, POST_STATES } from "../words.ts";
import { Chip, Empty } from "./chip.tsx";
import { ChooseBox, ChosenBar, mayChoose, mayMove, moveAddress } from "./chosen.tsx";
import { cardOf } from "./live.tsx";
import { isChanged } from "./calendar_news.tsx";
import { LikelyLines } from "./likely.tsx";
import { dayName, FreeDays } from "./free_days.tsx";
import { Near, type Nearest, nearOf } from "./near.tsx";
import { mayFillDays } from "./new_post.tsx";
import { Cover } from "./picture.tsx";

interface ListProps {
  studio: Studio;
  posts: Slot[];
  nearest: Nearest;
  /** Null: what is likely comes later. */
  likely: Likely | null;
  query: CalendarQuery;
}

/** Each day to come has its place, because likely posts may arrive there; without any it is not seen. */
export function DayList({ studio, posts, nearest, likely, query }: ListProps) {
  const back = queryWords(query);
  const byDay = Map.groupBy(posts, ({ scheduledFor }) => dayIn(scheduledFor, studio.zone));
  const toCome = daysToCome(studio, query);
  // Which days are free can't be told from a part of the posts.
  const mayFill = mayFillDays(studio) && !isFiltered(query);
  const free = runsOf(mayFill ? toCome.filter((day) => isFree(byDay.get(day))) : []);
  const days = new Set([...byDay.keys(), ...toCome]);
  const list = [...days].sort().map((day) => (
    <>
      <FreeDays studio={studio} run={free.get(day)} />
      <section class="card" aria-label={dayName(day)}>
        <h2>{dayName(day)}</h2>
        <ul class="list" id={`list-${day}`}>
          {(byDay.get(day) ?? []).map((post) => (
            <Line studio={studio} post={post} near={nearOf(nearest, post)} back={back} />
          ))}
          {likely === null ? null : <LikelyLines studio={studio} likely={likely} day={day} />}
        </ul>
      </section>
    </>
  ));
  return (
    <>
      {mayChoose(studio)
        ? (
          <form
            class="stack days"
            method="post"
            action={studio.at("/calendar/chosen")}
            data-chosen
          >
            {list}
            <ChosenBar studio={studio} back={back} />
          </form>
        )
        : <div class="stack days">{list}</div>}
      <NothingHere studio={studio} query={query} />
    </>
  );
}

/** Seen when no day has anything. */
function NothingHere({ studio, query }: { studio: Studio; query: CalendarQuery }) {
  if (isFiltered(query)) {
    return (
      <Empty title="No post matches these filters">
        <p>Choose others, or show all posts.</p>
      </Empty>
    );
  }
  const day = query.from > dayIn(studio.now, studio.zone) ? query.from : "";
  return (
    <Empty title="Nothing scheduled here">
      <p>Make a picture and give it a time, or let a series plan for you.</p>
      {studio.may(createCreation)
        ? (
          <p class="actions">
            <a class="button" href={studio.at(forDay("/create", day))}>Create a post</a>
            <a class="button quiet" href={studio.at("/series/new")}>Start a series</a>
          </p>
        )
        : null}
    </Empty>
  );
}

interface LineProps {
  studio: Studio;
  post: Slot;
  near: string | null;
  back: string;
}

function Line({ studio, post, near, back }: LineProps) {
  const time = timeWords(post.scheduledFor, studio.zone);
  const about = post.caption !== "" ? post.caption : post.decision.topic ?? post.decision.direction;
  const address = studio.at(`/posts/${post.id}`);
  return (
    <li {...cardOf("line", post, near)}>
      {mayChoose(studio)
        ? (
          <label class="check">
            <ChooseBox studio={studio} post={post} />
          </label>
        )
        : null}
      <Cover studio={studio} post={post} />
      <span class="grow">
        <a href={address} autofocus={isChanged(studio, post)}>
          <b>{time}</b> {FORMATS[post.format]}
        </a>
        <span class="clip2 soft small" dir="auto">{about}</span>
        <span class="soft small">{accountWords(studio, post)}</span>
      </span>
      <Near studio={studio} near={near} />
      <Chip state={POST_STATES[post.status]} />
      {mayMove(studio, post)
        ? (
          <a class="button plain" href={moveAddress(studio, post, back)} data-key="m">
            Move to…
          </a>
        )
        : null}
    </li>
  );
}
