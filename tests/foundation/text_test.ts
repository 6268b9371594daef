/** Cutting text: never longer than allowed, and at the end of a sentence or word. */
import { assert, assertEquals } from "@std/assert";
import { count, cutAtSentence, cutAtWord, lengthOf } from "../../domain/foundation/text.ts";

Deno.test("a text that fits is unchanged, and a longer one is cut to its length in code points", () => {
  const texts = [
    "Come and see. Bring a friend.",
    "😀😀😀 😀😀😀",
    "窯を開けた。見に来て。",
    "x".repeat(40),
  ];
  for (const text of texts) {
    for (const cut of [cutAtWord, cutAtSentence]) {
      assertEquals(cut(text, lengthOf(text)), text);
      for (let length = 2; length < lengthOf(text); length++) {
        const short = cut(text, length);
        assert(lengthOf(short) <= length && short.isWellFormed(), short);
      }
    }
  }
});

Deno.test("a cut keeps whole sentences if they are half of it, else whole words and an ellipsis", () => {
  assertEquals(cutAtSentence("Come and see us. Bring a friend.", 26), "Come and see us.");
  assertEquals(cutAtSentence("窯を開けた。見に来てください。", 10), "窯を開けた。");
  assertEquals(cutAtSentence("Oh. Bring a friend to the kiln.", 26), "Oh. Bring a friend to…");
  assertEquals(cutAtWord("Come and see us. Bring a friend.", 26), "Come and see us. Bring a…");
});

Deno.test("a number agrees with its noun", () => {
  assertEquals([0, 1, 2].map((number) => count(number, "post")), ["0 posts", "1 post", "2 posts"]);
  assertEquals([1, 2].map((number) => count(number, "series")), ["1 series", "2 series"]);
});
