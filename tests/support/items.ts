/** A brand with an account, quick pictures and a worker: what tests of scheduled posts need. */
import { assertEquals } from "@std/assert";
import { DAY, iso } from "../../domain/foundation/calendar.ts";
import { post } from "./creations.ts";
import { callTool } from "./mcp_twins.ts";
import { type Answer, pass, seriesKit, truth } from "./series.ts";
import { NOON, type TestService } from "./service.ts";
import type { Json } from "./json.ts";

/** Tuesday of the next week. */
export const TUESDAY = "2026-11-24T09:00:00.000Z";

export async function itemsKit(t: TestService) {
  const kit = await seriesKit(t);
  const { call } = kit;
  const account = await kit.connect();
  const made = async (answer: Promise<Answer>, status: number): Promise<Json> => {
    const { status: got, body } = await answer;
    assertEquals(got, status, JSON.stringify(body));
    return body;
  };
  return {
    ...kit,
    account,
    /** Ids of new, complete creations. */
    async pictures(count: number): Promise<string[]> {
      const ids: string[] = [];
      for (let n = 0; n < count; n++) ids.push((await post(t, kit.secret)).creation.id);
      await t.worker.drain();
      return ids;
    },
    /** A one-off post that is answered 201. */
    schedule: (fields: object): Promise<Json> =>
      made(call("POST", "/v1/items", { scheduledFor: TUESDAY, ...fields }), 201),
    item: (id: string): Promise<Json> => made(call("GET", `/v1/items/${id}`), 200),
    change: (id: string, fields: object) => call("PATCH", `/v1/items/${id}`, fields),
    verb: (id: string, verb: string, body?: object) =>
      call("POST", `/v1/items/${id}/${verb}`, body),
    whyOf: (id: string): Promise<Json> => made(call("GET", `/v1/items/${id}/why`), 200),
    tool: (name: string, input: object): Promise<Json> =>
      callTool({ t, secret: kit.secret }, name, { ...input }),
    /** Captions of what became public since the test began. */
    async published(): Promise<string[]> {
      return (await truth(t, "instagram", "bakery", NOON)).map(({ caption }) => caption);
    },
    /** Runs the pass at an instant. */
    async passAt(instant: string): Promise<void> {
      t.turnTo(instant);
      await pass(t);
    },
    /** ISO instant some days from now. */
    inDays: (days: number) => iso(t.service.now() + days * DAY),
  };
}

/** The machine-readable description. */
export async function openapiOf(t: TestService): Promise<Json> {
  return await (await t.request(null, "/v1/openapi.json")).json();
}
