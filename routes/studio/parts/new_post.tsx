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

/** Whether the person can fill a free day of the calendar. */
export const mayFillDays = ({ may }: Studio): boolean => may(createCreation) && may(createItem);

interface NewPostOnProps {
  studio: Studio;
  day: string;
  look?: "add" | "button quiet";
  /** In place of "New post" beside its icon. */
  word?: string;
}

/** Begins a post for a free day of the calendar. */
export function NewPostOn({ studio, day, look = "add", word }: NewPostOnProps) {
  if (!mayFillDays(studio)) return null;
  return (
    <a
      class={look}
      href={studio.at(forDay("/create", day))}
      aria-label={`New post on ${dayWords(`${day}T12:00Z`, "UTC")}`}
    >
      {word === undefined ? <Icon name="plus" /> : null}
      <span aria-hidden="true">{word ?? "New post"}</span>
    </a>
  );
}
