/** A brand with something on every page of Studio: an account, pictures, posts, series, a cast. */
import { assertEquals } from "@std/assert";
import { connectSandboxAccount } from "../../domain/platforms/sandbox_account.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { pastPosts } from "./published.ts";
import { pass } from "./series.ts";
import type { TestService } from "./service.ts";
import { type StudioPerson, studioPerson } from "./studio.ts";

/** The last part of the address that a form leads to. */
const lastOf = (address: string): string => address.split("/").at(-1) ?? "";

export interface Furnished {
  person: StudioPerson;
  accountId: string;
  pictureId: string;
  /** A scheduled post of that picture. */
  postId: string;
  seriesId: string;
  autopilotId: string;
  memberId: string;
  /** A webhook with a test that waits. */
  webhookId: string;
  /** A post that was published elsewhere, with its numbers. */
  publishedId: string;
}

/** Everything made through Studio's own forms. */
export async function furnished(t: TestService): Promise<Furnished> {
  const person = await studioPerson(t);
  const { id: accountId } = await connectSandboxAccount(
    t.service,
    person.brand.id,
    "instagram",
    "harbour",
  );
  const made = async (path: string, fields: Record<string, string>) => {
    const { status, next, text } = await person.send(path, fields);
    assertEquals(status, 303, text);
    return next;
  };
  const ordered = await made("/create", { idea: "A harbour at dawn", variants: "1" });
  await t.worker.drain();
  const pictureId = new URL(ordered, "http://x").searchParams.get("ids") ?? "";
  const postId = lastOf(
    await made(`/pictures/${pictureId}/schedule`, {
      scheduledFor: "2026-11-24T09:00",
      caption: "Good morning",
      socialAccountId: accountId,
    }),
  );
  const common = { hourUtc: "9", socialAccountId: accountId, aspectRatio: "portrait" };
  const recipe = { name: "Cups", theme: "Coffee", format: "post", cadenceDays: "2", ...common };
  const seriesId = lastOf(await made("/series/new", { mode: "manual", ...recipe }));
  const goal = { name: "Guests", goal: "More guests", formats: "post", postsPerWeek: "3" };
  const autopilotId = lastOf(
    await made("/series/new", { mode: "autopilot", ...goal, ...common }),
  );
  await made("/cast/new", { name: "Mia", lookPrompt: "Red scarf" });
  const cast = await person.open("/library?show=cast");
  const memberId = /\/cast\/(cst_\w+|\w+_\w+)"/.exec(cast.text)?.[1] ?? "";
  await pass(t);
  await t.worker.drain();
  const past = pastPosts({ now: t.service.now(), posts: 120, days: 100 });
  await upsertPosts(t.service, person.brand.id, past);
  const table = await person.open("/insights");
  const publishedId = /\/published\/(post_\w+)"/.exec(table.text)?.[1] ?? "";
  const webhooks = await person.send("/settings/webhooks", { url: "https://hooks.invalid/a" });
  const webhookId = /\/webhooks\/(whk_\w+)"/.exec(webhooks.text)?.[1] ?? "";
  await made(`/settings/webhooks/${webhookId}/test`, {});
  return {
    ...{ person, accountId, pictureId, postId, seriesId, autopilotId, memberId, publishedId },
    webhookId,
  };
}
