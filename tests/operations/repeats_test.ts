/** The links by which a repeated read is served from bytes, each one held to its object. */
import { assert, assertEquals } from "@std/assert";
import { toJson } from "../../domain/foundation/json.ts";
import { isRepeated, repeated } from "../../domain/foundation/repeats.ts";
import { perform } from "../../domain/operations/gate.ts";
import { listPosts } from "../../domain/operations/posts.ts";
import { PostQuery } from "../../domain/posts/query.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { inputReader } from "../../routes/input.ts";
import { madePosts } from "../support/corpus.ts";
import { testService } from "../support/service.ts";

const readQuery = inputReader(["GET", "/v1/posts", listPosts, 200]);

function inputOf(query: string): unknown {
  return readQuery(new Request(`http://localhost/v1/posts${query}`), {});
}

Deno.test("a query that repeats comes to the same input, page and bytes until a post changes", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  await upsertPosts(t.service, brand.id, madePosts(20));
  const { caller } = await t.service.meter.admit(secret, "nothing");
  const client = { signal: new AbortController().signal, address: null };
  const page = async (query: string) =>
    (await perform(t.service, caller, listPosts, () => inputOf(query), client)).value;

  assert(inputOf("?sort=views") === inputOf("?sort=views"));
  // Many queries are sent once, so a page is kept from its second request on.
  await page("?sort=views");
  const first = await page("?sort=views");
  const again = await page("?sort=views");
  assert(again === first);
  const bytes = toJson(first);
  assert(bytes instanceof Uint8Array);
  assert(toJson(again) === bytes);
  assert(await page("?sort=views&dir=asc") !== first);

  await upsertPosts(t.service, brand.id, madePosts(21));
  const after = await page("?sort=views");
  assert(after !== first);
  assertEquals(after.pagination.total, 21);
});

Deno.test("a query that is too long to be remembered, or was not marked, is kept by no link", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  await upsertPosts(t.service, brand.id, madePosts(5));
  const long = `?q=${"coffee ".repeat(100)}`;
  assert(inputOf(long) !== inputOf(long));
  assert(!isRepeated(inputOf(long)));
  const index = await t.service.posts.of(brand.id);
  const query = PostQuery.parse({});
  assert(index.page(query) !== index.page(query));
  const marked = repeated(query);
  index.page(marked);
  assert(index.page(marked) === index.page(marked));
});

Deno.test("answers made from the same bytes have the same body and each its own headers", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  await upsertPosts(t.service, brand.id, madePosts(5));
  const ids = new Set<string | null>();
  const bodies = new Set<string>();
  const left: (string | null)[] = [];
  for (let sent = 0; sent < 3; sent++) {
    const answer = await t.request(secret, "/v1/posts?perPage=3");
    ids.add(answer.headers.get("x-request-id"));
    left.push(answer.headers.get("x-ratelimit-remaining"));
    assertEquals(answer.headers.get("content-type"), "application/json");
    bodies.add(await answer.text());
  }
  assertEquals(ids.size, 3);
  assertEquals(bodies.size, 1);
  assertEquals(left, left.toSorted().reverse());
});
