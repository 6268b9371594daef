/** A number of a post, or in its place why there is none. */
import type { ExplainedReading } from "../../../domain/insights/readings.ts";
import type { Platform } from "../../../domain/posts/shape.ts";
import { missingWords, share, whole } from "../numbers.ts";

type Counted = Exclude<keyof ExplainedReading, "capturedAt" | "nulls">;

/** The numbers of a reading in the order in which tables show them. */
export const FIGURES: readonly { name: Counted; word: string }[] = [
  { name: "views", word: "Views" },
  { name: "impressions", word: "Impressions" },
  { name: "reach", word: "Reach" },
  { name: "likes", word: "Likes" },
  { name: "comments", word: "Comments" },
  { name: "shares", word: "Shares" },
  { name: "saves", word: "Saves" },
  { name: "clicks", word: "Clicks" },
  { name: "engagementRate", word: "Rate" },
];

/** A reading, and of which platform it is. */
export interface Read {
  reading: ExplainedReading;
  platform: Platform;
}

/** Why a number is missing; null when it is there. */
function missing({ reading, platform }: Read, name: Counted) {
  if (reading[name] !== null) return null;
  const reason = name in reading.nulls
    ? reading.nulls[name as keyof ExplainedReading["nulls"]]
    : undefined;
  return missingWords(reason ?? "notReported", platform);
}

export function Figure({ name, ...read }: Read & { name: Counted }) {
  const value = read.reading[name];
  if (value !== null) return <>{name === "engagementRate" ? share(value) : whole(value)}</>;
  const none = missing(read, name);
  return (
    <span class="none" title={none?.why}>
      {none?.word}
      <span class="out">: {none?.why}</span>
    </span>
  );
}

/** The reasons for all numbers that are missing, each once, for those who can't point at them. */
export function Reasons({ reads }: { reads: readonly Read[] }) {
  const fields = new Map<string, Set<string>>();
  for (const read of reads) {
    for (const { name, word } of FIGURES) {
      const none = missing(read, name);
      if (none === null) continue;
      const known = fields.get(none.why) ?? new Set();
      fields.set(none.why, known.add(word));
    }
  }
  if (fields.size === 0) return null;
  return (
    <ul class="reasons soft small">
      {[...fields].map(([why, words]) => <li>{[...words].join(", ")}: {why}</li>)}
    </ul>
  );
}
