/** Webhooks in Studio: added, changed, tested, paused, sent again and deleted by its forms. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { EventType } from "../../domain/kv/event_types.ts";
import { DAY } from "../../domain/foundation/calendar.ts";
import { verified } from "../support/hooked.ts";
import { Receiver } from "../support/receiver.ts";
import { testService } from "../support/service.ts";
import { type StudioPerson, studioPerson } from "../support/studio.ts";

const SECRET = /whsec_[0-9A-Za-z+/=]{44}/;
const PATH = "/settings/webhooks";

async function stage(at?: number) {
  const receiver = new Receiver();
  const t = await testService({
    environ: { ALLOW_PRIVATE_HOSTS: receiver.host },
    ...(at === undefined ? {} : { at }),
  });
  const person = await studioPerson(t);
  return {
    ...{ t, person, receiver },
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

/** Adds a webhook, and returns its path and its secret. */
async function added(person: StudioPerson, fields: [string, string][]) {
  const { status, text } = await person.send(PATH, fields);
  assertEquals(status, 200, text);
  const path = new RegExp(`${PATH}/whk_\\w+`).exec(text)?.[0] ?? "";
  return { path, secret: SECRET.exec(text)?.[0] ?? "", text };
}

Deno.test("a webhook is added with the events that are chosen, and its secret is shown once", async () => {
  // Standard Webhooks' own library looks at the clock of the machine.
  await using s = await stage(Date.now());
  const { person, receiver, t } = s;
  assertStringIncludes((await person.open(PATH)).text, "No webhook yet");
  const { path, secret, text } = await added(person, [
    ...[["url", receiver.url], ["description", "The shop"]] as [string, string][],
    ...[["types", "key.created"], ["types", "item.published"]] as [string, string][],
  ]);
  assertStringIncludes(text, "It is only shown this once.");
  assertStringIncludes(text, "A post is published · A key was made");
  assertStringIncludes(text, "Nothing was sent yet.");
  for (const later of [PATH, path]) {
    assert(!SECRET.test((await person.open(later)).text), `${later} does not show it again`);
  }
  await person.send("/settings/keys", { name: "Reader", preset: "read" });
  await t.worker.drain();
  const [message] = receiver.received;
  assert(message !== undefined);
  assertEquals((verified(secret, message) as { type: string }).type, "key.created");
  const page = (await person.open(path)).text;
  assertStringIncludes(page, "<b>A key was made</b>");
  assertStringIncludes(page, "It answered 200. Tried once");
  assertStringIncludes(page, "Arrived");
  assertStringIncludes((await person.open(PATH)).text, "It answered 200.");
});

Deno.test("each type of event has its box, and a change stores what is chosen; none is all", async () => {
  await using s = await stage();
  const { person, receiver } = s;
  const { path } = await added(person, [["url", receiver.url]]);
  const page = (await person.open(path)).text;
  const boxes = [...page.matchAll(/name="types" value="([^"]+)"/g)].map(([, type]) => type);
  assertEquals(boxes.toSorted(), [...EventType.options].toSorted());
  assertStringIncludes((await person.open(PATH)).text, "All events");
  const fields = { url: `${receiver.url}/new`, description: "", types: "credits.low" };
  const saved = await person.send(path, fields);
  assertEquals(saved.status, 303, saved.text);
  const after = (await person.open(saved.next)).text;
  assertStringIncludes(after, "Saved.");
  assertMatch(after, /value="credits.low" checked/);
  assertStringIncludes(after, `value="${receiver.url}/new"`);
  const wrong = await person.send(path, { url: "http://shop.example", types: "key.revoked" });
  assertEquals(wrong.status, 400);
  assertStringIncludes(wrong.text, "Address must be an https address");
  assertStringIncludes(wrong.text, 'value="http://shop.example"');
  assertMatch(wrong.text, /value="key.revoked" checked/);
});

Deno.test("a test is sent, and a delivery or all since a time is sent again", async () => {
  await using s = await stage();
  const { person, receiver, t } = s;
  const { path } = await added(person, [["url", receiver.url]]);
  receiver.status = 500;
  await person.send(`${path}/test`);
  const waiting = (await person.open(path)).text;
  assertStringIncludes(waiting, "Not tried yet.");
  assertMatch(waiting, /hx-select="#sent"/);
  await t.worker.drain();
  const failed = (await person.open(path)).text;
  assertStringIncludes(failed, "The receiver answered 500. Tried once");
  assertStringIncludes(failed, "Tries again");
  assertStringIncludes(failed, "Failing");
  assert(!failed.includes("hx-select"), "what comes later is not waited for on the page");
  receiver.status = 200;
  const [again = ""] = /\/settings\/webhooks\/\w+\/deliveries\/\w+\/replay/.exec(failed) ?? [];
  assertEquals((await person.send(again)).status, 303);
  await t.worker.drain();
  assertEquals(receiver.events.map(({ type }) => type), ["webhook.test", "webhook.test"]);
  await person.send("/settings/keys", { name: "Reader", preset: "read" });
  await t.worker.drain();
  const since = { since: "2026-11-01T00:00" };
  const { status, next } = await person.send(`${path}/replay`, since);
  assertEquals(status, 303);
  assertStringIncludes((await person.open(next)).text, "on their way once more");
  await t.worker.drain();
  const types = receiver.events.slice(2).map(({ type }) => type);
  assertEquals(types, ["key.created", "key.created"], "a test is not sent again with the others");
  const wrong = await person.send(`${path}/replay`, { since: "yesterday" });
  assertEquals(wrong.status, 400);
  assertStringIncludes(wrong.text, "Since must be a day and a time");
  assertStringIncludes(wrong.text, `value="${receiver.url}"`);
});

Deno.test("a webhook is paused and switched on; one that is dead says why, and offers no test", async () => {
  await using s = await stage();
  const { person, receiver, t } = s;
  const { path } = await added(person, [["url", receiver.url]]);
  await person.send(`${path}/pause`);
  const paused = (await person.open(path)).text;
  assertStringIncludes(paused, "Paused");
  assert(!paused.includes(`${path}/test`), "a paused one is sent no test");
  await person.send(`${path}/resume`);
  receiver.status = 410;
  await person.send(`${path}/test`);
  await t.worker.drain();
  const dead = (await person.open(path)).text;
  assertStringIncludes(dead, "Switched off");
  assertStringIncludes(dead, "The receiver answered 410: it wants no more events.");
  assert(!dead.includes("Send again"), "nothing is sent to it again until it is on");
  assertStringIncludes((await person.open(PATH)).text, "it wants no more events.");
  const late = await person.send(`${path}/test`);
  assertEquals(late.status, 409);
  assertStringIncludes(late.text, "Switch it on first.");
  await person.send(`${path}/resume`);
  assert(!(await person.open(path)).text.includes("wants no more events.<"), "it starts afresh");
});

Deno.test("a new secret is shown once, and the page says until when the one before signs", async () => {
  await using s = await stage();
  const { person, receiver, t } = s;
  const { path, secret } = await added(person, [["url", receiver.url]]);
  const { text } = await person.send(`${path}/rotate`);
  const fresh = SECRET.exec(text)?.[0] ?? "";
  assert(fresh !== "" && fresh !== secret);
  const until = /The secret before signs as well until ([^.]+)\./.exec(text)?.[1] ?? "";
  assertMatch(until, /^\w{3} \d+ \w{3}, \d\d:\d\d$/);
  const later = (await person.open(path)).text;
  assert(!SECRET.test(later));
  assertStringIncludes(later, `signs as well until ${until}`);
  t.turn(DAY + 1);
  assert(!(await person.open(path)).text.includes(until), "afterwards it signs alone");
});

Deno.test("deleting asks first", async () => {
  await using s = await stage();
  const { person, receiver } = s;
  const { path } = await added(person, [["url", receiver.url]]);
  const asked = (await person.open(`${path}/delete`)).text;
  assertStringIncludes(asked, "Delete this webhook?");
  assertStringIncludes(asked, receiver.url);
  assertEquals((await person.send(`${path}/delete`)).status, 303);
  assertStringIncludes((await person.open(PATH)).text, "No webhook yet");
  assertEquals((await person.open(path)).status, 404);
});
