/** The guarded POST: says the status or why there is none, and reaches no private host. */
import { assertEquals } from "@std/assert";
import { guardedPost } from "../../domain/media/net/post_public.ts";
import { rawOrigin } from "../support/origins.ts";
import { Receiver } from "../support/receiver.ts";

const message = (more: Partial<{ body: string; signal: AbortSignal }> = {}) => ({
  headers: { "webhook-id": "evt_1" },
  body: '{"text":"Éclairs 🥐"}',
  signal: new AbortController().signal,
  ...more,
});
const PRIVATE = {
  error: "The address must be a public address; this host is in a private or reserved network.",
};

Deno.test("body and headers arrive as they are; the status is told, whatever it is", async () => {
  await using receiver = new Receiver();
  const post = guardedPost({ allowed: [receiver.host] });
  for (const status of [200, 204, 302, 410, 500]) {
    receiver.status = status;
    assertEquals(await post(receiver.url, message()), { status });
  }
  const [{ body, headers } = { body: "", headers: {} }] = receiver.received;
  assertEquals(body, message().body);
  assertEquals([headers["webhook-id"], headers["content-type"]], ["evt_1", "application/json"]);
});

Deno.test("a private host is never reached, by number or by name", async () => {
  await using receiver = new Receiver();
  const { port } = new URL(receiver.url);
  const resolve = (host: string) =>
    Promise.resolve(host === "both.example" ? ["93.184.215.14", "127.0.0.1"] : ["127.0.0.1"]);
  const post = guardedPost({ allowed: [], resolve });
  const hosts = [`127.0.0.1:${port}`, `2130706433:${port}`, `[::1]:${port}`, `in.example:${port}`];
  for (const host of [...hosts, `both.example:${port}`, "169.254.169.254"]) {
    assertEquals(await post(`http://${host}/`, message()), PRIVATE, host);
  }
  const nowhere = guardedPost({ allowed: [], resolve: () => Promise.resolve([]) });
  const error = "The address names a host that does not resolve: gone.example.";
  assertEquals(await nowhere("https://gone.example/", message()), { error });
  assertEquals(receiver.received, []);
});

Deno.test("a host that is silent, or away, is an answer, too; an abort ends the wait", async () => {
  await using silent = rawOrigin("", "hang");
  const patience = { connectMs: 5_000, wholeMs: 50 };
  const post = guardedPost({ allowed: [silent.host], patience });
  const late = { error: "The receiver did not answer within 10 seconds." };
  assertEquals(await post(`http://${silent.host}/`, message()), late);
  const abort = new AbortController();
  const patient = guardedPost({ allowed: [silent.host] });
  const aborted = patient(`http://${silent.host}/`, message({ signal: abort.signal }));
  abort.abort();
  assertEquals(await aborted, { error: "The receiver did not answer." });
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const host = `127.0.0.1:${listener.addr.port}`;
  listener.close();
  const away = guardedPost({ allowed: [host] });
  assertEquals(await away(`http://${host}/`, message()), { error: "The receiver did not answer." });
});

Deno.test("interim answers without end, and another protocol, are given up at once", async () => {
  const error = "The receiver did not answer.";
  const kinds = ["100 Continue", "103 Early Hints", "101 Switching Protocols"];
  for (const kind of kinds) {
    const head = `HTTP/1.1 ${kind}\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n`;
    await using origin = rawOrigin(head.repeat(kind.startsWith("101") ? 1 : 1_000), "hang");
    const post = guardedPost({ allowed: [origin.host] });
    assertEquals(await post(`http://${origin.host}/`, message()), { error }, kind);
  }
  const interim = "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n".repeat(3);
  await using patient = rawOrigin(`${interim}HTTP/1.1 204 No Content\r\n\r\n`, "end");
  const post = guardedPost({ allowed: [patient.host] });
  assertEquals(await post(`http://${patient.host}/`, message()), { status: 204 });
});
