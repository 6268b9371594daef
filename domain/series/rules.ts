/** What a series must be: the fields of its mode, limits between fields, what its platform takes. */
import { requireCast } from "../creations/cast.ts";
import { requireAssets } from "../creations/assets/shape.ts";
import { iso } from "../foundation/calendar.ts";
import { invalid } from "../foundation/errors.ts";
import { newId } from "../foundation/ids.ts";
import type { Commit } from "../kv/transact.ts";
import { SIZES } from "../media/images/aspect.ts";
import { feedRefusal, formatRefusal, readOnlyRefusal } from "../platforms/contract/limits.ts";
import { getSocialAccount, type SocialAccount } from "../platforms/accounts.ts";
import type { StoredSeries } from "./records.ts";
import type { SeriesChange } from "./shape.ts";

/** What a client may set. */
type SeriesFields = Omit<
  StoredSeries,
  "id" | "brandId" | "active" | "createdAt" | "deletedAt" | "slotsPlanned" | "drops"
>;

/** A new series before any field is set (DECISIONS "Series"). */
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
  needsApproval: false,
  publishDrafts: true,
};

/** A series that has just been made. */
export function newSeries(brandId: string, fields: SeriesFields, at: number): StoredSeries {
  return {
    ...fields,
    id: newId("series", at),
    brandId,
    active: true,
    createdAt: iso(at),
    deletedAt: null,
    slotsPlanned: 0,
    drops: 0,
  };
}

/**
 * `base` changed by `input`. A field that is left out keeps its value; null and `""` clear it. Fields of
 * the other mode are cleared.
 */
export function merged(base: SeriesFields, input: SeriesChange): SeriesFields {
  const next: Record<string, unknown> = {};
  for (const name of Object.keys(UNSET) as (keyof SeriesFields)[]) {
    const value = input[name];
    // A series of an earlier version lacks the newest fields.
    next[name] = value === undefined ? base[name] ?? UNSET[name] : value === "" ? null : value;
  }
  const fields = next as unknown as SeriesFields;
  if (fields.mode === "manual") {
    const none = { goal: null, maxPerWeek: null, postsPerWeek: null, creditBudgetMonthly: null };
    return { ...fields, ...none, guidance: null, formats: [] };
  }
  // A manual series has no formats, so one that becomes an autopilot gets the default.
  const formats = base.mode === "manual" && input.formats === undefined
    ? UNSET.formats
    : fields.formats;
  return { ...fields, theme: null, format: null, cadenceDays: null, formats };
}

/** Checks the fields of the mode and the limits between fields. @throws ServiceError `validationError` */
export function requireRules(fields: SeriesFields, account: SocialAccount | null): void {
  const { mode, maxPerWeek, postsPerWeek } = fields;
  for (const name of REQUIRED[mode]) {
    const value = fields[name];
    if (value === null) throw invalid(name, `is required for a series of mode ${mode}`);
    if (typeof value === "string" && !/\S/u.test(value)) {
      throw invalid(name, "must contain a character that is not white space");
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

/** Refuses what the account's platform does not take (PLATFORMS A.6, B.5, C.6). */
function requireTaken(fields: SeriesFields, { platform }: SocialAccount): void {
  const formats = fields.format === null ? fields.formats : [fields.format];
  const formatField = fields.mode === "manual" ? "format" : "formats";
  const readOnly = readOnlyRefusal(platform);
  if (readOnly !== null) throw invalid("socialAccountId", `must take posts. ${readOnly}`);
  for (const format of formats) {
    const refusal = formatRefusal(platform, format);
    if (refusal === null) continue;
    throw invalid(formatField, `must not be ${format} for this account. ${refusal}`);
  }
  if (formats.every((format) => format === "story")) return;
  const { aspectRatio } = fields;
  const refusal = feedRefusal(platform, SIZES[aspectRatio]);
  if (refusal === null) return;
  throw invalid(
    "aspectRatio",
    `must not be ${aspectRatio} for posts and carousels of this account. ${refusal}`,
  );
}

/**
 * Refuses new ids in `input` that are not this brand's. An id that `base` already has is accepted even if
 * the thing was deleted, so that a series can be sent back as it was read.
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
  if (castMemberId) await requireCast(commit, brandId, castMemberId);
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

/** Whether planned slots no longer fit, because a field by which they are planned has changed. */
export function changesPlan(before: SeriesFields, after: SeriesFields): boolean {
  return PLANNED_BY.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}
