/**
 * How a repeated read is served from bytes: `GET /v1/posts` with a query that was sent before costs
 * neither parsing nor JSON. There are five links. Each keeps its result under the object that the link
 * before returned, so all of them depend on getting that same object and not an equal one:
 *
 * 1. `routes/input.ts` and `mcp/methods.ts`: the text of a query, or of arguments → its input, `repeated`
 * 2. `operations/gate.ts`: that input → the validated input, `repeated` again
 * 3. `posts/index/post_index.ts`: the validated query → its page, from the second
 *    request until a post changes
 * 4. `foundation/json.ts`: the page → its JSON as bytes
 * 5. `operations/representation.ts`: the bytes → a response in each encoding, cloned for each answer
 *
 * Links 2 and 3 keep only what is marked `repeated`: anything else would fill them with entries that
 * nobody asks for again. A link that gets another object works as usual, only slower.
 */

declare const mark: unique symbol;

/** An object that the same request brings again; it is frozen because its readers share it. */
export type Repeated<T extends object> = Readonly<T> & { readonly [mark]: true };

const marked = new WeakSet<object>();

/** Marks an input as one that comes again as this same object. */
export function repeated<T extends object>(value: T): Repeated<T> {
  marked.add(Object.freeze(value));
  return value as Repeated<T>;
}

export function isRepeated<T>(value: T): value is T & Repeated<T & object> {
  return typeof value === "object" && value !== null && marked.has(value);
}
