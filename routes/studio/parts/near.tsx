/** The mark of a post that has another one of its account within an hour. */
import { listCollisions } from "../../../domain/operations/forecast.ts";
import type { Slot } from "../../../domain/series/shape.ts";
import type { Studio } from "../studio.ts";
import { dayAfter, timeWords } from "../when.ts";
import { Icon } from "./icons.tsx";

/** Ids of posts → when the nearest other post of the account is scheduled. */
export type Nearest = ReadonlyMap<string, string>;

/** @param days of the brand's zone, yyyy-mm-dd */
export async function nearestBetween(
  { call }: Studio,
  { from, to }: { from: string; to: string },
): Promise<Nearest> {
  // A day of the zone lies within three days of UTC.
  const { data } = await call(listCollisions, { from: dayAfter(from, -1), to: dayAfter(to, 1) });
  return new Map(data.map(({ itemId, near }) => [itemId, near]));
}

/** When the other post is scheduled, for a post that can still be moved; else null. */
export const nearOf = (nearest: Nearest, { id, status }: Slot): string | null =>
  status === "published" || status === "publishing" ? null : nearest.get(id) ?? null;

export function Near({ studio, near }: { studio: Studio; near: string | null }) {
  if (near === null) return null;
  const time = timeWords(near, studio.zone);
  return (
    <span
      class="near"
      title={`Less than an hour from the post of ${time} on the same account.`}
    >
      <Icon name="alert" size={12} />
      <span class="clip">Near {time}</span>
      <span class="out">, less than an hour from another post on the same account</span>
    </span>
  );
}
