/** The door of Studio: what it makes of bodies that are no forms, and where old addresses lead. */
import { assertEquals } from "@std/assert";
import { testService } from "../support/service.ts";

Deno.test("addresses of the earlier dashboard lead to Studio", async () => {
  await using t = await testService();
  const leads = async (path: string) => (await t.request(null, path)).headers.get("location");
  assertEquals(await leads("/dashboard"), "/studio");
  assertEquals(await leads("/dashboard/brands/brd_1"), "/studio/brd_1/settings");
});

Deno.test("the bare address leads a browser to Studio and stays a 404 for programs", async () => {
  await using t = await testService();
  const browser = await t.request(null, "/", { headers: { accept: "text/html,*/*;q=0.8" } });
  assertEquals([browser.status, browser.headers.get("location")], [303, "/studio"]);
  const program = await t.request(null, "/", { headers: { accept: "*/*" } });
  assertEquals([program.status, (await program.json()).error.code], [404, "notFound"]);
});

Deno.test("a body that is not a form is refused, and a huge one is not read", async () => {
  await using t = await testService();
  const send = (body: BodyInit | null, type?: string) =>
    t.app.request("/dashboard/sign-in", {
      method: "POST",
      headers: type === undefined ? {} : { "content-type": type },
      body,
    });
  const form = new FormData();
  form.set("email", "a@example.com");
  form.set("password", "guess");
  assertEquals((await send(form)).status, 401, "a program may send either encoding");
  const broken: [BodyInit | null, string?][] = [
    [null],
    ["{}", "application/json"],
    ["email=a", "multipart/form-data"],
    ["--x\r\nbroken", "multipart/form-data; boundary=x"],
    [new Uint8Array([0x61, 0x3d, 0xff]), "application/x-www-form-urlencoded"],
    [`email=${"a".repeat(300_000)}`, "application/x-www-form-urlencoded"],
  ];
  for (const [body, type] of broken) {
    const answer = await send(body, type);
    assertEquals(answer.status, 400, type);
    assertEquals((await answer.json()).error.code, "validationError");
  }
});
