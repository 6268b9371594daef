/** Records the examples of the reference: what is sent and answered when one brand's story is performed. */
import { assert, assertEquals } from "@std/assert";
import { Scope } from "../../domain/brands/keys.ts";
import { type Example, type Examples, EXAMPLES_FILE, type Refusal } from "../../routes/examples.ts";
import { TABLE } from "../../routes/table.ts";
import { openTour, type Tour } from "./tour.ts";
import type { Json } from "./json.ts";

interface Sent {
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  /** Jobs run while the answer is waited for. */
  working?: boolean;
}

/** Calls rows by their name, `GET /v1/posts/{id}`, and keeps the first that works and what is refused. */
export class ExampleRecorder {
  readonly tour: Tour;
  readonly examples: Examples = {};
  /** A row that works, to be sent without a key and without its scope. */
  readonly #sent = new Map<string, Sent>();

  constructor(tour: Tour) {
    this.tour = tour;
  }

  /** A call that must work: the row's example. Answers its body. */
  async done(row: string, sent: Sent = {}): Promise<Json> {
    const { status, headers, body } = await this.#call(row, sent);
    assert(status < 300, `${row} is refused: ${JSON.stringify(body)}`);
    assert(this.examples[row] === undefined, `${row} has two examples`);
    const { working: _, ...request } = sent;
    const told = headers["location"] === undefined ? {} : { location: headers["location"] };
    this.examples[row] = this.#named(
      { request, status, ...told, ...body === undefined ? {} : { answer: body }, refusals: [] },
    );
    this.#sent.set(row, sent);
    return body;
  }

  /** A call that must be refused, by another reason than the key. */
  async refused(row: string, sent: Sent): Promise<void> {
    const { status, body } = await this.#call(row, sent);
    assert(status >= 400, `${row} is not refused: ${JSON.stringify(body)}`);
    this.#keep(row, { status, ...body.error });
  }

  /** What comes beside the story: no key, a key without the scope, an id of nothing. */
  async gate(brandId: string): Promise<void> {
    const { secret, t } = this.tour;
    const keys = new Map<string, string>();
    for (const [verb, path, { scopes }] of TABLE) {
      const row = `${verb} ${path}`;
      const sent = this.#sent.get(row);
      assert(sent, `${row} has no example: add a call to tests/support/example_story.ts`);
      if (path.includes("{") && this.#refusalsOf(row).every(({ code }) => code !== "notFound")) {
        const id = path.includes("{itemId}")
          ? "itemId"
          : path.includes("{reviewId}")
          ? "reviewId"
          : "id";
        await this.refused(row, { ...sent, path: { ...sent.path, [id]: "unknown" } });
      }
      this.tour.secret = null;
      await this.refused(row, sent);
      const others = Scope.options.filter((scope) => !scopes.includes(scope));
      if (others.length > 0) {
        const known = keys.get(others.join()) ?? (await t.key(brandId, others)).secret;
        keys.set(others.join(), known);
        this.tour.secret = known;
        await this.refused(row, sent);
      }
      this.tour.secret = secret;
    }
  }

  #refusalsOf(row: string): Refusal[] {
    return this.examples[row]?.refusals ?? [];
  }

  #keep(row: string, refusal: Refusal): void {
    const example = this.examples[row];
    assert(example, `${row} is refused before it has worked`);
    const isNew = example.refusals.every(({ code }) => code !== refusal.code);
    if (isNew) example.refusals.push(this.#named(refusal));
  }

  async #call(row: string, { path = {}, query = {}, headers, body, working = false }: Sent) {
    const filled = row.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? "unknown");
    const asked = new URLSearchParams(query).toString();
    const call = asked === "" ? filled : `${filled}?${asked}`;
    const got = await this.tour.rest(call, {
      ...body === undefined ? {} : { body },
      ...headers === undefined ? {} : { headers },
      working,
    });
    const entry = this.tour.entries.at(-1) as { status: number; headers: Record<string, string> };
    return { status: entry.status, headers: entry.headers, body: got };
  }

  #named<T>(value: T): T {
    // Texts by themselves first: within JSON, an id after a line's end does not begin a word.
    const named = JSON.stringify(
      value,
      (_, inner) => typeof inner === "string" ? this.tour.named(inner) : inner,
    );
    return JSON.parse(plausible(this.tour.named(named)));
  }
}

/** Gives what the tour numbers, because it differs from run to run, the look of the real thing. */
function plausible(text: string): string {
  return text
    .replaceAll(
      /\b(\w+)_#(\d+)/g,
      (_, kind: string, n: string) =>
        kind === "file"
          ? digits("0123456789abcdef", 40, `${kind}${n}`)
          : `${kind}_01KA${digits("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 22, `${kind}${n}`)}`,
    )
    .replaceAll('"mq_#"', '"mq_4f7Qd2"')
    .replaceAll('"whsec_#"', '"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"')
    .replaceAll('"size":"#"', '"size":248113')
    .replaceAll(/size=#(&expires=\d+&signature=)#/g, "size=248113$1q0Zr6uJ4kq1pX9sYb3w");
}

/** Digits that look drawn, and are the same for the same seed. */
function digits(alphabet: string, length: number, seed: string): string {
  let state = 2_166_136_261;
  for (const char of seed) state = Math.imul(state ^ char.charCodeAt(0), 16_777_619);
  let drawn = "";
  while (drawn.length < length) {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9 | 0;
    drawn += alphabet[(state >>> 8) % alphabet.length];
  }
  return drawn;
}

/** Performs a story from its start, and answers the examples that it gives, in the table's order. */
export async function performed(
  story: (recorder: ExampleRecorder) => Promise<string>,
): Promise<Examples> {
  await using tour = await openTour();
  const recorder = new ExampleRecorder(tour);
  await recorder.gate(await story(recorder));
  const rows = TABLE.map(([verb, path]) => `${verb} ${path}`);
  assertEquals(Object.keys(recorder.examples).toSorted(), rows.toSorted());
  return Object.fromEntries(rows.map((row) => [row, recorder.examples[row] as Example]));
}

export const write = (examples: Examples) =>
  Deno.writeTextFile(EXAMPLES_FILE, `${JSON.stringify(examples, null, 1)}\n`);
