/** The first minute of a service without accounts: a link with which its owner begins. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { hasOwner, makeSetUpLink, setUp } from "../../domain/brands/set_up.ts";
import { cookies, submit } from "../support/door.ts";
import { testService } from "../support/service.ts";

Deno.test("the set-up link makes the first account and brand, once, and never a second owner", async () => {
  await using t = await testService();
  assertEquals(await hasOwner(t.service), false);
  const address = `/studio/set-up/${await makeSetUpLink(t.service)}`;
  const spare = `/studio/set-up/${await makeSetUpLink(t.service)}`;
  assertStringIncludes(await (await t.request(null, address)).text(), 'name="brandName"');
  const fields = { email: "me@example.com", password: "correct horse", brandName: "Kiln" };
  const short = await submit(t, address, { ...fields, password: "short" });
  assertEquals(short.status, 400);
  assertStringIncludes(await short.text(), 'value="me@example.com"');
  const made = await submit(t, address, fields);
  assertEquals(made.status, 303);
  const page = await t.request(null, made.headers.get("location") ?? "", cookies(made));
  assertStringIncludes(await page.text(), "Four steps to your first post");
  assertEquals((await submit(t, address, fields)).status, 403, "used");
  const second = { ...fields, email: "other@example.com" };
  assertEquals((await submit(t, spare, second)).status, 403, "there is an owner now");
});

Deno.test("of two set-ups at the same time, with a link each, one makes the owner", async () => {
  await using t = await testService();
  const tokens = [await makeSetUpLink(t.service), await makeSetUpLink(t.service)];
  const outcomes = await Promise.allSettled(tokens.map((token, nth) => {
    const owner = { email: `${nth}@example.com`, password: "correct horse", brandName: "Kiln" };
    return setUp(t.service, token, owner);
  }));
  assertEquals(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
});
