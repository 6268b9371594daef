/** A scheduled post as a card: its picture, when, where, and its state as icon and word. */
import type { Slot } from "../../../domain/series/shape.ts";
import { accountWords } from "../accounts.ts";
import type { Studio } from "../studio.ts";
import { whenWords } from "../when.ts";
import { POST_STATES } from "../words.ts";
import { Chip } from "./chip.tsx";
import { cardOf } from "./live.tsx";
import { Icon } from "./icons.tsx";
import { currentPictures, Picture } from "./picture.tsx";

interface TileProps {
  studio: Studio;
  post: Slot;
  /** Whether it is among the first things that the page shows. */
  isFirst?: boolean;
}

export function PostTile({ studio, post, isFirst = false }: TileProps) {
  const [cover] = currentPictures(post);
  const about = post.decision.topic ?? post.decision.direction;
  return (
    <li {...cardOf("tile", post)}>
      <a class="tile" href={studio.at(`/posts/${post.id}`)}>
        {cover === undefined
          ? (
            <span class="picture">
              <span class="waits">
                <Icon name="picture" size={24} />
                <span class="clip2" dir="auto">{about}</span>
              </span>
            </span>
          )
          : <Picture picture={cover} alt="" smallIn={studio} isFirst={isFirst} />}
        <b>{whenWords(post.scheduledFor, studio.zone)}</b>
        <span class="small soft clip">{accountWords(studio, post)}</span>
        <span>
          <Chip state={POST_STATES[post.status]} />
        </span>
      </a>
    </li>
  );
}
