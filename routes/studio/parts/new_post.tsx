/** The buttons that begin a post, for those whose role includes making one. */
import { createItem } from "../../../domain/operations/calendar.ts";
import { createCreation } from "../../../domain/operations/creations.ts";
import type { Studio } from "../studio.ts";
import { forDay } from "../free_day.ts";
import { dayWords } from "../when.ts";
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

/** Begins a post for a free day of the calendar. */
export function NewPostOn({ studio, day }: { studio: Studio; day: string }) {
  if (!studio.may(createCreation) || !studio.may(createItem)) return null;
  return (
    <a
      class="add"
      href={studio.at(forDay("/create", day))}
      aria-label={`New post on ${dayWords(`${day}T12:00Z`, "UTC")}`}
    >
      <Icon name="plus" />
      <span aria-hidden="true">New post</span>
    </a>
  );
}
