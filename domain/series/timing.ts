/** How far before and after its time a scheduled post is worked on. */
import { DAY, HOUR } from "../foundation/calendar.ts";

/** Slots are planned this far ahead. */
export const PLAN_AHEAD = 7 * DAY;

/** A slot gets its images this long before its time. */
export const MAKE_AHEAD = 24 * HOUR;

/** A slot that is later than this is held instead of published, because its moment is over. */
export const LATE = 24 * HOUR;
