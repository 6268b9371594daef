/** What a series must be: the mode's own fields, the limits between fields, what platforms take. */
import { snapshotCast } from "../cast.ts";
import { requireAssets } from "../assets/shape.ts";
import { invalid } from "../errors.ts";
import type { Commit } from "../kv.ts";
import { NO_STORIES, PUBLISH_LIMITS, READ_ONLY } from "../platforms/limits.ts";
import { getSocialAccount, type SocialAccount } from "../social.ts";
import type { SeriesFormat } from "./format.ts";
import type { StoredSeries } from "./records.ts";
import type { SeriesChange } from "./shape.ts";

/** What a client may set. */
export type SeriesFields = Omit<
  StoredSeries,
  "id" | "brandId" | "active" | "createdAt" | "deletedAt" | "slotsPlanned" | "drops"
>;

/** A series of which nothing was said yet (DECISIONS "Series"). */
export const UNSET: SeriesFields = {
  name: "",
  mode: "manual",
  theme: null,
  goal: null,
  guidance: null,
  caption: null,
  format: null,
  formats: ["post"],
  aspectRatio: "portrait",
  cadenceDays: null,
  hourUtc: 9,
  maxPerWeek: null,
  postsPerWeek: null,
  creditBudgetMonthly: null,
  castMemberId: null,
  inspirationAssetIds: [],
  overlay: null,
  socialAccountId: null,
};

/** `base` with what `input` says: left out keeps, null and `""` clear, the other mode's fields go. */
export function merged(base: SeriesFields, input: SeriesChange): SeriesFields {
  const next: Record<string, unknown> = {};
  for (const name of Object.keys(UNSET) as (keyof SeriesFields)[]) {
    const value = input[name];
    next[name] = value === undefined ? base[name] : value === "" ? null : value;
  }
  const fields = next as unknown as SeriesFields;
  if (fields.mode === "manual") {
    const none = { goal: null, maxPerWeek: null, postsPerWeek: null, creditBudgetMonthly: null };
    return { ...fields, ...none, guidance: null, formats: [] };
  }
  // A manual series has no formats; one that becomes an autopilot starts from the default.
  const formats = base.mode === "manual" && input.formats === undefined
    ? UNSET.formats
    : fields.formats;
  return { ...fields, theme: null, format: null, cadenceDays: null, formats };
}

/** The mode's own fields and the limits between fields. @throws ServiceError `validationError` */
export function requireRules(fields: SeriesFields, account: SocialAccount | null): void {
  const { mode, maxPerWeek, postsPerWeek } = fields;
  for (const name of REQUIRED[mode]) {
    const value = fields[name];
    if (value === null) throw invalid(name, `is required for a series of mode ${mode}`);
    if (typeof value === "string" && !/\S/u.test(value)) {
      throw invalid(name, "must hold a character that is not white space");
    }
  }
  if (mode === "autopilot" && fields.formats.length === 0) {
    throw invalid("formats", "must have at least 1 entry for a series of mode autopilot");
  }
  if (maxPerWeek !== null && postsPerWeek !== null && postsPerWeek > maxPerWeek) {
    throw invalid("postsPerWeek", `must not be above maxPerWeek, which is ${maxPerWeek}`);
  }
  if (account !== null) requireTaken(fields, account);
}

const REQUIRED = {
  manual: ["theme", "format", "cadenceDays"],
  autopilot: ["goal"],
} as const satisfies Record<SeriesFields["mode"], (keyof SeriesFields)[]>;

/** What the account's platform does not take (PLATFORMS A.6, B.5, C.6). */
function requireTaken(fields: SeriesFields, { platform }: SocialAccount): void {
  const formats: SeriesFormat[] = fields.mode === "manual" ? [fields.format!] : fields.formats;
  const formatField = fields.mode === "manual" ? "format" : "formats";
  const limits = PUBLISH_LIMITS[platform];
  if (limits === null) throw invalid("socialAccountId", `must take posts. ${READ_ONLY}`);
  if (!limits.story && formats.includes("story")) {
    throw invalid(formatField, `must not be story for this account. ${NO_STORIES}`);
  }
  const inFeed = formats.some((format) => format !== "story");
  if (platform === "instagram" && fields.aspectRatio === "story" && inFeed) {
    throw invalid(
      "aspectRatio",
      "must not be story for posts and carousels on Instagram: its feed takes 4:5 at the tallest",
    );
  }
}

/**
 * Refuses new ids in `input` that are not this brand's. Those that `base` has may be gone by now: a
 * series that is sent back as it was read is no fault.
 * @throws ServiceError `validationError`
 */
export async function requireOwnIds(
  kv: Deno.Kv,
  commit: Commit,
  brandId: string,
  base: SeriesFields,
  input: SeriesChange,
): Promise<void> {
  const fresh = (id: string | null | undefined, before: string | null) => id === before ? null : id;
  const castMemberId = fresh(input.castMemberId, base.castMemberId);
  const socialAccountId = fresh(input.socialAccountId, base.socialAccountId);
  const ids = input.inspirationAssetIds?.filter((id) => !base.inspirationAssetIds.includes(id));
  if (castMemberId && await snapshotCast(commit, brandId, castMemberId) === null) {
    throw invalid("castMemberId", `${castMemberId} is no cast member of this brand`);
  }
  if (socialAccountId && await getSocialAccount(commit, brandId, socialAccountId) === null) {
    throw invalid("socialAccountId", `${socialAccountId} is no connected account of this brand`);
  }
  const moods = { kind: "inspiration", ids: ids ?? [] } as const;
  await requireAssets(kv, commit, brandId, { field: "inspirationAssetIds", ...moods });
}

const PLANNED_BY = [
  "mode",
  "cadenceDays",
  "postsPerWeek",
  "maxPerWeek",
  "hourUtc",
  "theme",
  "goal",
  "format",
  "formats",
  "socialAccountId",
] as const satisfies (keyof SeriesFields)[];

/** Whether planned slots no longer fit: cadence, hour, theme, goal, formats or account changed. */
export function changesPlan(before: SeriesFields, after: SeriesFields): boolean {
  return PLANNED_BY.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}
