/** Bodies that don't arrive: nobody without a key is listened to, and nobody for ever. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { revokeApiKey } from "../../domain/brands/keys.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { chunksOf, readBody } from "../../domain/operations/http.ts";
import { testService } from "../support/service.ts";

/** A body whose second half never comes, and whether its reader has dropped it. */
function halfSent() {
  const seen = { reads: 0, dropped: false };
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (++seen.reads > 1) return new Promise<void>(() => {});
      return controller.enqueue(new TextEncoder().encode('{"jsonrpc":"2.0",'));
    },
    cancel: () => void (seen.dropped = true),
  }, { highWaterMark: 0 });
  return { body, seen };
}

Deno.test("without a known key or session, no body is read", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const { brand } = await t.brand();
  const revoked = await t.key(brand.id, ["postsRead"]);
  await revokeApiKey(t.service, revoked.keyId);
  const strange = [null, "mq_x", secret.slice(0, -1) + (secret.endsWith("a") ? "b" : "a")];
  for (const path of ["/mcp", "/v1/creations", "/v1/nothing"]) {
    for (const key of [...strange, revoked.secret]) {
      const { body, seen } = halfSent();
      const headers = key === null ? {} : { authorization: `Bearer ${key}` };
      const answer = await t.app.request(path, { method: "POST", headers, body });
      assertEquals([answer.status, seen.reads], [401, 0], `${path} ${key}`);
    }
  }
  for (const path of ["account/password", "sign-out"]) {
    const { body, seen } = halfSent();
    const answer = await t.app.request(`/dashboard/${path}`, { method: "POST", body });
    assertEquals([answer.status, seen.reads], [303, 0], path);
  }
  for (const path of ["brands/new", `${brand.id}/settings`, `${brand.id}/create`]) {
    const { body, seen } = halfSent();
    const answer = await t.app.request(`/studio/${path}`, { method: "POST", body });
    assertEquals([answer.status, seen.reads], [401, 0], path);
  }
});

Deno.test("a body that does not arrive in time is refused and dropped, announced or not", async () => {
  for (const length of [undefined, "20000"]) {
    const { body, seen } = halfSent();
    const headers: HeadersInit = length === undefined ? {} : { "content-length": length };
    const request = new Request("http://localhost/", { method: "POST", headers, body });
    const read = () => readBody(request, { patienceMs: 20 });
    const { code } = await assertRejects(read, ServiceError, "did not arrive within 15 seconds");
    assertEquals(code, "validationError");
    assert(seen.dropped);
  }
  const small = { method: "POST", headers: { "content-length": "50" }, body: halfSent().body };
  const request = new Request("http://localhost/", small);
  await assertRejects(() => readBody(request, { patienceMs: 20 }), ServiceError, "15 seconds");
});

Deno.test("a file that stalls is given up", async () => {
  const { body, seen } = halfSent();
  const request = new Request("http://localhost/", { method: "PUT", body });
  await assertRejects(() => Array.fromAsync(chunksOf(request, () => 20)), ServiceError);
  assert(seen.dropped);
});
