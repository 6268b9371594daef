/** The pictures of the three state machines, the tables in the code and the matrix of requests agree. */
import { assert, assertEquals } from "@std/assert";
import { CreationStatus, move, MOVES, type StoredCreation } from "../../domain/creations/shape.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { transact } from "../../domain/kv/transact.ts";
import {
  moveAccount,
  SOCIAL_MOVES,
  type SocialAccount,
  type SocialEvent,
  SocialStatus,
} from "../../domain/platforms/accounts.ts";
import { slotKey, SlotStatus, type StoredSlot } from "../../domain/series/records.ts";
import { moveSlot, SLOT_MOVES, SlotMove } from "../../domain/series/states.ts";
import { SLOT_MATRIX, type Verb } from "../support/slot_matrix.ts";

const ROOT = new URL("../..", import.meta.url);

interface Edge {
  from: string;
  to: string;
  move: string;
}

interface Machine {
  states: readonly string[];
  moves: readonly string[];
  table: Edge[];
  /** The states to which the code really moves, sorted; null when it refuses. */
  run(from: string, move: string): Promise<string[] | null>;
  /** Whether a move that the table lacks is refused; else it changes nothing. */
  refuses: boolean;
}

const MACHINES: Record<string, Machine> = {
  creation: {
    states: CreationStatus.options,
    moves: keysOf(Object.values(MOVES)),
    table: edgesOf(MOVES),
    run: (from, name) =>
      refused(() => [move({ status: from } as StoredCreation, name as never, {}).status]),
    refuses: true,
  },
  slot: {
    states: SlotStatus.options,
    moves: SlotMove.options,
    table: edgesOf(SLOT_MOVES),
    run: (from, name) => refused(() => runSlot(from as SlotStatus, name as SlotMove)),
    refuses: true,
  },
  account: {
    states: SocialStatus.options,
    moves: Object.keys(SOCIAL_MOVES),
    table: Object.entries(SOCIAL_MOVES).flatMap(([event, row]) =>
      Object.entries(row).map(([from, to]) => ({ from, to, move: event }))
    ),
    run: (from, event) =>
      refused(() => [moveAccount({ status: from } as SocialAccount, event as SocialEvent).status]),
    refuses: false,
  },
};

type Table = Record<string, Partial<Record<string, string | readonly string[]>>>;

function edgesOf(table: Table): Edge[] {
  return Object.entries(table).flatMap(([from, row]) =>
    Object.entries(row).flatMap(([move, to = []]) =>
      [to].flat().map((each) => ({ from, to: each, move }))
    )
  );
}

function keysOf(rows: object[]): string[] {
  return [...new Set(rows.flatMap(Object.keys))];
}

async function refused(run: () => string[] | Promise<string[]>): Promise<string[] | null> {
  try {
    return (await run()).toSorted();
  } catch (error) {
    if (error instanceof ServiceError && error.code === "conflict") return null;
    throw error;
  }
}

/** Moves a stored slot, once claimed from ready and once claimed from held. */
async function runSlot(status: SlotStatus, name: SlotMove): Promise<string[]> {
  using kv = await Deno.openKv(":memory:");
  const ended: string[] = [];
  for (const from of ["ready", "held"] as const) {
    const slot = {
      id: `slt_${from}`,
      brandId: "brd_1",
      seriesId: "ser_1",
      status,
      scheduledFor: "2026-11-20T12:00:00.000Z",
      publication: { from },
      events: 0,
    } as StoredSlot;
    const key = slotKey(slot.brandId, slot.seriesId, slot.id);
    await kv.set(key, slot);
    await transact(kv, async (commit) => {
      const stored = await commit.get<StoredSlot>(key);
      assert(stored !== null);
      moveSlot(commit, stored, name, { at: 0, cause: "A test moves it." });
    });
    ended.push((await kv.get<StoredSlot>(key)).value?.status ?? "gone");
  }
  return [...new Set(ended)];
}

async function* pages(folder: URL): AsyncGenerator<URL> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory && !["node_modules", "coverage", ".git", ".data"].includes(name)) {
      yield* pages(new URL(`${name}/`, folder));
    } else if (name.endsWith(".md")) yield new URL(name, folder);
  }
}

/** The edges of the one picture that is marked `<!-- states: name -->` in any of our pages. */
async function pictureOf(name: string): Promise<Edge[]> {
  const marked = new RegExp(`<!-- states: ${name} -->\\s+\`\`\`\\w*\\n(.*?)\`\`\``, "gs");
  const found: string[] = [];
  for await (const page of pages(ROOT)) {
    const text = await Deno.readTextFile(page);
    found.push(...[...text.matchAll(marked)].map(([, picture = ""]) => picture));
  }
  assertEquals(found.length, 1, `pictures of ${name}`);
  return found.join("").split("\n").filter((line) => line.trim() !== "").flatMap(drawnBy);
}

/** `a, b ──move──▶ c ──other──▶ d`: from a and b to c, and from c to d. */
function drawnBy(line: string): Edge[] {
  // Splitting by a group keeps what it matched: states, move, states, move, states.
  const parts = line.split(/─+(\w+)─+▶/);
  assert(parts.length > 1, `what does "${line}" draw?`);
  const states = parts.filter((_, index) => index % 2 === 0).map((names) =>
    names.split(",").map((state) => state.trim())
  );
  const moves = parts.filter((_, index) => index % 2 === 1);
  return moves.flatMap((move, index) =>
    (states[index] ?? []).flatMap((from) =>
      (states[index + 1] ?? []).map((to) => ({ from, to, move }))
    )
  );
}

const named = (edges: readonly Edge[]) =>
  edges.map(({ from, to, move }) => `${from} ──${move}──▶ ${to}`).toSorted();

for (const [name, { states, moves, table, run, refuses }] of Object.entries(MACHINES)) {
  Deno.test(`the picture of the ${name}'s states has the edges of its table, and no others`, async () => {
    assertEquals(named(await pictureOf(name)), named(table));
  });

  Deno.test(`every move on every state of the ${name} does what its picture draws`, async () => {
    const picture = await pictureOf(name);
    for (const from of states) {
      for (const move of moves) {
        const drawn = picture.filter((edge) => edge.from === from && edge.move === move)
          .map(({ to }) => to).toSorted();
        const expected = drawn.length > 0 ? drawn : refuses ? null : [from];
        assertEquals(await run(from, move), expected, `${from}: ${move}`);
      }
    }
  });
}

Deno.test("the matrix of requests on slots allows what the table allows, and leads where it leads", () => {
  assertEquals(Object.keys(SLOT_MATRIX).toSorted(), SlotStatus.options.toSorted());
  for (const from of SlotStatus.options) {
    for (const [verb, [answered, after]] of Object.entries(SLOT_MATRIX[from])) {
      const to = SLOT_MOVES[from][verb as Verb];
      assertEquals(
        answered === 409,
        to === undefined,
        `${verb} on ${from} is answered ${answered}`,
      );
      // A publish request waits for the work that its move begins.
      const ended = to === "publishing" ? SLOT_MOVES.publishing.published : to ?? from;
      assertEquals(after, ended, `${verb} on ${from}`);
    }
  }
});
