/** How many series a brand has, and how they are listed. */
import { assertEquals } from "@std/assert";
import { AUTOPILOT, MANUAL, seriesKit } from "../support/series.ts";
import { testService } from "../support/service.ts";

Deno.test("lists are newest first, without the deleted ones, and a brand sees only its own", async () => {
  await using t = await testService();
  const { call, create } = await seriesKit(t);
  const other = await seriesKit(t);
  const theirs = await other.create();
  const [first, second, third] = [await create(), await create(AUTOPILOT), await create()];
  assertEquals((await call("DELETE", `/v1/series/${second.id}`)).status, 204);
  const ids = (await call("GET", "/v1/series")).body.data.map(({ id }: { id: string }) => id);
  assertEquals(ids, [third.id, first.id]);
  for (const id of [second.id, theirs.id]) {
    assertEquals((await call("GET", `/v1/series/${id}`)).status, 404);
    assertEquals((await call("PATCH", `/v1/series/${id}`, {})).status, 404);
    assertEquals((await call("DELETE", `/v1/series/${id}`)).status, 404);
    assertEquals((await call("POST", `/v1/series/${id}/reviews`)).status, 404);
    assertEquals((await call("POST", `/v1/series/${id}/simulate`, {})).status, 404);
  }
});

Deno.test("a brand has at most 200 series, and a deleted one makes room", async () => {
  await using t = await testService();
  const { call, create } = await seriesKit(t);
  let last = await create();
  for (let count = 1; count < 200; count++) last = await create();
  const full = await call("POST", "/v1/series", MANUAL);
  assertEquals([full.status, full.body.error.code], [400, "validationError"]);
  await call("DELETE", `/v1/series/${last.id}`);
  await create();
});
