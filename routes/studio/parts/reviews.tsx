/** An autopilot's reviews: what each changed, how its statements came out, and the way back to one. */
import { adoptReview } from "../../../domain/operations/series.ts";
import type { Playbook, PlaybookDiff, Review, Score } from "../../../domain/series/playbook.ts";
import type { Studio } from "../studio.ts";
import { whenWords } from "../when.ts";
import { counted } from "../words.ts";
import { Chip } from "./chip.tsx";
import { ACTIONS, formatWord, hourWords, percentWords } from "./playbook.tsx";
import { PlainWords } from "./post_links.tsx";

/** The newest review that wrote the playbook in force; a person may have returned to an earlier one. */
export function reviewInForce(playbook: Playbook | null, reviews: Review[]): Review | undefined {
  const written = JSON.stringify(playbook);
  return reviews.find((review) => JSON.stringify(review.playbook) === written);
}

/** What a playbook changes against another, a sentence each. */
export function changesOf(diff: PlaybookDiff): string[] {
  const { cadencePerWeek, formats, hoursAdded, hoursRemoved, directions } = diff;
  const hours = (all: number[]) => `${all.map(hourWords).join(", ")} UTC`;
  return [
    ...cadencePerWeek === null
      ? []
      : [`${cadencePerWeek.to} posts a week instead of ${cadencePerWeek.from}.`],
    ...formats.map(({ format, from, to }) =>
      `${formatWord(format)}: ${percentWords(to)} of the posts instead of ${percentWords(from)}.`
    ),
    ...hoursAdded.length === 0 ? [] : [`Also at ${hours(hoursAdded)}.`],
    ...hoursRemoved.length === 0 ? [] : [`No longer at ${hours(hoursRemoved)}.`],
    ...directions.map(({ direction, from, to }) =>
      to === null
        ? `“${direction}” is no longer in it.`
        : from === null
        ? `“${direction}” is new: ${ACTIONS[to].word.toLowerCase()}.`
        : `“${direction}”: ${ACTIONS[to].word.toLowerCase()}, before ${
          ACTIONS[from].word.toLowerCase()
        }.`
    ),
  ];
}

export function Changes({ diff }: { diff: PlaybookDiff }) {
  const changes = changesOf(diff);
  return changes.length === 0
    ? <p class="soft">Nothing: the plan stays as it is.</p>
    : <ul class="changes">{changes.map((change) => <li dir="auto">{change}</li>)}</ul>;
}

/** How often what it said came true, in words and as a table. */
export function ScoreCard({ score: { judged, brier, tenths } }: { score: Score }) {
  return (
    <section class="card" aria-labelledby="score">
      <h2 id="score">How good its word is</h2>
      {judged === 0 || brier === null
        ? (
          <p class="soft">
            Not known yet. What a review says is held against the posts of the four weeks after it.
          </p>
        )
        : (
          <>
            <p>
              <b>{brierWords(brier, judged)}</b>, by {counted(judged, "statement")}{" "}
              that later posts have judged. Its error is{" "}
              {brier.toFixed(2)}: 0 is perfect, 0.25 is guessing.
            </p>
            <div>
              <table>
                <thead>
                  <tr>
                    <th scope="col">It was sure by</th>
                    <th scope="col" class="number">Statements</th>
                    <th scope="col" class="number">Came true</th>
                  </tr>
                </thead>
                <tbody>
                  {tenths.map(({ stated, statements, cameTrue }) => (
                    <tr>
                      <td>{percentWords(stated)}</td>
                      <td class="number">{statements}</td>
                      <td class="number">{percentWords(cameTrue)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )}
    </section>
  );
}

/** Fewer statements say little of the next ones. */
const FEWEST = 10;

function brierWords(brier: number, judged: number): string {
  if (judged < FEWEST) return "Too early to tell";
  if (brier <= 0.1) return "Very good";
  if (brier < 0.22) return "Better than guessing";
  return brier <= 0.28 ? "About as good as guessing" : "Worse than guessing";
}

interface ReviewsProps {
  studio: Studio;
  seriesId: string;
  reviews: Review[];
  inForce: Review | undefined;
}

const SHOWN = 10;

/** The reviews, newest first: why, what changed, and for all but the one in force the way back. */
export function Reviews({ studio, seriesId, reviews, inForce }: ReviewsProps) {
  if (reviews.length === 0) return null;
  const entries = (some: Review[]) => (
    <ol class="chain">
      {some.map((review) => (
        <Entry {...{ studio, seriesId, review, isInForce: review === inForce }} />
      ))}
    </ol>
  );
  const older = reviews.slice(SHOWN);
  return (
    <section class="card" aria-labelledby="reviews">
      <h2 id="reviews">Its reviews</h2>
      {entries(reviews.slice(0, SHOWN))}
      {older.length === 0 ? null : (
        <details class="more">
          <summary>{counted(older.length, "older review")}</summary>
          {entries(older)}
        </details>
      )}
    </section>
  );
}

interface EntryProps {
  studio: Studio;
  seriesId: string;
  review: Review;
  isInForce: boolean;
}

function Entry({ studio, seriesId, review, isInForce }: EntryProps) {
  const { id, createdAt, rationale, scoredItems, diff } = review;
  const at = whenWords(createdAt, studio.zone);
  return (
    <li class="stack tight">
      <div class="row">
        <b>{at}</b>
        <span class="soft small grow">on {counted(scoredItems, "post")}</span>
        {isInForce
          ? <Chip state={{ word: "In force", icon: "check", tone: "good" }} />
          : !studio.may(adoptReview)
          ? null
          : (
            <a
              class="button quiet"
              href={studio.at(`/series/${seriesId}/reviews/${id}`)}
              aria-label={`Return to this one, of ${at}`}
            >
              Return to this one
            </a>
          )}
      </div>
      {diff === null ? <p class="soft small">The first playbook.</p> : (
        <div class="small">
          <h3>What it changed</h3>
          <Changes diff={diff} />
        </div>
      )}
      <details class="more">
        <summary aria-label={`Why, in the review of ${at}`}>Why</summary>
        <p class="small" dir="auto">
          <PlainWords studio={studio} words={rationale} />
        </p>
      </details>
    </li>
  );
}
