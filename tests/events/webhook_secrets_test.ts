/** The secrets of webhooks: two sign after a rotation, and the store has them sealed only. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { requireWebhook, signingSecrets } from "../../domain/events/webhooks/store.ts";
import { DAY } from "../../domain/foundation/calendar.ts";
import { createSecrets } from "../../domain/foundation/secrets.ts";
import { reader } from "../../domain/kv/transact.ts";
import { resealAll, secretStatus } from "../../domain/platforms/sealed.ts";
import { hooked, madePicture, verified } from "../support/hooked.ts";

Deno.test("after a rotation both secrets verify for a day, then the new one only", async () => {
  await using h = await hooked({}, { at: Date.now() });
  const rotated = await h.call("POST", `${h.path}/rotate`);
  assertEquals(rotated.status, 200);
  assertMatch(rotated.body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  await madePicture(h.t, h.secret);
  const [message] = h.receiver.received;
  verified(h.webhook.secret, message!);
  verified(rotated.body.secret, message!);
  h.t.turn(DAY);
  await madePicture(h.t, h.secret);
  assertMatch(message!.headers["webhook-signature"]!, /^v1,\S+ v1,\S+$/);
  assertMatch(h.receiver.received.at(-1)!.headers["webhook-signature"]!, /^v1,\S+$/);
});

Deno.test("a second rotation ends no secret early, and a webhook signs with five at most", async () => {
  await using h = await hooked({}, { at: Date.now() });
  const known = [h.webhook.secret];
  for (let n = 0; n < 2; n++) known.push((await h.call("POST", `${h.path}/rotate`)).body.secret);
  await madePicture(h.t, h.secret);
  for (const secret of known) verified(secret, h.receiver.received.at(-1)!);
  h.t.turn(DAY / 2);
  for (let n = 0; n < 9; n++) await h.call("POST", `${h.path}/rotate`);
  await madePicture(h.t, h.secret);
  const signatures = h.receiver.received.at(-1)!.headers["webhook-signature"]!.split(" ");
  assertEquals(signatures.length, 5);
  h.t.turn(DAY);
  await madePicture(h.t, h.secret);
  assertMatch(h.receiver.received.at(-1)!.headers["webhook-signature"]!, /^v1,\S+$/);
});

Deno.test("secrets are sealed in the store, also in the answer kept for an Idempotency-Key", async () => {
  await using h = await hooked();
  const headers = { "idempotency-key": "once" };
  const body = { url: h.receiver.url };
  const make = () => h.t.call(h.secret, "/v1/webhooks", { method: "POST", body, headers });
  const first = await (await make()).json();
  const again = await make();
  assertEquals(again.headers.get("idempotent-replayed"), "true");
  assertEquals(await again.json(), first);
  for await (const { key, value } of h.t.service.kv.list({ prefix: [] })) {
    const text = JSON.stringify(value, (_, one) => typeof one === "bigint" ? String(one) : one);
    for (const { secret } of [h.webhook, first]) {
      assert(!text?.includes(secret.slice("whsec_".length)), key.join(" "));
    }
  }
  const shown = await h.call("GET", h.path);
  assertEquals(Object.hasOwn(shown.body, "secret"), false);
});

Deno.test("a new SECRET_KEY seals the webhooks' secrets again, those before a rotation, too", async () => {
  await using h = await hooked();
  const between = (await h.call("POST", `${h.path}/rotate`)).body;
  const rotated = (await h.call("POST", `${h.path}/rotate`)).body;
  const { kv, log, settings, now } = h.t.service;
  const secrets = await createSecrets("another secret, long enough too", settings.SECRET_KEY);
  assertEquals((await secretStatus({ kv, secrets })).sealed, {
    ...{ current: 0, previous: 1, unreadable: 0 },
  });
  await resealAll({ kv, secrets, log }, new AbortController().signal, () => Promise.resolve());
  assertEquals((await secretStatus({ kv, secrets })).sealed, {
    ...{ current: 1, previous: 0, unreadable: 0 },
  });
  const stored = await requireWebhook(reader(kv), h.brand.id, h.webhook.id);
  const alone = await createSecrets("another secret, long enough too");
  const opened = await signingSecrets(alone, stored, now());
  assertEquals(opened, [rotated.secret, between.secret, h.webhook.secret]);
});
