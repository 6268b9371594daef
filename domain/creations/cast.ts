/** Cast members: recurring people with a look and reference photos (spec 2.8, 4.5). */
import { z } from "zod";
import { Asset, readAssets, requireAssets, showAssets } from "./assets/shape.ts";
import { iso } from "../foundation/calendar.ts";
import { invalid } from "../foundation/errors.ts";
import { newId } from "../foundation/ids.ts";
import { audit } from "../kv/audit.ts";
import { countAdded, countRemoved, liveRecords } from "../kv/live.ts";
import { type Commit, listValues, type Reader, reader, transact } from "../kv/transact.ts";
import type { Service } from "../service/service.ts";
import { optionalText, text } from "../foundation/text.ts";

export const CastMember = z.object({
  id: z.string(),
  name: z.string(),
  lookPrompt: z.string().describe(
    "Appearance text reproduced verbatim in every prompt involving the member.",
  ),
  lifestylePrompt: z.string(),
  references: z.array(Asset).describe("Reference photos, at most 4."),
  active: z.boolean().describe("True: a retired member is no longer shown."),
  createdAt: z.iso.datetime(),
}).meta({ id: "CastMember" });
export type CastMember = z.output<typeof CastMember>;

/** The cast member as it was when the creation was posted. */
export interface CastSnapshot {
  id: string;
  name: string;
  lookPrompt: string;
  lifestylePrompt: string;
  referenceAssetIds: string[];
}

interface StoredCastMember extends CastSnapshot {
  createdAt: string;
  retiredAt: string | null;
}

const LIMIT = { most: 200, plural: "cast members" };
/** Reference photos of one member. */
const MOST_REFERENCES = 4;

export const castMemberKey = (brandId: string, id: string): Deno.KvKey => [
  "castMember",
  brandId,
  id,
];
const countKey = (brandId: string): Deno.KvKey => ["castCount", brandId];

const members = liveRecords<StoredCastMember>({
  id: "castMember",
  noun: "cast member",
  key: castMemberKey,
  deletedKey: (brandId, id) => ["retiredCast", brandId, id],
  deletedAt: "retiredAt",
});

const LookPrompt = text(2_000).describe("Reproduced verbatim in every prompt.");
const LifestylePrompt = optionalText(2_000);
const ReferenceAssetIds = z.array(z.string()).max(MOST_REFERENCES)
  .refine((ids) => new Set(ids).size === ids.length, "must not name an asset twice")
  .meta({ uniqueItems: true })
  .describe("Up to 4 assets of kind `castReference`, clearest first; the order is kept.");

export const NewCastMember = z.object({
  name: text(120),
  lookPrompt: LookPrompt,
  lifestylePrompt: LifestylePrompt.default(""),
  referenceAssetIds: ReferenceAssetIds.default([]),
});
// Not `NewCastMember.partial()`: defaults would survive it and overwrite the fields that PATCH omits.
export const CastMemberChange = z.object({
  name: text(120).optional(),
  lookPrompt: LookPrompt.optional(),
  lifestylePrompt: LifestylePrompt.optional(),
  referenceAssetIds: ReferenceAssetIds.optional(),
});

type Dependencies = Pick<Service, "kv" | "now" | "storage">;
type Writing = Dependencies & Pick<Service, "by">;

/** The brand's members, newest first. */
export async function listCast(service: Dependencies, brandId: string): Promise<CastMember[]> {
  const selector = ["castMember", brandId];
  const members = await listValues<StoredCastMember>(service.kv, selector, { reverse: true });
  return await showMembers(service, brandId, members);
}

/** @throws ServiceError `validationError` for an unknown photo, or at the limit of members */
export async function addMember(
  service: Writing,
  brandId: string,
  input: z.output<typeof NewCastMember>,
): Promise<CastMember> {
  const { kv, now } = service;
  const member = await transact(kv, async (commit) => {
    await requireReferences(kv, commit, brandId, input.referenceAssetIds);
    await countAdded(commit, countKey(brandId), LIMIT);
    const at = now();
    const member: StoredCastMember = {
      id: newId("castMember", at),
      ...input,
      createdAt: iso(at),
      retiredAt: null,
    };
    commit.set(castMemberKey(brandId, member.id), member);
    audit(commit, service, { action: "castMember.created", of: brandId, subject: member.id });
    return member;
  });
  return await showMember(service, brandId, member);
}

/** @throws ServiceError `notFound` */
export async function requireMember(
  service: Dependencies,
  brandId: string,
  id: string,
): Promise<CastMember> {
  const member = await members.require(reader(service.kv), brandId, id);
  return await showMember(service, brandId, member);
}

/**
 * Changes the fields that `change` has; the others stay.
 * @throws ServiceError `notFound`, `validationError`
 */
export async function changeMember(
  service: Writing,
  brandId: string,
  id: string,
  change: z.output<typeof CastMemberChange>,
): Promise<CastMember> {
  const { kv } = service;
  const member = await transact(kv, async (commit) => {
    const stored = await members.require(commit, brandId, id);
    await requireReferences(kv, commit, brandId, change.referenceAssetIds);
    const changed: StoredCastMember = {
      ...stored,
      name: change.name ?? stored.name,
      lookPrompt: change.lookPrompt ?? stored.lookPrompt,
      lifestylePrompt: change.lifestylePrompt ?? stored.lifestylePrompt,
      referenceAssetIds: change.referenceAssetIds ?? stored.referenceAssetIds,
    };
    commit.set(castMemberKey(brandId, id), changed);
    audit(commit, service, { action: "castMember.changed", of: brandId, subject: id });
    return changed;
  });
  return await showMember(service, brandId, member);
}

/** @throws ServiceError `notFound` */
export function retireMember(
  service: Writing,
  brandId: string,
  id: string,
): Promise<void> {
  const { kv, now } = service;
  return transact(kv, async (commit) => {
    members.remove(commit, brandId, await members.require(commit, brandId, id), now());
    await countRemoved(commit, countKey(brandId));
    audit(commit, service, { action: "castMember.deleted", of: brandId, subject: id });
  });
}

/** A member as creations and prompts use it; null if there is none or it was retired. */
export async function snapshotCast(
  from: Reader,
  brandId: string,
  id: string,
): Promise<CastSnapshot | null> {
  const member = await members.read(from, brandId, id);
  if (member === null) return null;
  const { name, lookPrompt, lifestylePrompt, referenceAssetIds } = member;
  return { id, name, lookPrompt, lifestylePrompt, referenceAssetIds };
}

/**
 * The member that the input field `castMemberId` names.
 * @throws ServiceError `validationError` if there is none or it was retired
 */
export async function requireCast(
  from: Reader,
  brandId: string,
  id: string,
): Promise<CastSnapshot> {
  const cast = await snapshotCast(from, brandId, id);
  if (cast === null) throw invalid("castMemberId", `${id} is not a cast member of this brand`);
  return cast;
}

/** @throws ServiceError `validationError` for ids that are not reference photos of this brand */
async function requireReferences(
  kv: Deno.Kv,
  commit: Commit,
  brandId: string,
  ids: string[] = [],
): Promise<void> {
  const wanted = { field: "referenceAssetIds", kind: "castReference", ids } as const;
  await requireAssets(kv, commit, brandId, wanted);
}

async function showMember(
  service: Pick<Service, "kv" | "storage">,
  brandId: string,
  member: StoredCastMember,
): Promise<CastMember> {
  return shown(member, await readPhotos(service, brandId, [member]));
}

async function showMembers(
  service: Pick<Service, "kv" | "storage">,
  brandId: string,
  members: StoredCastMember[],
): Promise<CastMember[]> {
  const photos = await readPhotos(service, brandId, members);
  return members.map((member) => shown(member, photos));
}

/** Reference photos by id; deleted ones are left out. */
async function readPhotos(
  service: Pick<Service, "kv" | "storage">,
  brandId: string,
  members: StoredCastMember[],
): Promise<Map<string, Asset>> {
  const ids = new Set(members.flatMap((member) => member.referenceAssetIds));
  const live = await readAssets(service.kv, brandId, [...ids]);
  const assets = await showAssets(service, brandId, live);
  return new Map(assets.map((asset) => [asset.id, asset]));
}

function shown(member: StoredCastMember, photos: Map<string, Asset>): CastMember {
  return {
    id: member.id,
    name: member.name,
    lookPrompt: member.lookPrompt,
    lifestylePrompt: member.lifestylePrompt,
    references: member.referenceAssetIds.flatMap((id) => photos.get(id) ?? []),
    active: member.retiredAt === null,
    createdAt: member.createdAt,
  };
}
