/** What became of the posts that were chosen or moved, above the calendar. */
import { updateItem } from "../../../domain/operations/calendar.ts";
import type { Slot } from "../../../domain/series/shape.ts";
import { queryOf, type Studio } from "../studio.ts";
import { whenWords } from "../when.ts";
import { counted } from "../words.ts";
import { Notice } from "./chip.tsx";

const DID: Record<string, string> = { approve: "approved", skip: "skipped", move: "moved" };

/** Whether the post was changed just now: whoever did it by keyboard goes on from its card. */
export const isChanged = (studio: Studio, { id }: Slot): boolean =>
  id === (queryOf(studio, "moved") || queryOf(studio, "changed"));

interface Props {
  studio: Studio;
  posts: Slot[];
  back: string;
}

export function CalendarNews(props: Props) {
  const { studio } = props;
  const done = queryOf(studio, "done");
  if (queryOf(studio, "moved") !== "") return <Moved {...props} />;
  if (!/^\d{1,3}$/.test(done)) return null;
  const refused = queryOf(studio, "refused");
  return (
    <Notice tone={refused === "" ? "good" : "warn"}>
      {counted(Number(done), "post")} {DID[queryOf(studio, "did")] ?? "done"}.
      {refused === "" ? null : <>{" "}Not done: {refused}</>}
    </Notice>
  );
}

/** A post that was moved, with the way back to its earlier time. */
function Moved({ studio, posts, back }: Props) {
  const id = queryOf(studio, "moved");
  const post = posts.find((one) => one.id === id);
  if (post === undefined) return <Notice tone="good">The post was moved.</Notice>;
  return (
    <Notice tone="good">
      <span class="row">
        Moved to {whenWords(post.scheduledFor, studio.zone)}.
        {studio.may(updateItem) && queryOf(studio, "was") !== ""
          ? (
            <form method="post" action={studio.at(`/posts/${id}/move`)}>
              <input type="hidden" name="scheduledFor" value={queryOf(studio, "was")} />
              <input type="hidden" name="back" value={back} />
              <button class="quiet">Undo</button>
            </form>
          )
          : null}
      </span>
    </Notice>
  );
}
