/** A few of the bench's worlds: wide bounds, which a strategist that is broken misses by far. */
import { assert } from "@std/assert";
import { type Life, live, type World } from "../bench/worlds.ts";

const lives = (count: number, world: Omit<World, "kind" | "seed">): Life[] =>
  Array.from({ length: count }, (_, at) => live({ ...world, kind: "gate", seed: `gate ${at}` }));

Deno.test("where one direction earns 30 % more, it gets most posts in the end", () => {
  const all = lives(5, { noise: 0.25, lift: 0.3 });
  const mean = (of: (life: Life) => number) => all.reduce((sum, life) => sum + of(life), 0) / 5;
  assert(mean(({ regret }) => regret) < 0.6, `regret ${mean(({ regret }) => regret)}`);
  assert(mean(({ share }) => share) > 0.6, `share ${mean(({ share }) => share)}`);
});

Deno.test("where nothing differs, growth of 8 % a week passes for no merit", () => {
  const claims = lives(4, { noise: 0.37, growth: 0.08 }).filter(({ pushed, dropped }) =>
    pushed || dropped
  );
  assert(claims.length <= 1, `${claims.length} of 4 worlds`);
});
