/** A call that waits is answered only while its key still works; so is a stream of Studio. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { createApiKey, revokeApiKey } from "../../domain/brands/keys.ts";
import { HOUR, iso } from "../../domain/foundation/calendar.ts";
import { SYSTEM } from "../../domain/kv/audit.ts";
import { post } from "../support/creations.ts";
import { served } from "../support/oauth.ts";
import { studioPerson } from "../support/studio.ts";

/** A service at a real address, and a promise that resolves when a call has begun to wait. */
async function stage() {
  const kv = await Deno.openKv(":memory:");
  const { promise: waits, resolve } = Promise.withResolvers<void>();
  const watch = kv.watch.bind(kv);
  kv.watch = <T extends readonly unknown[]>(
    keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
  ) => {
    resolve();
    return watch<T>(keys);
  };
  const s = await served({ kv });
  return { s, t: s.t, waits };
}

const call = (url: string, path: string, secret: string) =>
  fetch(url + path, { headers: { authorization: `Bearer ${secret}` } });

Deno.test("a call that waits for events is refused when its key is revoked, and gets no page", async () => {
  const { s, t, waits } = await stage();
  await using _ = s;
  const { brand } = await t.brand();
  const { secret, keyId } = await t.key(brand.id, ["postsRead"]);
  const { nextAfter } = await (await call(s.url, "/v1/events", secret)).json();
  const waiting = call(s.url, `/v1/events?wait=60&after=${nextAfter}`, secret);
  await waits;
  await revokeApiKey({ ...t.service, by: SYSTEM }, keyId);
  const answer = await waiting;
  assertEquals(answer.status, 401);
  const text = await answer.text();
  assertStringIncludes(text, "revoked or has expired meanwhile");
  for (const told of ["evt_", keyId]) assertEquals(text.includes(told), false, told);
});

Deno.test("another key's revocation ends no wait: it is told", async () => {
  const { s, t, waits } = await stage();
  await using _ = s;
  const { brand, secret } = await t.brand();
  const { keyId } = await t.key(brand.id, ["postsRead"]);
  const { nextAfter } = await (await call(s.url, "/v1/events", secret)).json();
  const waiting = call(s.url, `/v1/events?wait=60&after=${nextAfter}`, secret);
  await waits;
  await revokeApiKey({ ...t.service, by: SYSTEM }, keyId);
  const { data } = await (await waiting).json();
  assertEquals(data.map(({ type }: { type: string }) => type), ["key.revoked"]);
});

Deno.test("a call that waits for a picture is refused when its key has ended", async () => {
  const { s, t, waits } = await stage();
  await using _ = s;
  const { brand, secret } = await t.brand();
  const { creation } = await post(t, secret);
  const expiresAt = iso(t.service.now() + HOUR);
  const wanted = { brandId: brand.id, name: "short", scopes: ["createRead" as const], expiresAt };
  const short = await createApiKey(t.service, wanted);
  const waiting = call(s.url, `/v1/creations/${creation.id}?wait=60`, short.secret);
  await waits;
  t.turn(HOUR);
  await t.worker.drain();
  const answer = await waiting;
  assertEquals(answer.status, 401);
  await answer.body?.cancel();
});

Deno.test("a stream of Studio ends with the session, before it tells anything", async () => {
  const { s, t } = await stage();
  await using _ = s;
  const person = await studioPerson(t);
  const { secret } = await t.key(person.brand.id, ["createRead", "createWrite"]);
  const answer = await fetch(s.url + person.at("/live?since=none"), {
    headers: { cookie: person.cookie },
  });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("event: posts")) text += (await reader.read()).value ?? "";
  const told = text.length;
  await person.send("/dashboard/sign-out");
  const { creation } = await post(t, secret);
  await t.worker.drain();
  await t.call(secret, "/v1/items", { method: "POST", body: { creationIds: [creation.id] } });
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  assertEquals(text.slice(told).includes("event: posts"), false, text);
});
