/** Searches are bounded: in length, in work, and in the time that others wait for them. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { WordSearch } from "../../domain/posts/index/search.ts";
import { Words } from "../../domain/posts/index/words.ts";
import { PostQuery } from "../../domain/posts/query.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { madePosts } from "../support/corpus.ts";
import { testService } from "../support/service.ts";

Deno.test("q takes 500 characters and 20 words, and the reference says so", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const ask = async (q: string) => {
    const answer = await t.call(secret, `/v1/posts?q=${encodeURIComponent(q)}`);
    return { status: answer.status, text: await answer.text() };
  };
  const fine = ["x".repeat(500), "🔥".repeat(500), "a ".repeat(20), ` ${" a".repeat(20)}\t\n`];
  for (const q of fine) assertEquals((await ask(q)).status, 200, q);
  const long = ["x".repeat(501), "🔥".repeat(501), "a b ".repeat(1_000)];
  for (const q of long) {
    const { status, text } = await ask(q);
    assertEquals(status, 400);
    assertStringIncludes(text, "q: must be at most 500 characters");
  }
  // The last is one character whose compatibility form is four words.
  for (const q of ["a ".repeat(21), "ﷺ".repeat(7)]) {
    const { status, text } = await ask(q);
    assertEquals(status, 400);
    assertStringIncludes(text, "q: must be at most 20 words");
  }
  const document = await (await t.app.request("/v1/openapi.json")).json();
  const { parameters } = document.paths["/v1/posts"].get;
  const q = parameters.find(({ name }: { name: string }) => name === "q");
  assertEquals(q.schema.maxLength, 500);
});

/** Notes the words that were looked for, in their order. */
class NotedWords extends Words {
  readonly searched: string[] = [];

  override find(word: string) {
    this.searched.push(word);
    return super.find(word);
  }
}

Deno.test("nothing more is searched once no post is left, nor what was searched before", () => {
  const words = new NotedWords();
  for (const text of ["red apple", "green apple", "green pear"]) words.add(text);
  const search = new WordSearch(words);
  const find = (q: string) => [...search.of(q.split(" "))(Infinity) ?? []];
  assertEquals(find("apple green"), [0b010]);
  assertEquals(words.searched.splice(0), ["apple", "green"]);
  assertEquals(find("a pear e apple p"), [0]);
  assertEquals(words.searched.splice(0), ["pear"]);
  words.add("green apple and pear");
  assertEquals(find("pear apple"), [0b1000]);
  assertEquals(words.searched, ["apple", "pear"]);
});

Deno.test("posts that change during a search are found as they are now", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const made = madePosts(3_000);
  await upsertPosts(t.service, brand.id, made);
  const index = await t.service.posts.of(brand.id);
  const q = "c o f";
  const searching = index.search(PostQuery.parse({ q }));
  const changed = made.slice(0, 50).map((post) => ({ ...post, caption: "nothing like that" }));
  const added = madePosts(20, "more").map((post) => ({ ...post, caption: "coffee at last" }));
  await upsertPosts(t.service, brand.id, changed);
  await upsertPosts(t.service, brand.id, added);
  await searching;
  const now = await t.service.posts.of(brand.id);
  const { pagination } = await now.search(PostQuery.parse({ q, perPage: 100 }));
  const hold = ({ title, caption, coverText }: typeof made[number]) =>
    ["c", "o", "f"].every((letter) =>
      `${title ?? ""} ${caption} ${coverText ?? ""}`.toLowerCase().normalize("NFKD")
        .replace(/\p{M}/gu, "").toLowerCase().includes(letter)
    );
  const all = [...changed, ...made.slice(50), ...added];
  assertEquals(pagination.total, all.filter(hold).length);
});

Deno.test("hard searches of one brand leave others and their searches their turn", async () => {
  await using t = await testService();
  const [a, b] = [await t.brand(), await t.brand()];
  await upsertPosts(t.service, a.brand.id, madePosts(8_000));
  await upsertPosts(t.service, b.brand.id, madePosts(10));
  const [hard, easy] = [await t.service.posts.of(a.brand.id), await t.service.posts.of(b.brand.id)];
  const ended: string[] = [];
  const searches = [..."aeioucnr"].map((letter) =>
    hard.search(PostQuery.parse({ q: letter })).then(() => ended.push(letter))
  );
  const other = easy.search(PostQuery.parse({ q: "coffee" })).then(() => ended.push("other"));
  await Promise.all([...searches, other]);
  assert(ended.indexOf("other") <= 1, ended.join());
});
