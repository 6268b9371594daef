/** What only the service's operator can put right at a platform, for `/healthz`. */
import { DAY, dayOf, iso } from "../foundation/calendar.ts";
import { getEach, transact } from "../kv/transact.ts";
import { Platform } from "../posts/shape.ts";
import type { Service } from "../service/service.ts";
import { TRAITS } from "./contract/traits.ts";

/** Written when a platform refuses the version of its API with which the service calls. */
interface VersionOver {
  version: string;
  since: string;
  /** The platform's words. */
  message: string;
}

/** The end of a version is told this long before. */
const TOLD_BEFORE = 45 * DAY;

const versionKey = (platform: Platform): Deno.KvKey => ["operatorNote", "apiVersion", platform];

export function versionOf(settings: Service["settings"], platform: Platform): string {
  return String(settings[TRAITS[platform].settings.version]);
}

/** Notes that the platform refuses the version in the settings. */
export async function noteVersionOver(
  { kv, now, settings, log }: Pick<Service, "kv" | "now" | "settings" | "log">,
  platform: Platform,
  message: string,
): Promise<void> {
  const version = versionOf(settings, platform);
  const isNew = await transact(kv, async (commit) => {
    const known = await commit.get<VersionOver>(versionKey(platform));
    if (known?.version === version) return false;
    commit.set(
      versionKey(platform),
      { version, since: iso(now()), message } satisfies VersionOver,
    );
    return true;
  });
  if (isNew) log.error("platform.versionOver", { platform, version, message });
}

/** Removes the note once the platform has answered. */
export async function clearVersionOver(
  { kv }: Pick<Service, "kv">,
  platform: Platform,
): Promise<void> {
  if ((await kv.get(versionKey(platform))).value === null) return;
  await transact(kv, (commit) => commit.delete(versionKey(platform)));
}

/** A line for each thing that the operator has to do; empty when there is none. */
export async function operatorNotes(
  { kv, now, settings }: Pick<Service, "kv" | "now" | "settings">,
): Promise<string[]> {
  const notes = await getEach<VersionOver>(kv, Platform.options.map(versionKey));
  return Platform.options.flatMap((platform, at) => {
    const note = notes[at];
    // A note about a version that the settings no longer name is done with.
    const isOver = note != null && note.version === versionOf(settings, platform);
    return isOver ? refusedVersion(platform, note) : endingSoon(settings, platform, now());
  });
}

function refusedVersion(platform: Platform, { version, since }: VersionOver): string[] {
  const { name, settings: names } = TRAITS[platform];
  return [
    `${name} has refused ${names.version} ${version} since ${since}, so nothing is read or ` +
    `published there. Set ${names.version} to a newer version.`,
  ];
}

function endingSoon(settings: Service["settings"], platform: Platform, at: number): string[] {
  const { versionEnd, settings: names } = TRAITS[platform];
  // Without an application nothing is called.
  if (versionEnd === null || settings[names.clientId] === undefined) return [];
  const version = versionOf(settings, platform);
  const end = versionEnd(version);
  if (at < end - TOLD_BEFORE) return [];
  const verb = at < end ? "ends" : "ended";
  return [`${names.version} ${version} ${verb} on ${dayOf(end)}. Set a newer version.`];
}
