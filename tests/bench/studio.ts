/** Studio's pages on a brand with many posts: how long the server takes for each. */
import process from "node:process";
import { testService } from "../support/service.ts";
import { busyBrand } from "./busy_brand.ts";
import { type Bench, type Figure, percentile } from "./figure.ts";

/** What the issue asks of each page. */
const MOST_MS = 60;

export const bench: Bench = async ({ quick, page }) => {
  const [posts, scheduled, rounds] = quick ? [200, 10, 5] : [10_000, 500, 40];
  await using t = await testService();
  const { furnished: brand, app, authorization } = await busyBrand(t, { posts, scheduled });
  const { person, pictureId, postId, seriesId, autopilotId, memberId } = brand;
  const listed = await app.request("/v1/posts?perPage=10&sort=views", {
    headers: { authorization },
  });
  const { data } = await listed.json();
  const pages: Record<string, string[]> = {
    Today: [""],
    Calendar: ["/calendar", "/calendar?view=week", "/calendar?view=list"],
    "The calendar's likely posts": ["/calendar/likely", "/calendar/likely?view=week"],
    Post: [`/posts/${postId}`],
    Create: ["/create"],
    Picture: [`/pictures/${pictureId}`],
    Library: ["/library", "/library?show=logo", "/library?show=cast", `/cast/${memberId}`],
    Insights: [
      "/insights",
      "/insights?days=90&sort=views&metric=engagement&against=usual&by=hashtag",
      "/insights?days=7&platform=instagram&by=hour&page=2",
      "/insights?from=2025-11-01&to=2026-10-31&platform=youtube&by=series",
    ],
    "A published post": data.map(({ id }: { id: string }) => `/published/${id}`),
    Series: ["/series", `/series/${seriesId}`, `/series/${autopilotId}`],
    Settings: ["/settings", "/settings/accounts", "/settings/keys", "/settings/plan"],
  };
  const ask = async (path: string) => {
    const [started, used] = [performance.now(), usedMs()];
    const answer = await app.request(person.at(path), { headers: { cookie: person.cookie } });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} was answered by ${text}`);
    // At most the processor time of this process, because others on the machine are not its fault.
    return Math.min(performance.now() - started, usedMs() - used);
  };
  // Builds the tables, loads the code, and lets the compiler see each page.
  const asked = Object.entries(pages).filter(([name]) => page === "" || name === page);
  for (const path of asked.flatMap(([, paths]) => paths)) await ask(path);
  const sizes = `${posts.toLocaleString("en-US")} posts, ${scheduled} scheduled`;
  const figures: Figure[] = [];
  for (const [name, paths] of asked) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      times.push(await ask(paths[round % paths.length]!));
    }
    figures.push({
      name: `Studio: ${name}, p95 of the server's time, ms`,
      measured: percentile(times, 0.95),
      atMost: MOST_MS,
      note: sizes,
    });
  }
  return figures;
};

function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
