/** What a brand's posts usually have at equal age, as the mean logarithm of like posts. */
import { turns } from "./slices.ts";
import { EQUAL_AGE_AT, formatOf, type InsightTable, KINDS, platformOf, STORY } from "./table.ts";

/** Posts between two looks at the time. */
const LOOK_EVERY = 512;
/** Fewer posts are no usual. */
export const FEWEST = 5;

/** Which posts are alike: those of the platform and format, all of the platform, or all. */
export type Likeness = "kind" | "platform" | "brand";

/** Posts whose engagement at equal age is known. */
export interface Compared {
  rows: Uint32Array;
  /** How far each is from its usual: log(engagement + 1) less that of like posts; NaN: it has none. */
  logs: Float64Array;
}

/**
 * All posts whose engagement at 48 hours is known, against their usual. By `kind`, a format with fewer
 * than 5 posts is compared with all formats of its platform. Stories live for a day and earn in other
 * ways, so they are only ever compared with stories; by `platform` and `brand` they have no usual.
 */
export async function againstUsual(
  table: InsightTable,
  platform: number | null,
  likeness: Likeness,
): Promise<Compared> {
  const turn = turns();
  const { size } = table;
  const rows = new Uint32Array(size);
  const logs = new Float64Array(size);
  const sums = new Float64Array(KINDS);
  const counts = new Uint32Array(KINDS);
  let found = 0;
  for (let row = 0; row < size; row++) {
    if (row % LOOK_EVERY === 0) await turn();
    const value = table.at(row, EQUAL_AGE_AT);
    const kind = table.kinds.at(row);
    const isMeant = platform === null || platformOf(kind) === platform;
    if (!isMeant || Number.isNaN(value)) continue;
    const log = Math.log1p(value);
    rows[found] = row;
    logs[found++] = log;
    sums[kind]! += log;
    counts[kind]!++;
  }
  const usual = usualOfKinds(sums, counts, likeness);
  for (let at = 0; at < found; at++) {
    if (at % LOOK_EVERY === 0) await turn();
    logs[at]! -= usual[table.kinds.at(rows[at]!)]!;
  }
  return { rows: rows.subarray(0, found), logs: logs.subarray(0, found) };
}

/** Kind → the mean of the posts that count as like it; NaN if they are too few. */
function usualOfKinds(
  sums: Float64Array,
  counts: Uint32Array,
  likeness: Likeness,
): Float64Array {
  const isStory = (kind: number) => formatOf(kind) === STORY;
  const meanOf = (isLike: (kind: number) => boolean) => {
    let [sum, count] = [0, 0];
    for (let kind = 0; kind < KINDS; kind++) {
      if (!isLike(kind)) continue;
      sum += sums[kind]!;
      count += counts[kind]!;
    }
    return count < FEWEST ? NaN : sum / count;
  };
  return Float64Array.from({ length: KINDS }, (_, kind) => {
    const ofPlatform = (other: number) => platformOf(other) === platformOf(kind) && !isStory(other);
    if (likeness === "kind" && counts[kind]! >= FEWEST) return sums[kind]! / counts[kind]!;
    if (isStory(kind)) return NaN;
    return meanOf(likeness === "brand" ? (other) => !isStory(other) : ofPlatform);
  });
}
