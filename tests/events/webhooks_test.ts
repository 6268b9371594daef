/** Webhooks: signed, retried by the schedule, switched off when nothing gets through, replayed. */
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { writeKit } from "../../domain/brands/kit.ts";
import { WAITS } from "../../domain/events/webhooks/deliveries.ts";
import { DAY, HOUR, iso } from "../../domain/foundation/calendar.ts";
import { listValues } from "../../domain/kv/transact.ts";
import type { PostPublic } from "../../domain/media/net/post_public.ts";
import { type ImageModel, ModelError } from "../../domain/models/model.ts";
import { breakable, post } from "../support/creations.ts";
import { Discord } from "../support/discord.ts";
import { hooked, madePicture, verified } from "../support/hooked.ts";
import { Receiver } from "../support/receiver.ts";
import { testService } from "../support/service.ts";

Deno.test("an event reaches the webhook, and Standard Webhooks' own library accepts it", async () => {
  // The library looks at the clock of the machine.
  await using h = await hooked({ types: ["creation.completed"] }, { at: Date.now() });
  const creationId = await madePicture(h.t, h.secret);
  const [message] = h.receiver.received;
  assert(message !== undefined && h.receiver.received.length === 1);
  const event = verified(h.webhook.secret, message) as Record<string, unknown>;
  const listed = await (await h.t.call(h.secret, "/v1/events?types=creation.completed")).json();
  assertEquals(event, listed.data[0]);
  assertEquals(message.headers["webhook-id"], event["id"]);
  assertEquals((event["data"] as { creationId: string }).creationId, creationId);
  const forged = { ...message, body: message.body.replace("completed", "failed") };
  assertThrows(() => verified(h.webhook.secret, forged), Error);
  const [delivery] = await h.deliveries();
  assertEquals(delivery, {
    ...{ id: delivery!.id, eventId: String(event["id"]), attempt: 1, status: 200, error: null },
    ...{ type: "creation.completed", at: delivery!.at, nextAt: null },
  });
});

Deno.test("a receiver that fails is tried again by the schedule, then the delivery is dead", async () => {
  await using h = await hooked({ types: ["creation.completed"] });
  h.receiver.status = 500;
  await madePicture(h.t, h.secret);
  for (const [nth, wait] of WAITS.entries()) {
    assertEquals(h.receiver.received.length, nth + 1);
    const [delivery] = await h.deliveries();
    assertEquals([delivery!.attempt, delivery!.status], [nth + 1, 500]);
    assertEquals(Date.parse(delivery!.nextAt!) - Date.parse(delivery!.at), wait);
    h.t.turnTo(iso(Date.parse(delivery!.nextAt!) - 1));
    await h.t.worker.drain();
    assertEquals(h.receiver.received.length, nth + 1, "nothing comes early");
    h.t.turn(1);
    await h.t.worker.drain();
  }
  const [delivery] = await h.deliveries();
  assertEquals(
    [delivery!.attempt, delivery!.status, delivery!.error, delivery!.nextAt],
    [10, 500, "The receiver answered 500.", null],
  );
  const ids = new Set(h.receiver.received.map(({ headers }) => headers["webhook-id"]));
  assertEquals(ids.size, 1, "every try has the event's id");
  h.t.turn(30 * DAY);
  await h.t.worker.drain();
  assertEquals(h.receiver.received.length, 10);
  assertEquals(await h.t.service.jobs.list(), [], "no job is left for the operator");
});

Deno.test("a webhook that nothing reaches for 5 days is switched off, and the brand is told", async () => {
  await using discord = new Discord();
  await using h = await hooked({ types: ["creation.completed"] }, { discord });
  const kit = { baseStylePrompt: "", discordWebhookUrl: discord.url };
  await writeKit(h.t.service, h.brand.id, kit);
  h.receiver.status = 503;
  for (let days = 0; days < 5; days++) {
    await madePicture(h.t, h.secret);
    h.t.turn(DAY);
    await h.t.worker.drain();
  }
  const { body } = await h.call("GET", h.path);
  assertEquals(body.active, false);
  assertStringIncludes(body.disabledReason, "for 5 days. The last try: The receiver answered 503.");
  assertEquals(discord.posted.map(({ body }) => body.embeds[0].title), [
    "A webhook was switched off",
  ]);
  const sent = h.receiver.received.length;
  const missed = await madePicture(h.t, h.secret);
  h.t.turn(30 * HOUR);
  await h.t.worker.drain();
  assertEquals(h.receiver.received.length, sent, "nothing is sent to it any more");
  assertEquals((await h.call("POST", `${h.path}/test`)).status, 409);

  h.receiver.status = 204;
  const since = iso(Date.parse(body.disabledAt) + 1);
  const on = await h.call("PATCH", h.path, { active: true });
  assertEquals([on.body.active, on.body.disabledAt, on.body.disabledReason], [true, null, null]);
  assertEquals((await h.call("POST", `${h.path}/replay`, { since })).status, 202);
  await h.t.worker.drain();
  const replayed = h.receiver.events.slice(sent).map(({ data }) => data["creationId"]);
  assertEquals(replayed, [missed]);
});

Deno.test("a success in between starts the 5 days afresh; 410 ends at once", async () => {
  await using h = await hooked({ types: ["creation.completed"] });
  for (let days = 0; days < 8; days++) {
    h.receiver.status = days === 4 ? 200 : 500;
    await madePicture(h.t, h.secret);
    h.t.turn(DAY);
  }
  assertEquals((await h.call("GET", h.path)).body.active, true);
  h.receiver.status = 410;
  await madePicture(h.t, h.secret);
  const { body } = await h.call("GET", h.path);
  assertEquals(body.active, false);
  assertStringIncludes(body.disabledReason, "410");
});

Deno.test("a test goes to one webhook and into no feed; a replay has the event's id", async () => {
  await using h = await hooked({ types: ["creation.completed"] });
  const { status, body: delivery } = await h.call("POST", `${h.path}/test`);
  assertEquals(status, 202);
  await h.t.worker.drain();
  assertEquals(h.receiver.events.map(({ type, data }) => [type, data]), [
    ["webhook.test", { webhookId: h.webhook.id }],
  ]);
  const feed = await (await h.t.call(h.secret, "/v1/events")).json();
  assert(!feed.data.some(({ id }: { id: string }) => id === delivery.eventId));
  const after = await h.t.call(h.secret, `/v1/events?after=${delivery.eventId}`);
  assertEquals(after.status, 200);
  const again = await h.call("POST", `${h.path}/deliveries/${delivery.id}/replay`);
  assertEquals(again.status, 202);
  await h.t.worker.drain();
  assertEquals(h.receiver.events.map(({ id }) => id), [delivery.eventId, delivery.eventId]);
  assertEquals((await h.deliveries()).map(({ id }) => id).toSorted().length, 2);
});

Deno.test("types choose what is sent; without a webhook nothing is made ready to send", async () => {
  await using h = await hooked({ types: ["key.created", "creation.failed"] });
  await madePicture(h.t, h.secret);
  assertEquals(h.receiver.received.length, 0);
  assertEquals((await h.call("PATCH", h.path, { types: [] })).body.types, []);
  await madePicture(h.t, h.secret);
  assertEquals(h.receiver.events.map(({ type }) => type), ["creation.completed"]);
  assertEquals((await h.call("DELETE", h.path)).status, 204);
  await post(h.t, h.secret);
  const before = await listValues<{ kind: string }>(h.t.service.kv, ["job"]);
  assertEquals(before.map(({ kind }) => kind), ["generate"]);
  await h.t.worker.drain();
  assertEquals(h.receiver.received.length, 1);
  assertEquals((await h.call("GET", h.path)).status, 404);
});

Deno.test("redirects are not followed, and private hosts are refused", async () => {
  await using other = new Receiver();
  await using h = await hooked({ types: ["creation.completed"] });
  h.receiver.status = 307;
  h.receiver.location = other.url;
  await madePicture(h.t, h.secret);
  assertEquals((await h.deliveries())[0]!.error, "The receiver answered 307.");
  assertEquals(other.received, []);
  for (
    const url of [other.url, "http://example.com/", "ftp://example.com", "x", "https://a:b@c.d"]
  ) {
    assertEquals((await h.call("POST", "", { url })).status, 400, url);
  }
  // A host that turns out to be private is refused when it is called.
  const private_ = await h.call("POST", "", { url: "https://127.0.0.1/", types: ["key.revoked"] });
  await h.call("POST", `/${private_.body.id}/test`);
  await h.t.worker.drain();
  const { body } = await h.call("GET", `/${private_.body.id}/deliveries`);
  assertEquals(
    body.data[0].error,
    "The address must be a public address; this host is in a private or reserved network.",
  );
});

Deno.test("an address is kept as the URL standard writes it, however it is typed", async () => {
  await using h = await hooked({ types: ["creation.completed"] });
  const typed: [string, string][] = [
    ["HTTPS://Example.com", "https://example.com/"],
    ["https://EXAMPLE.com:443/a/../b?c=d e", "https://example.com/b?c=d%20e"],
    [" https://b\u00fccher.example/\n", "https://xn--bcher-kva.example/"],
    ["https:\\\\example.com\\x", "https://example.com/x"],
  ];
  for (const [url, kept] of typed) {
    const { status, body } = await h.call("POST", "", { url });
    assertEquals([status, body.url], [201, kept]);
    assertEquals((await h.call("GET", `/${body.id}`)).body.url, kept);
    const changed = await h.call("PATCH", `/${body.id}`, { url: `${kept}x` });
    assertEquals([changed.status, changed.body.url], [200, `${kept}x`]);
  }
  const wrong: [string, string][] = [
    ["https://a:b@example.com/", "url: must not hold a user name or password"],
    ["https://token@example.com/", "url: must not hold a user name or password"],
    ["https://example.com/#part", "url: must not hold a fragment: what follows a # is never sent"],
    [`https://example.com/${"é".repeat(900)}`, "url: must have at most 1000 characters"],
    ["https://example.com/#", "url: must not hold a fragment: what follows a # is never sent"],
  ];
  for (const [url, words] of wrong) {
    for (const [method, path] of [["POST", ""], ["PATCH", h.path]] as const) {
      const { status, body } = await h.call(method, path, { url });
      assertEquals([status, body.error.code], [400, "validationError"]);
      assertStringIncludes(body.error.message, words);
    }
  }
  assertEquals((await h.call("GET", h.path)).body.url, h.receiver.url);
});

Deno.test("the same address typed in another way counts as no change, so the 5 days until it is off go on", async () => {
  await using h = await hooked({ types: ["creation.completed"] });
  h.receiver.status = 500;
  for (let days = 0; days < 5; days++) {
    await madePicture(h.t, h.secret);
    h.t.turn(DAY);
    const url = h.receiver.url.replace("http:", "HTTP:").replace("/hook", "/./hook");
    assertEquals((await h.call("PATCH", h.path, { url })).status, 200);
    await h.t.worker.drain();
  }
  assertEquals((await h.call("GET", h.path)).body.active, false);
});

Deno.test("a brand has at most 10 webhooks, and no other brand's", async () => {
  await using h = await hooked();
  for (let n = 0; n < 9; n++) {
    assertEquals((await h.call("POST", "", { url: h.receiver.url })).status, 201);
  }
  const eleventh = await h.call("POST", "", { url: h.receiver.url });
  assertEquals(eleventh.status, 400);
  assertStringIncludes(eleventh.body.error.message, "at most 10 webhooks");
  const other = await h.t.brand();
  const answer = await h.t.call(other.secret, `/v1/webhooks${h.path}`);
  assertEquals(answer.status, 404);
  await answer.body?.cancel();
});

Deno.test("Slack's own webhooks get words for people, in which nothing is markup", async () => {
  const posted: { url: string; body: string }[] = [];
  const postPublic: PostPublic = (url, { body }) => {
    posted.push({ url, body });
    return Promise.resolve({ status: 200 });
  };
  const { imageModel } = breakable();
  const refusing: ImageModel = {
    ...imageModel,
    paint: () => Promise.reject(new ModelError("No <!channel> & co.", { transient: false })),
  };
  await using t = await testService({ dependencies: { postPublic, imageModel: refusing } });
  const { brand, secret } = await t.brand();
  const url = "https://hooks.slack.com/services/T0/B0/x";
  const body = { url, types: ["creation.failed"] };
  const made = await t.call(secret, "/v1/webhooks", { method: "POST", body });
  assertEquals(made.status, 201, await made.text());
  await madePicture(t, secret);
  const page = `${t.service.settings.BASE_URL}/studio/${brand.id}`;
  const words = "*An image could not be made.*\nNo &lt;!channel&gt; &amp; co.";
  assertEquals(posted.map(({ body }) => JSON.parse(body)), [
    { text: `${words}\n<${page}|Open Marquee>` },
  ]);
});
