/** What the log says of webhooks: a receiver that is down is its owner's, a fault of our own is ours. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DAY } from "../../domain/foundation/calendar.ts";
import { createLog } from "../../domain/foundation/log.ts";
import type { PostPublic } from "../../domain/media/net/post_public.ts";
import { hooked, madePicture } from "../support/hooked.ts";
import { testService } from "../support/service.ts";

type Line = { level: string; event: string; error?: string; stack?: string };

function kept() {
  let text = "";
  const write = (bytes: Uint8Array) => {
    text += new TextDecoder().decode(bytes);
    return Promise.resolve(bytes.length);
  };
  const log = createLog("debug", { write }, () => 0);
  const read = async (): Promise<Line[]> => {
    await log.flush();
    return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  };
  return { log, read };
}

Deno.test("a dead webhook is one short line when it begins and one when it is switched off", async () => {
  const { log, read } = kept();
  await using h = await hooked({ types: ["creation.completed"] }, { log });
  h.receiver.status = 500;
  await madePicture(h.t, h.secret);
  await madePicture(h.t, h.secret);
  for (let days = 0; days < 6; days++) {
    h.t.turn(DAY);
    await h.t.worker.drain();
  }
  assert(h.receiver.received.length > 8, "it was tried often");
  const lines = await read();
  const loud = lines.filter(({ level }) => level !== "debug");
  const told = loud.filter(({ event }) => event.startsWith("webhook."));
  assertEquals(told.map(({ level, event, error }) => [level, event, error]), [
    ["info", "webhook.failing", "The receiver answered 500."],
    ["info", "webhook.off", "The receiver answered 500."],
  ]);
  assert(!loud.some(({ event }) => event.startsWith("job.")), "no try is told of one by one");
  assert(lines.every(({ stack }) => stack === undefined), "nothing of ours has failed");
});

Deno.test("a receiver that works again and fails again is told of again", async () => {
  const { log, read } = kept();
  await using h = await hooked({ types: ["creation.completed"] }, { log });
  for (const status of [500, 200, 503]) {
    h.receiver.status = status;
    await madePicture(h.t, h.secret);
  }
  const failing = (await read()).filter(({ event }) => event === "webhook.failing");
  assertEquals(failing.length, 2);
});

Deno.test("a fault of our own while a message is sent keeps its stack", async () => {
  const { log, read } = kept();
  const postPublic: PostPublic = () => Promise.reject(new TypeError("a slip of ours"));
  await using t = await testService({ dependencies: { log, postPublic } });
  const { secret } = await t.brand();
  await t.call(secret, "/v1/webhooks", {
    method: "POST",
    body: { url: "https://hooks.example.com/marquee" },
  });
  await madePicture(t, secret);
  const [fault] = (await read()).filter(({ event }) => event === "job.failed");
  assertEquals([fault?.level, fault?.error], ["warn", "a slip of ours"]);
  assertStringIncludes(fault?.stack ?? "", "TypeError: a slip of ours");
});
