/** An autopilot's playbook in sentences: how sure it is and of what, its shares as bars, what it tries. */
import type {
  DirectionEvidence,
  Playbook,
  PlaybookAction,
  Review,
} from "../../../domain/series/playbook.ts";
import type { Studio } from "../studio.ts";
import { counted, FORMATS, type StateWords } from "../words.ts";
import { Chip } from "./chip.tsx";
import { Icon } from "./icons.tsx";
import { PlainWords } from "./post_links.tsx";

export const ACTIONS: Record<PlaybookAction, StateWords> = {
  push: { word: "More of it", icon: "plus", tone: "good" },
  test: { word: "Trying it", icon: "dashed", tone: "accent" },
  hold: { word: "As it is", icon: "check", tone: "calm" },
  drop: { word: "No more", icon: "skip", tone: "warn" },
};

interface PlaybookProps {
  studio: Studio;
  playbook: Playbook | null;
  /** The review that wrote it. */
  review: Review | undefined;
}

export function PlaybookCards({ studio, playbook, review }: PlaybookProps) {
  if (playbook === null) {
    return (
      <section class="card">
        <h2>Its playbook</h2>
        <p class="soft">
          The autopilot has not looked at your posts yet. It does within a quarter of an hour, or at
          once with “Review now”.
        </p>
      </section>
    );
  }
  const { summary, directions, formatWeights, postHoursUtc, experiments, cadencePerWeek } =
    playbook;
  return (
    <>
      <section class="card" aria-labelledby="playbook">
        <h2 id="playbook" class="row">
          <Icon name="bulb" />
          Its playbook
        </h2>
        <p dir="auto">
          <PlainWords studio={studio} words={summary} />
        </p>
        <ul class="list">
          {directions.map(({ direction, action, rationale }) => (
            <li>
              <div class="grow stack tight">
                <div class="row">
                  <b class="grow" dir="auto">{direction}</b>
                  <Chip state={ACTIONS[action]} />
                </div>
                <span class="soft small" dir="auto">
                  <PlainWords studio={studio} words={rationale} />
                </span>
                <Evidence
                  studio={studio}
                  evidence={review?.evidence.find((each) => each.direction === direction)}
                />
              </div>
            </li>
          ))}
        </ul>
        <div class="two">
          <div class="stack tight">
            <h3>Formats</h3>
            {formatWeights.map(({ format, weight }) => (
              <Share label={formatWord(format)} share={weight} />
            ))}
          </div>
          <div class="stack tight">
            <h3>Pace and hours</h3>
            <p>{cadencePerWeek} a week, at {postHoursUtc.map(hourWords).join(", ")} UTC</p>
          </div>
        </div>
      </section>
      {experiments.length === 0 ? null : (
        <section class="card" aria-labelledby="experiments">
          <h2 id="experiments">What it tries out</h2>
          <ul class="list">
            {experiments.map((experiment) => <Experiment studio={studio} words={experiment} />)}
          </ul>
        </section>
      )}
    </>
  );
}

export const formatWord = (format: string): string =>
  (FORMATS as Record<string, string>)[format] ?? format;

/** "09:00" */
export const hourWords = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

/** How sure it is that a direction earns more than the others, in words with the number. */
export function certaintyWords(better: number | null): string {
  if (better === null) return "Nothing to compare with yet";
  const sure = (chance: number) => `${Math.min(99, Math.round(chance * 100))}% sure`;
  if (better >= 0.95) return `Earns more than the others: ${sure(better)}`;
  if (better >= 0.75) return `Probably earns more than the others: ${sure(better)}`;
  if (better > 0.25) return "Can't tell yet whether it earns more or less";
  return `${better > 0.05 ? "Probably earns" : "Earns"} less than the others: ${sure(1 - better)}`;
}

interface EvidenceProps {
  studio: Studio;
  evidence: DirectionEvidence | undefined;
}

/** How sure a direction is, and the posts that say so. */
function Evidence({ studio, evidence }: EvidenceProps) {
  if (evidence === undefined || evidence.posts === 0) return null;
  const { posts, postIds, better } = evidence;
  return (
    <>
      <span class="small">{certaintyWords(better)}.</span>
      <details class="more">
        <summary>
          {posts > postIds.length
            ? `The newest ${postIds.length} of ${counted(posts, "post")} behind it`
            : `The ${counted(posts, "post")} behind it`}
        </summary>
        <p class="links">
          {postIds.map((id, n) => <a href={studio.at(`/published/${id}`)}>Post {n + 1}</a>)}
        </p>
      </details>
    </>
  );
}

const OUTCOMES: Record<string, StateWords> = {
  confirmed: { word: "Confirmed", icon: "check", tone: "good" },
  refuted: { word: "Refuted", icon: "skip", tone: "warn" },
  inconclusive: { word: "No difference seen", icon: "dashed", tone: "calm" },
};
const OPEN: StateWords = { word: "Running", icon: "clock", tone: "accent" };
const IDEA: StateWords = { word: "Idea", icon: "bulb", tone: "calm" };

/** An experiment with its state; what the strategist words freely is an idea. */
function Experiment({ studio, words }: { studio: Studio; words: string }) {
  const [, read, outcome, result] =
    /^Experiment read: "(.+)" is (confirmed|refuted|inconclusive): (.+)$/s.exec(words) ?? [];
  const [, since, open] = /^Experiment since ([\d-]+): (.+)$/s.exec(words) ?? [];
  const [text, more, state] = read !== undefined
    ? [`${read}.`, result, OUTCOMES[outcome ?? ""] ?? OPEN]
    : open !== undefined
    ? [open, `Since ${since}.`, OPEN]
    : [words, undefined, IDEA];
  return (
    <li>
      <span class="grow stack tight" dir="auto">
        <span>
          <PlainWords studio={studio} words={text} />
        </span>
        {more === undefined ? null : (
          <span class="soft small">
            <PlainWords studio={studio} words={more} />
          </span>
        )}
      </span>
      <Chip state={state} />
    </li>
  );
}

/** A share as a bar, with its number in words. */
export function Share({ label, share }: { label: string; share: number }) {
  return (
    <div>
      <span class="row">
        <span class="grow">{label}</span>
        <span class="number soft">{percentWords(share)}</span>
      </span>
      <div class="bar-track">
        <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
          <rect width={Math.round(share * 100)} height="1" />
        </svg>
      </div>
    </div>
  );
}

export const percentWords = (share: number): string => `${Math.round(share * 100)}%`;
