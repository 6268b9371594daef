/** What people read in their chat, word for word: every kind of alert, and the digest. */
import { assert, assertEquals } from "@std/assert";
import { type AlertKind, creditAlert } from "../../domain/events/alerts.ts";
import { debitCredits } from "../../domain/brands/credits.ts";
import { kitKey, writeKit } from "../../domain/brands/kit.ts";
import type { Delivery } from "../../domain/events/deliveries.ts";
import type { Message } from "../../domain/events/discord.ts";
import { noteAttempt } from "../../domain/events/webhooks/deliveries.ts";
import { createWebhook } from "../../domain/events/webhooks/store.ts";
import { newId } from "../../domain/foundation/ids.ts";
import type { Service } from "../../domain/service/service.ts";
import { DAY, HOUR, iso } from "../../domain/foundation/calendar.ts";
import { listValues, transact } from "../../domain/kv/transact.ts";
import { connectSandboxAccount } from "../../domain/platforms/sandbox_account.ts";
import { PlatformError } from "../../domain/platforms/contract/wire.ts";
import { accountFault } from "../../domain/platforms/health.ts";
import { postIdsOf } from "../../domain/posts/store.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { holdSlot } from "../../domain/series/making/hold.ts";
import { composeDigest } from "../../domain/series/running/digest.ts";
import { type TestService, testService } from "../support/service.ts";
import { postOf, storeSeries, storeSlot } from "../support/stored_series.ts";

const WEBHOOK = "https://discord.com/api/webhooks/123456789012345678/a-token";

/** A brand in Berlin with a webhook and an account, at an address on the internet. */
async function inBerlin() {
  const t = await testService({
    environ: { SANDBOX: "on", SANDBOX_PUBLIC: "on", BASE_URL: "https://marquee.example" },
  });
  const { brand } = await t.brand();
  const { service } = t;
  await writeKit(service, brand.id, { baseStylePrompt: "", discordWebhookUrl: WEBHOOK });
  const { value } = await service.kv.get(kitKey(brand.id));
  await service.kv.set(kitKey(brand.id), { ...value as object, timeZone: "Europe/Berlin" });
  const account = await connectSandboxAccount(service, brand.id, "instagram", "kind_tea");
  return { t, brand, account, page: `https://marquee.example/studio/${brand.id}` };
}

/** The messages that wait for delivery, by their kind. */
async function waiting(t: TestService, brandId: string): Promise<Record<string, Message>> {
  const deliveries = await listValues<Delivery>(t.service.kv, ["delivery", brandId]);
  return Object.fromEntries(
    deliveries.map(({ id, message }) => [id.split(/[-:]/, 1)[0], message]),
  );
}

/** A webhook whose receiver wants nothing more. */
async function goneWebhook(service: Service, brandId: string): Promise<void> {
  const wanted = { url: "https://receiver.example/hook", types: [], description: "" };
  const { id: webhookId } = await createWebhook(service, brandId, wanted);
  const at = iso(service.now());
  const delivery = {
    ...{ id: newId("delivery", service.now()), eventId: newId("event", service.now()), webhookId },
    ...{ brandId, attempt: 0, status: null, error: null, at, nextAt: at, isOver: false },
  };
  const gone = { status: 410, error: "The receiver answered 410.", isGone: true };
  await transact(service.kv, (commit) => noteAttempt(service, commit, delivery, gone));
}

Deno.test("every alert says in a person's words what happened, to whom, when and what to do", async () => {
  const { t, brand, account, page } = await inBerlin();
  await using _ = t;
  const { service } = t;
  const series = await storeSeries(service, brand.id, { socialAccountId: account.id });
  const slot = await storeSlot(service, series, service.now() + DAY, { format: "carousel" });
  const told = { platform: "instagram", words: "The caption is too long" } as const;
  const claimed = { status: "publishing", socialAccountId: account.id } as const;
  const failing = await storeSlot(service, series, service.now() - HOUR, claimed);
  const forbidden = await storeSlot(service, series, service.now() - 2 * HOUR, claimed);
  await transact(service.kv, async (commit) => {
    const known = { budget: 20, credits: 4 };
    await holdSlot(service, commit, slot, { reason: "budgetSpent", known });
    await holdSlot(service, commit, failing, { reason: "refused", known: told });
    const words = "No permission. Connect the account again and allow everything it asks for.";
    const refused = { reason: "refused", known: { ...told, words }, code: "permission" } as const;
    await holdSlot(service, commit, forbidden, refused);
    await creditAlert(
      service,
      commit,
      brand,
      await debitCredits(commit, brand, t.service.now(), 1_600),
    );
  });
  const dead = new PlatformError("tokenDead", "The session has expired");
  await accountFault(service, account, "metrics", dead, null);
  const over = new PlatformError("versionOver", "Version v25.0 has ended");
  await accountFault(service, account, "metrics", over, null);

  await goneWebhook(service, brand.id);

  const golden: Record<AlertKind, Message> = {
    slotHeld: {
      title: "A scheduled post is held until you decide",
      text:
        "The carousel of Weekly on kind\\_tea (Instagram) for Saturday 21 November, 13:00 CET " +
        "is held.\nThe series' budget of 20 credits this month does not cover 4 credits more. " +
        "Raise creditBudgetMonthly or wait for the next month, then regenerate this scheduled " +
        `post.\n\n[Open the post](${page}/posts/${slot.id})`,
      fields: [],
      color: 0xe67e22,
      url: `${page}/posts/${slot.id}`,
    },
    publishFailed: {
      title: "A post could not be published",
      text: "The post of Weekly on kind\\_tea (Instagram) for Friday 20 November, 12:00 CET is " +
        "held.\nInstagram refused the post: The caption is too long. Fix that, then publish again " +
        `or skip this scheduled post.\n\n[Open the post](${page}/posts/${failing.id})`,
      fields: [],
      color: 0xc0392b,
      url: `${page}/posts/${failing.id}`,
    },
    publishForbidden: {
      title: "A post could not be published: reconnect the account",
      text: "The post of Weekly on kind\\_tea (Instagram) for Friday 20 November, 11:00 CET is " +
        "held.\nInstagram refused the post: No permission. Connect the account again and allow " +
        "everything it asks for. Fix that, then publish again or skip this scheduled post.\n\n" +
        `[Reconnect the account](${page})`,
      fields: [],
      color: 0xc0392b,
      url: page,
    },
    accountReconnect: {
      title: "Reconnect an account",
      text: "Instagram no longer accepts the sign-in of kind\\_tea: The session has expired. " +
        "Reconnect the account. Until then its posts are not read and nothing is published there; " +
        `scheduled posts wait.\n\n[Reconnect the account](${page})`,
      fields: [],
      color: 0xc0392b,
      url: page,
    },
    versionOver: {
      title: "A platform refuses the service's version of its API",
      text: "Version v25.0 has ended. The service's operator has to set a newer version of the " +
        "platform's API; Marquee then continues by itself.\n\n" +
        `[Open the brand](${page})`,
      fields: [],
      color: 0xc0392b,
      url: page,
    },
    webhookOff: {
      title: "A webhook was switched off",
      text:
        "The webhook to receiver.example was switched off. The receiver answered 410: it wants " +
        "no more events. Mend the receiver, switch the webhook on again, and replay what it has " +
        `missed.\n\n[Open the brand](${page})`,
      fields: [],
      color: 0xe67e22,
      url: page,
    },
    credits: {
      title: "Image credits are running out",
      text:
        "Test brand has used 1,600 of this month's 2,000 image credits, which is 80% or more. " +
        "When they run out, scheduled posts that need images are held. New credits come on Tuesday " +
        `1 December, 01:00 CET, or at once with a larger plan.\n\n[Open the brand](${page})`,
      fields: [],
      color: 0xf1c40f,
      url: page,
    },
  };
  assertEquals(await waiting(t, brand.id), golden);
});

Deno.test("the digest names series and accounts, local times and units, and shows the top post", async () => {
  const { t, brand, account, page } = await inBerlin();
  await using _ = t;
  const { service } = t;
  const now = service.now();
  const series = await storeSeries(service, brand.id, { socialAccountId: account.id });
  const paused = await storeSeries(service, brand.id, { name: "Paused", active: false });
  const [next, made, held] = [
    await storeSlot(service, series, now + 3 * DAY),
    await storeSlot(service, series, now + DAY, { status: "ready" }),
    await storeSlot(service, paused, now - DAY, { status: "held", error: "No *credits*. Wait." }),
  ];
  await storeSlot(service, paused, now + DAY);
  const picture = "https://cdn.example/top.jpg";
  const old = postOf("old", now - 20 * DAY, 0);
  const readings = [[-14, 100], [-7, 140], [-1, 190]].map(([day, likes = 0]) => ({
    ...old.readings[0]!,
    capturedAt: new Date(now + day! * DAY - HOUR).toISOString(),
    ...{ views: likes * 10, impressions: likes * 10, likes },
  }));
  await upsertPosts(service, brand.id, [{ ...old, readings }]);
  const compared = await composeDigest(service, brand, now);
  assert(compared!.text.includes("25% more than in the week before (40)"), compared!.text);
  const top = { ...postOf("a", now - 4 * DAY, 300), caption: "Tea [hot] at *last*\n#tea" };
  await upsertPosts(service, brand.id, [{ ...top, thumbnailUrl: picture }]);
  const [postId] = await postIdsOf(service.kv, brand.id, [top]);
  assertEquals(await composeDigest(service, brand, now), {
    title: "Test brand: 13 November to 20 November",
    text:
      "You published 1 post. In these seven days all posts earned 350 interactions from 3,500 " +
      "views.\nInteractions (likes, comments, shares and saves): 775% more than in the week " +
      "before (40).\nViews: 775% more than in the week before (400).",
    fields: [
      {
        name: "Top posts",
        value: `• [Tea hot at \\*last\\*](${page}/published/${postId}) on Instagram: 300 ` +
          "interactions from 3,000 views",
      },
      {
        name: "Scheduled",
        value:
          `• Saturday 21 November, 13:00 CET: [Weekly](${page}/posts/${made.id}) on kind\\_tea ` +
          `(Instagram), ready\n• Monday 23 November, 13:00 CET: [Weekly](${page}/posts/${next.id}) on ` +
          "kind\\_tea (Instagram), planned",
      },
      {
        name: "Held until you decide",
        value:
          `• Thursday 19 November, 13:00 CET: [Paused](${page}/posts/${held.id}): No \\*credits\\*. ` +
          "Wait.",
      },
    ],
    color: 0x5865f2,
    image: picture,
    url: page,
  });
});
