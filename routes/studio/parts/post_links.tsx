/** A text of the domain that names published posts by id: people get links to their pages. */
import type { Studio } from "../studio.ts";
import { plain } from "../words.ts";

const POST_ID = /\b(post_[0-9A-Z]{26})\b/;

export function PlainWords({ studio, words }: { studio: Studio; words: string }) {
  // Splitting by a group keeps what it matched, so each second part is an id.
  const parts = plain(words).split(POST_ID);
  return (
    <>
      {parts.map((part, at) =>
        at % 2 === 0 ? part : <a href={studio.at(`/published/${part}`)}>post {(at + 1) / 2}</a>
      )}
    </>
  );
}
