/** Posts that a series will probably plan, dimmed among those that are planned. */
import type { LikelyPost } from "../likely.ts";
import type { Studio } from "../studio.ts";
import { timeWords } from "../when.ts";
import { plain } from "../words.ts";
import { Icon } from "./icons.tsx";

interface Props {
  studio: Studio;
  post: LikelyPost;
}

/** In the grid. It leads to the series. */
export function LikelyEntry({ studio, post }: Props) {
  const { scheduledFor, seriesId, seriesName } = post;
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
    </a>
  );
}

/** In the list. */
export function LikelyLine({ studio, post }: Props) {
  const { scheduledFor, seriesId, seriesName, direction } = post;
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
    </li>
  );
}

/** The day on which the brand's credits end. */
export function CreditsEnd({ studio }: { studio: Studio }) {
  return (
    <a class="chip warn credits-end" href={studio.at("/settings/plan")}>
      <Icon name="alert" size={14} />
      <span class="clip">Credits end</span>
    </a>
  );
}
