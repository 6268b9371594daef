/** The button that begins a post, for those whose role includes making one. */
import { createCreation } from "../../../domain/operations/creations.ts";
import type { Studio } from "../studio.ts";
import { Icon } from "./icons.tsx";

export function NewPost({ studio, word = "New post" }: { studio: Studio; word?: string }) {
  if (!studio.may(createCreation)) return null;
  return (
    <a class="button" href={studio.at("/create")}>
      <Icon name="plus" />
      {word}
    </a>
  );
}
