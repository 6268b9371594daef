/** What is done to many chosen posts at once: the boxes on cards, and the bar with the verbs. */
import { approveItem } from "../../../domain/operations/approval.ts";
import { updateItem } from "../../../domain/operations/calendar.ts";
import { skipItemById } from "../../../domain/operations/items.ts";
import type { Slot } from "../../../domain/series/shape.ts";
import type { Studio } from "../studio.ts";
import { whenWords } from "../when.ts";
import { Icon } from "./icons.tsx";
import { isEditable } from "./post_form.tsx";

export const mayChoose = ({ may }: Studio): boolean =>
  may(approveItem) || may(skipItemById) || may(updateItem);

export const mayMove = ({ may }: Studio, post: Slot): boolean =>
  may(updateItem) && isEditable(post);

/** Days → words. */
const STEPS: [number, string][] = [
  [1, "1 day later"],
  [2, "2 days later"],
  [3, "3 days later"],
  [7, "a week later"],
  [14, "2 weeks later"],
  [-1, "1 day earlier"],
  [-7, "a week earlier"],
];

/** The verbs for the posts whose boxes are ticked, within their form. @param back to the calendar */
export function ChosenBar({ studio, back }: { studio: Studio; back: string }) {
  const { may } = studio;
  return (
    <div class="chosen" role="group" aria-label="The chosen posts">
      <input type="hidden" name="back" value={back} />
      {/* Enter on a box presses the first button; this one does nothing. */}
      <button disabled hidden></button>
      <b data-chosen-count aria-live="polite">Chosen posts</b>
      {may(approveItem)
        ? (
          <button class="quiet" name="verb" value="approve">
            <Icon name="check" />
            Approve
          </button>
        )
        : null}
      {may(skipItemById)
        ? (
          <button class="quiet" name="verb" value="skip">
            <Icon name="skip" />
            Skip…
          </button>
        )
        : null}
      {may(updateItem)
        ? (
          <>
            <select name="days" aria-label="Move by">
              {STEPS.map(([days, words]) => <option value={days}>{words}</option>)}
            </select>
            <button class="quiet" name="verb" value="move">
              <Icon name="calendar" />
              Move
            </button>
          </>
        )
        : null}
    </div>
  );
}

/** The box that chooses a post. */
export function ChooseBox({ studio, post }: { studio: Studio; post: Slot }) {
  return (
    <>
      <input type="checkbox" name="ids" value={post.id} />
      <span class="out">Choose the post of {whenWords(post.scheduledFor, studio.zone)}</span>
    </>
  );
}

/** Where 'Move to…' leads, and comes back from. */
export const moveAddress = (studio: Studio, { id }: Slot, back: string): string =>
  studio.at(`/posts/${id}/move?back=${encodeURIComponent(back)}`);

/** The form that a drop on another day fills and sends; it is the one of 'Move to…'. */
export function DropForm({ studio, back }: { studio: Studio; back: string }) {
  if (!studio.may(updateItem)) return null;
  return (
    <form method="post" data-drops hidden>
      <input type="hidden" name="scheduledFor" />
      <input type="hidden" name="back" value={back} />
    </form>
  );
}
