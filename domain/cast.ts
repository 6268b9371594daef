/** Cast members: recurring people with a look and reference photos (spec 2.8, 4.5). */
import { z } from "zod";
import { Asset, readAssets, requireAssets, showAssets } from "./assets/shape.ts";
import { iso } from "./calendar.ts";
import type { CastSnapshot } from "./creations/shape.ts";
import { notFound, ServiceError } from "./errors.ts";
import { isId, newId } from "./ids.ts";
import { type Commit, listValues, transact } from "./kv.ts";
import { operation } from "./operation.ts";
import type { Service } from "./service.ts";
import { optionalText, text } from "./text.ts";

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

interface StoredCastMember extends CastSnapshot {
  createdAt: string;
  retiredAt: string | null;
}

/** Live cast members a brand may have. */
const MOST = 200;
/** Reference photos of one member. */
const MOST_REFERENCES = 4;

const liveKey = (brandId: string, id: string): Deno.KvKey => ["castMember", brandId, id];
// Retired members lie apart, so that lists never wade through them; nothing of the service reads them.
const retiredKey = (brandId: string, id: string): Deno.KvKey => ["retiredCast", brandId, id];
const countKey = (brandId: string): Deno.KvKey => ["castCount", brandId];

const LookPrompt = text(2_000).describe("Reproduced verbatim in every prompt.");
const LifestylePrompt = optionalText(2_000);
const ReferenceAssetIds = z.array(z.string()).max(MOST_REFERENCES)
  .refine((ids) => new Set(ids).size === ids.length, "must not name an asset twice")
  .describe("Up to 4 assets of kind `castReference`, clearest first; the order is kept.");

const NewCastMember = z.object({
  name: text(120),
  lookPrompt: LookPrompt,
  lifestylePrompt: LifestylePrompt.default(""),
  referenceAssetIds: ReferenceAssetIds.default([]),
});
// Declared apart: a default would survive `.partial()` and overwrite what PATCH leaves out.
const CastMemberChange = z.object({
  name: text(120).optional(),
  lookPrompt: LookPrompt.optional(),
  lifestylePrompt: LifestylePrompt.optional(),
  referenceAssetIds: ReferenceAssetIds.optional(),
});

export const listCastMembers = operation({
  id: "listCastMembers",
  group: "Cast members",
  summary: "List the brand's cast members, newest first.",
  scopes: ["createRead"],
  costs: "request",
  errors: [],
  input: z.object({}),
  output: z.object({ data: z.array(CastMember) }),
  run: async (service) => {
    const { kv, brand } = service;
    const members = await listValues<StoredCastMember>(kv, ["castMember", brand.id], {
      reverse: true,
    });
    return { data: await showMembers(service, brand.id, members) };
  },
});

export const createCastMember = operation({
  id: "createCastMember",
  group: "Cast members",
  summary: "Add a cast member.",
  scopes: ["createWrite"],
  costs: "request",
  errors: [],
  input: NewCastMember,
  output: CastMember,
  run: async (service, input) => {
    const { kv, brand, now } = service;
    const member = await transact(kv, async (commit) => {
      await requireReferences(kv, commit, brand.id, input.referenceAssetIds);
      const count = await commit.get<number>(countKey(brand.id)) ?? 0;
      if (count >= MOST) {
        throw new ServiceError(
          "validationError",
          `A brand may have ${MOST} cast members; delete one first.`,
        );
      }
      const at = now();
      const member: StoredCastMember = {
        id: newId("castMember", at),
        ...input,
        createdAt: iso(at),
        retiredAt: null,
      };
      commit.set(liveKey(brand.id, member.id), member);
      commit.set(countKey(brand.id), count + 1);
      return member;
    });
    return await showMember(service, brand.id, member);
  },
});

export const getCastMember = operation({
  id: "getCastMember",
  group: "Cast members",
  summary: "Read one cast member.",
  scopes: ["createRead"],
  costs: "request",
  errors: ["notFound"],
  input: z.object({ id: z.string() }),
  output: CastMember,
  run: async (service, { id }) => {
    const member = await readLive(service.kv, service.brand.id, id);
    if (member === null) throw notFound("cast member");
    return await showMember(service, service.brand.id, member);
  },
});

export const updateCastMember = operation({
  id: "updateCastMember",
  group: "Cast members",
  summary: "Change a cast member; what is left out stays as it is.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["notFound"],
  input: CastMemberChange.extend({ id: z.string() }),
  output: CastMember,
  run: async (service, { id, ...change }) => {
    const { kv, brand } = service;
    const member = await transact(kv, async (commit) => {
      const stored = await requireLive(commit, brand.id, id);
      await requireReferences(kv, commit, brand.id, change.referenceAssetIds);
      const changed: StoredCastMember = {
        ...stored,
        name: change.name ?? stored.name,
        lookPrompt: change.lookPrompt ?? stored.lookPrompt,
        lifestylePrompt: change.lifestylePrompt ?? stored.lifestylePrompt,
        referenceAssetIds: change.referenceAssetIds ?? stored.referenceAssetIds,
      };
      commit.set(liveKey(brand.id, id), changed);
      return changed;
    });
    return await showMember(service, brand.id, member);
  },
});

export const deleteCastMember = operation({
  id: "deleteCastMember",
  group: "Cast members",
  summary: "Retire a cast member.",
  description: "Past creations keep their snapshot; a series that pointed at the member falls " +
    "back to its own inspiration set.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["notFound"],
  input: z.object({ id: z.string() }),
  output: null,
  run: ({ kv, brand, now }, { id }) =>
    transact(kv, async (commit) => {
      const member = await requireLive(commit, brand.id, id);
      const count = await commit.get<number>(countKey(brand.id)) ?? 1;
      commit.delete(liveKey(brand.id, id));
      commit.set(retiredKey(brand.id, id), { ...member, retiredAt: iso(now()) });
      commit.set(countKey(brand.id), count - 1);
    }),
});

/** What a creation or a prompt needs of a live member, as a read of `commit`; null: none such. */
export async function snapshotCast(
  commit: Pick<Commit, "get">,
  brandId: string,
  id: string,
): Promise<CastSnapshot | null> {
  if (!isId("castMember", id)) return null;
  const member = await commit.get<StoredCastMember>(liveKey(brandId, id));
  if (member === null) return null;
  const { name, lookPrompt, lifestylePrompt, referenceAssetIds } = member;
  return { id, name, lookPrompt, lifestylePrompt, referenceAssetIds };
}

async function readLive(kv: Deno.Kv, brandId: string, id: string) {
  if (!isId("castMember", id)) return null;
  return (await kv.get<StoredCastMember>(liveKey(brandId, id))).value;
}

async function requireLive(commit: Commit, brandId: string, id: string) {
  const member = isId("castMember", id)
    ? await commit.get<StoredCastMember>(liveKey(brandId, id))
    : null;
  if (member === null) throw notFound("cast member");
  return member;
}

/** Refuses what is no photo for a member. @throws ServiceError `validationError` */
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
  return (await showMembers(service, brandId, [member]))[0]!;
}

/** Retired assets drop out of the references. */
async function showMembers(
  service: Pick<Service, "kv" | "storage">,
  brandId: string,
  members: StoredCastMember[],
): Promise<CastMember[]> {
  const ids = new Set(members.flatMap((member) => member.referenceAssetIds));
  const live = await readAssets(service.kv, brandId, [...ids]);
  const shown = await showAssets(service, brandId, live);
  const byId = new Map<string, Asset>(shown.map((asset) => [asset.id, asset]));
  return members.map((member) => ({
    id: member.id,
    name: member.name,
    lookPrompt: member.lookPrompt,
    lifestylePrompt: member.lifestylePrompt,
    references: member.referenceAssetIds.flatMap((id) => byId.get(id) ?? []),
    active: member.retiredAt === null,
    createdAt: member.createdAt,
  }));
}
