/** Studio's pages on a brand with many posts: how long the server takes for each. */
import process from "node:process";
import { DAY, iso } from "../../domain/foundation/calendar.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { createApp } from "../../routes/app.ts";
import { pastPosts } from "../support/published.ts";
import { pass } from "../support/series.ts";
import { furnished } from "../support/studio_brand.ts";
import { testService } from "../support/service.ts";
import { type Bench, type Figure, percentile } from "./figure.ts";
import { noMcp, unlimited } from "./unlimited.ts";

/** What the issue asks of each page. */
const MOST_MS = 60;
const SCHEDULED_A_DAY = 3;
/** The calendar's likely posts come from every series. */
const SERIES = 8;

export const bench: Bench = async ({ quick }) => {
  const [posts, scheduled, rounds] = quick ? [200, 10, 5] : [10_000, 500, 40];
  await using t = await testService();
  const { person, pictureId, postId, seriesId, autopilotId, memberId } = await furnished(t);
  const { brand } = person;
  const now = t.service.now();
  await upsertPosts(t.service, brand.id, pastPosts({ now, posts, days: 900, readFor: 7 }));
  const { secret } = await t.key(brand.id, ["postsRead", "createRead", "createWrite"]);
  const app = createApp(unlimited(t.service), noMcp);
  const authorization = `Bearer ${secret}`;
  for (let nth = 0; nth < scheduled; nth++) {
    const body = JSON.stringify({
      creationIds: [pictureId],
      caption: `Post ${nth}`,
      scheduledFor: iso(now + DAY + nth * DAY / SCHEDULED_A_DAY),
    });
    const headers = { authorization, "content-type": "application/json" };
    const made = await app.request("/v1/items", { method: "POST", headers, body });
    if (made.status !== 201) throw new Error(await made.text());
  }
  for (let nth = 2; nth < SERIES; nth++) {
    const recipe = { name: `Series ${nth}`, theme: "Coffee", format: "post", cadenceDays: "2" };
    const fields = { mode: "manual", hourUtc: `${nth}`, socialAccountId: "", ...recipe };
    const { status, text } = await person.send("/series/new", {
      ...fields,
      aspectRatio: "portrait",
    });
    if (status !== 303) throw new Error(text);
  }
  await pass(t);
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
  for (const path of Object.values(pages).flat()) await ask(path);
  const sizes = `${posts.toLocaleString("en-US")} posts, ${scheduled} scheduled`;
  const figures: Figure[] = [];
  for (const [name, paths] of Object.entries(pages)) {
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
