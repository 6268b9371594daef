/** The painter's thread: the same images, without blocking requests. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { ImageRequest } from "../../domain/models/model.ts";
import { painter } from "../../domain/models/painter/painter.ts";
import { threadedPainter } from "../../domain/models/painter/thread.ts";

const REQUEST: ImageRequest = {
  prompt: "A red bicycle by the sea at sunset",
  size: { width: 540, height: 540 },
  references: [],
  seed: "1",
  signal: new AbortController().signal,
};

Deno.test("the thread paints the same images as the painter, several at once", async () => {
  const threaded = threadedPainter();
  const seeds = ["1", "2", "3"];
  const there = await Promise.all(seeds.map((seed) => threaded.paint({ ...REQUEST, seed })));
  for (const [at, seed] of seeds.entries()) {
    assertEquals(there[at], await painter.paint({ ...REQUEST, seed }));
  }
});

Deno.test("a painting can be cancelled, and the thread continues", async () => {
  const threaded = threadedPainter();
  const abort = new AbortController();
  const painting = threaded.paint({ ...REQUEST, signal: abort.signal });
  abort.abort(new Error("stopped"));
  await assertRejects(() => painting, Error, "stopped");
  assert((await threaded.paint(REQUEST)).bytes.length > 0);
});
