/** The pictures of a post as they will be published, or why there is none yet. */
import type { Slot } from "../../../domain/series/shape.ts";
import { Icon } from "./icons.tsx";
import { currentPictures, Picture } from "./picture.tsx";

export function Pictures({ post }: { post: Slot }) {
  const pictures = currentPictures(post);
  if (pictures.length === 0) {
    return (
      <div class="picture">
        <span class="waits">
          <Icon name="picture" size={28} />
          {noPictureWords(post)}
        </span>
      </div>
    );
  }
  const alt = (n: number) => post.altText ?? pictures[n]?.idea;
  const [first, ...more] = pictures;
  if (first !== undefined && more.length === 0) return <Picture picture={first} alt={alt(0)} />;
  return (
    <div class="strip" role="group" aria-label={`${pictures.length} pictures`} tabindex={0}>
      {pictures.map((picture, n) => <Picture picture={picture} alt={alt(n)} />)}
    </div>
  );
}

function noPictureWords({ status, creations }: Slot): string {
  if (status !== "planned") return "No picture yet";
  return creations.length === 0
    ? "The picture is made the day before."
    : "A new picture comes here.";
}

/** A story's pictures, with the parts that a platform's own buttons cover, for those who want to see. */
export function ZonedPictures({ post }: { post: Slot }) {
  return (
    <div class="stack tight zones">
      <label class="check">
        <input type="checkbox" class="shows-zones" />
        Show what the platform’s buttons cover
      </label>
      <Pictures post={post} />
    </div>
  );
}
