/** What both halves of the tour start from: a brand with posts, series to make, the platform's faults. */
import { assert } from "@std/assert";
import { DAY, iso } from "../../domain/foundation/calendar.ts";
import { connectSandboxAccount } from "../../domain/platforms/sandbox_account.ts";
import type { IncomingPost } from "../../domain/posts/shape.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { NOON, type TestBrand } from "./service.ts";
import type { Tour } from "./tour.ts";
import type { Json } from "./json.ts";

export const IMAGE = {
  prompt: "A red bicycle in the rain",
  idea: "A bicycle at dawn",
  aspectRatio: "square",
};
export const OVERLAY = { template: "lowerThird", text: "Ride on\nEvery day", showLogo: true };
export const DAILY = {
  name: "Daily",
  mode: "manual",
  theme: "Loaves fresh from the oven",
  format: "post",
  cadenceDays: 1,
  hourUtc: 14,
};
export const GROWTH = {
  name: "Growth",
  mode: "autopilot",
  goal: "More guests on weekdays",
  guidance: "Warm tone. No prices.",
  formats: ["post", "carousel"],
  postsPerWeek: 3,
  maxPerWeek: 5,
  creditBudgetMonthly: 100,
};

/** A post that was read a day after it came out and three days after. */
function postOf(number: number, change: Partial<IncomingPost>): IncomingPost {
  const publishedAt = NOON - number * 5 * DAY;
  const platform = change.platform ?? "instagram";
  const reading = (age: number, likes: number) => ({
    capturedAt: iso(publishedAt + age * DAY),
    views: likes * 12,
    impressions: likes * 10,
    reach: platform === "youtube" ? null : likes * 7,
    likes,
    comments: number,
    shares: 2 * number,
    saves: platform === "instagram" ? 3 : null,
    clicks: change.title == null ? null : likes % 9,
  });
  return {
    externalId: `p${number}`,
    platform,
    format: "image",
    title: null,
    url: `https://posts.example/p/${number}`,
    caption: `Caption ${number}: “bread”, \u00e9clairs & 🥐`,
    hashtags: ["bread", `day${number}`],
    thumbnailUrl: null,
    mediaUrls: [],
    publishedAt: iso(publishedAt),
    readings: [reading(1, 40 * number), reading(3, 61 * number)],
    ...change,
  };
}

const POSTS = [
  postOf(1, {
    format: "carousel",
    thumbnailUrl: "https://posts.example/1.jpg",
    mediaUrls: ["https://posts.example/1.jpg", "https://posts.example/2.jpg"],
  }),
  postOf(2, { platform: "linkedin", format: "video", title: "How we bake" }),
  postOf(3, { platform: "youtube", format: "reel", title: "Ten seconds of dough" }),
  postOf(4, { coverText: "Hidden words", hashtags: [] }),
  postOf(5, { format: "story", caption: "" }),
];

/** A brand whose account is of this id. */
export type Settled = TestBrand & { account: string };

/** A brand with posts and an Instagram account; its key calls from now on. */
export async function settle(tour: Tour, handle: string): Promise<Settled> {
  const { t } = tour;
  const made = await t.brand();
  const { id } = made.brand;
  await upsertPosts(t.service, id, POSTS);
  const account = await connectSandboxAccount(t.service, id, "instagram", handle);
  tour.secret = made.secret;
  return { ...made, account: account.id };
}

/** Puts the bytes where an upload's link says; links need no key. */
export async function put(tour: Tour, { uploadUrl }: Json, type = "image/jpeg"): Promise<number> {
  const headers = { "content-type": type };
  const init = { method: "PUT", headers, body: tour.upload };
  const answer = await tour.t.app.request(uploadUrl, init);
  await answer.body?.cancel();
  return answer.status;
}

/** Makes the platform meet the next publication with a fault. */
export async function ordered(tour: Tour, fault: string): Promise<void> {
  const body = { operation: "publish", fault, times: 1 };
  const path = "/sandbox/instagram/faults";
  const answer = await tour.t.request(null, path, { method: "POST", body });
  assert(answer.ok, await answer.text());
  await answer.body?.cancel();
}

/** The series' slot with that status. */
export function slotOf(series: Json, status: string): Json {
  const found = series.items.find((item: Json) => item.status === status);
  assert(found, `No ${status} slot`);
  return found;
}
