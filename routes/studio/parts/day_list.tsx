/** Posts by day, with boxes to choose many of them at once. */
import { createCreation } from "../../../domain/operations/creations.ts";
import type { Slot } from "../../../domain/series/shape.ts";
import { accountWords } from "../accounts.ts";
import type { Likely } from "../likely.ts";
import type { Studio } from "../studio.ts";
import { dayIn, dayWords, timeWords } from "../when.ts";
import { FORMATS, POST_STATES } from "../words.ts";
import { Chip, Empty } from "./chip.tsx";
import { ChooseBox, ChosenBar, mayChoose, mayMove, moveAddress } from "./chosen.tsx";
import { cardOf } from "./live.tsx";
import { CreditsEnd, LikelyLine } from "./likely.tsx";
import { Cover } from "./picture.tsx";

interface ListProps {
  studio: Studio;
  posts: Slot[];
  likely: Likely;
  /** The calendar's own query, to come back to. */
  back: string;
}

export function DayList({ studio, posts, likely, back }: ListProps) {
  if (posts.length + likely.posts.length === 0) {
    return (
      <Empty title="Nothing scheduled here">
        <p>Make a picture and give it a time, or let a series plan for you.</p>
        {studio.may(createCreation)
          ? (
            <p class="actions">
              <a class="button" href={studio.at("/create")}>Create a post</a>
              <a class="button quiet" href={studio.at("/series/new")}>Start a series</a>
            </p>
          )
          : null}
      </Empty>
    );
  }
  const dayOf = ({ scheduledFor }: { scheduledFor: string }) => dayIn(scheduledFor, studio.zone);
  const byDay = Map.groupBy(posts, dayOf);
  const likelyByDay = Map.groupBy(likely.posts, dayOf);
  const ends = likely.creditsEndOn === null ? [] : [likely.creditsEndOn];
  const days = new Set([...byDay.keys(), ...likelyByDay.keys(), ...ends]);
  const list = [...days].sort().map((day) => (
    <section class="card" aria-label={dayWords(`${day}T12:00Z`, "UTC")}>
      <h2 class="row">
        {dayWords(`${day}T12:00Z`, "UTC")}
        {day === likely.creditsEndOn ? <CreditsEnd studio={studio} /> : null}
      </h2>
      <ul class="list">
        {(byDay.get(day) ?? []).map((post) => <Line studio={studio} post={post} back={back} />)}
        {(likelyByDay.get(day) ?? []).map((post) => <LikelyLine studio={studio} post={post} />)}
      </ul>
    </section>
  ));
  if (!mayChoose(studio)) return <div class="stack">{list}</div>;
  return (
    <form class="stack" method="post" action={studio.at("/calendar/chosen")} data-chosen>
      {list}
      <ChosenBar studio={studio} back={back} />
    </form>
  );
}

function Line({ studio, post, back }: { studio: Studio; post: Slot; back: string }) {
  const time = timeWords(post.scheduledFor, studio.zone);
  const about = post.caption !== "" ? post.caption : post.decision.topic ?? post.decision.direction;
  const address = studio.at(`/posts/${post.id}`);
  return (
    <li {...cardOf("line", post)}>
      {mayChoose(studio)
        ? (
          <label class="check">
            <ChooseBox studio={studio} post={post} />
          </label>
        )
        : null}
      <Cover post={post} />
      <span class="grow">
        <a href={address}>
          <b>{time}</b> {FORMATS[post.format]}
        </a>
        <span class="clip2 soft small" dir="auto">{about}</span>
        <span class="soft small">{accountWords(studio, post)}</span>
      </span>
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
