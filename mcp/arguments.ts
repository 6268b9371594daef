/** What a tool's caller may send: other names of an id are understood, unknown names are told. */
import { invalid } from "../domain/foundation/errors.ts";
import type { Group } from "../domain/operations/groups.ts";
import type { AnyOperation } from "../domain/operations/operation.ts";

export type Arguments = Record<string, unknown>;

/** What an id of a group's things is called where it stands among other ids. */
const NAMES: Partial<Record<Group, string>> = {
  "Posts": "postId",
  "Assets": "assetId",
  "Cast members": "castMemberId",
  "Creations": "creationId",
  "Series": "seriesId",
  "Series items": "itemId",
  "Items": "itemId",
  "Organizations": "organizationId",
};

/** An argument's name, and another one that means the same. */
interface Alias {
  readonly name: string;
  readonly other: string;
}

function aliasOf({ input: { shape }, group }: AnyOperation): Alias | null {
  if ("itemId" in shape && !("id" in shape)) return { name: "itemId", other: "id" };
  const other = NAMES[group];
  if (other === undefined || !("id" in shape) || other in shape) return null;
  return { name: "id", other };
}

/**
 * The arguments by their own names.
 * @throws ServiceError `validationError` when an id comes twice and differs
 */
export function byOwnNames(operation: AnyOperation, given: Arguments): Arguments {
  const alias = aliasOf(operation);
  if (alias === null || !Object.hasOwn(given, alias.other)) return given;
  const { name, other } = alias;
  const { [other]: sent, ...rest } = given;
  if (!Object.hasOwn(rest, name)) return { ...rest, [name]: sent };
  if (rest[name] === sent) return rest;
  throw invalid(other, `differs from \`${name}\`: send one of them`);
}

/** Names in a message; a caller may send thousands. */
const MOST_NAMED = 5;

/** A sentence about arguments that the tool doesn't know, and those that may be meant; or null. */
export function unknownArguments(
  tool: string,
  operation: AnyOperation,
  given: Arguments,
): string | null {
  if (typeof given !== "object" || Array.isArray(given)) return null;
  const known = Object.keys(operation.input.shape);
  const alias = aliasOf(operation);
  const all = new Set(alias === null ? known : [...known, alias.other]);
  const unknown = Object.keys(given).filter((name) => !all.has(name));
  if (unknown.length === 0) return null;
  if (known.length === 0) return `Ignored: ${tool} takes no arguments.`;
  const told = unknown.slice(0, MOST_NAMED).map((name) =>
    `${quoted(name)} (the nearest that ${tool} takes is \`${nearest(name, known)}\`)`
  );
  const more = unknown.length - told.length;
  return `Ignored, because unknown: ${told.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

/** Characters of a name that are told and compared. */
const LONGEST_NAME = 60;

function quoted(name: string): string {
  // A name must not look like words of the answer.
  const plainly = name.slice(0, LONGEST_NAME).replaceAll(/[^\p{L}\p{N}_.$-]/gu, "?");
  return `\`${plainly}\``;
}

function nearest(name: string, known: readonly string[]): string {
  const wanted = plain(name);
  const [first = ""] = known.toSorted((a, b) =>
    distance(wanted, plain(a)) - distance(wanted, plain(b))
  );
  return first;
}

/** Without what differs by habit: case, hyphens and underscores. */
function plain(name: string): string {
  return name.slice(0, LONGEST_NAME).toLowerCase().replaceAll(/[_-]/g, "");
}

/** Characters to insert, delete or replace to turn one text into the other, as a share of the longer. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let at = 1; at <= from.length; at++) {
    const next = [at];
    for (let column = 1; column <= to.length; column++) {
      const replaced = row[column - 1]! + (from[at - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  const share = row[to.length]! / Math.max(from.length, to.length, 1);
  // "start" is nearer to "from" by letters; "post_id" holds "id" whole, which says more.
  return from.includes(to) || to.includes(from) ? Math.min(share, 0.5) : share;
}
