/** A brand with many published and many scheduled posts, and Studio without limits to look at it. */
import type { Hono } from "hono";
import { DAY, iso } from "../../domain/foundation/calendar.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { createApp } from "../../routes/app.ts";
import type { AppEnv } from "../../routes/request.ts";
import { pastPosts } from "../support/published.ts";
import { pass } from "../support/series.ts";
import type { TestService } from "../support/service.ts";
import { type Furnished, furnished } from "../support/studio_brand.ts";
import { noMcp, unlimited } from "./unlimited.ts";

const SCHEDULED_A_DAY = 3;
/** The calendar's likely posts come from every series. */
const SERIES = 8;

export interface BusyBrand {
  furnished: Furnished;
  app: Hono<AppEnv>;
  /** Header of a key of the brand. */
  authorization: string;
}

export async function busyBrand(
  t: TestService,
  { posts, scheduled }: { posts: number; scheduled: number },
): Promise<BusyBrand> {
  const brand = await furnished(t);
  const { person, pictureId } = brand;
  const { id } = person.brand;
  const now = t.service.now();
  await upsertPosts(t.service, id, pastPosts({ now, posts, days: 900, readFor: 7 }));
  const { secret } = await t.key(id, ["postsRead", "createRead", "createWrite"]);
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
    const { status, text } = await person.send("/series/new", {
      ...{ mode: "manual", hourUtc: `${nth}`, socialAccountId: "", aspectRatio: "portrait" },
      ...recipe,
    });
    if (status !== 303) throw new Error(text);
  }
  await pass(t);
  return { furnished: brand, app, authorization };
}
