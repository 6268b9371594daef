/** Exports of many posts: how much memory they take while they run, and how fast they are. */
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { createApp } from "../../routes/app.ts";
import { madePosts } from "../support/corpus.ts";
import { testService } from "../support/service.ts";
import type { Bench, Figure } from "./figure.ts";
import { noMcp, unlimited } from "./unlimited.ts";

const MB = 1e6;

export const bench: Bench = async ({ quick }) => {
  const many = quick ? 2_000 : 100_000;
  await using t = await testService();
  const { brand, secret } = await t.brand();
  await upsertPosts(t.service, brand.id, madePosts(many));
  const app = createApp(unlimited(t.service), noMcp);
  const headers = { authorization: `Bearer ${secret}` };
  // Builds the index, which lists use as well.
  await (await app.request("/v1/posts?sort=views", { headers })).text();
  const figures: Figure[] = [];
  for (const name of ["posts.csv", "posts.ndjson", "readings.ndjson"]) {
    const before = Deno.memoryUsage().rss;
    const started = performance.now();
    const answer = await app.request(`/v1/${name}`, { headers });
    let [bytes, most] = [0, before];
    for await (const piece of answer.body ?? []) {
      bytes += piece.length;
      most = Math.max(most, Deno.memoryUsage().rss);
    }
    const seconds = (performance.now() - started) / 1_000;
    figures.push({
      name: `memory that ${name} of ${
        many.toLocaleString("en-US")
      } posts takes beyond the index, MB`,
      measured: (most - before) / MB,
      note: `${(bytes / MB).toFixed(1)} MB in ${seconds.toFixed(1)} s`,
    });
  }
  return figures;
};
