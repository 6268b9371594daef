/** The check of events: it is left out where there are none, and finds what is lost or doubled. */
import { assertEquals, assertMatch } from "@std/assert";
import { testService } from "../support/service.ts";
import type { Books, Owner } from "./books.ts";
import { checkEvents, Receiver } from "./events.ts";
import { Known } from "./known.ts";

const EVENTS = ["creation.completed", "item.published", "item.planned"]
  .map((type, nth) => ({ id: `evt_${nth}`, type, data: { itemId: "slt_1" } }));

Deno.test("events that are lost, doubled or out of order are found; without any the check is left out", async () => {
  await using t = await testService();
  await using receiver = new Receiver();
  const owner: Owner = {
    ...{ known: new Known("brd_1", []), secret: "", accounts: [], granted: 0, counted: 0 },
  };
  await t.service.kv.set(["slot", "brd_1", "none", "slt_1"], { id: "slt_1", status: "published" });
  const found = async (listed: typeof EVENTS | null) => {
    const books: Books = {
      name: "single",
      service: t.service,
      ask: (path) => {
        if (listed === null) return Promise.resolve(new Response(null, { status: 404 }));
        const after = new URL(path, "http://x").searchParams.get("after") ?? "";
        const data = listed.filter(({ id }) => id > after || after === "").slice(0, 2);
        return Promise.resolve(Response.json({ data, nextAfter: data.at(-1)?.id ?? null }));
      },
    };
    return await checkEvents(books, [owner], receiver);
  };
  const wrong = async (listed: typeof EVENTS) =>
    (await found(listed)).flatMap((one) => one.wrong).join("\n");
  assertMatch((await found(null))[0]?.note ?? "", /skipped/);

  const deliver = async (event: object, id: string) => {
    const headers = { "webhook-id": id, "webhook-signature": "v1,x" };
    const send = () =>
      fetch(receiver.url, { method: "POST", headers, body: JSON.stringify(event) });
    let answer = await send();
    // It refuses some once.
    if (answer.status === 500) answer = await send();
    assertEquals(answer.status, 204);
  };
  for (const event of EVENTS.slice(0, 2)) await deliver(event, event.id);
  assertMatch(await wrong(EVENTS), /item.planned evt_2 of brd_1 did not arrive/);
  await deliver(EVENTS[2] ?? {}, "evt_2");
  assertEquals(await wrong(EVENTS), "");
  assertMatch(await wrong(EVENTS.filter(({ type }) => type !== "item.published")), /0 events say/);
  assertMatch(await wrong(EVENTS.with(2, { ...EVENTS[1]!, id: "evt_2" })), /2 events say/);
  await deliver({ id: "evt_9" }, "evt_2");
  assertMatch(receiver.wrong.join(), /evt_2 came with another body/);
});
