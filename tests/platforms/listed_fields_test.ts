/** Instagram is asked for fields that are read, and once more for the fewest when it refuses one. */
import { assert, assertEquals } from "@std/assert";
import { HOUR } from "../../domain/foundation/calendar.ts";
import { rehearse } from "../support/rehearsal.ts";

Deno.test("a field that Instagram refuses costs neither posts nor their captions and pictures", async () => {
  await using r = await rehearse();
  const { http } = r.service;
  const asked: string[] = [];
  let refused = "";
  const refusing: typeof fetch = async (input, init) => {
    const fields = new URL(String(input)).searchParams.get("fields") ?? "";
    if (fields.includes("timestamp")) asked.push(fields);
    if (refused === "" || !fields.includes(refused)) return await http(input, init);
    const message = `(#100) Tried accessing nonexisting field (${refused}) on node type (IGMedia)`;
    return Response.json({ error: { message, code: 100 } }, { status: 400 });
  };
  Object.assign(r.service, { http: refusing });
  const account = await r.connect("instagram");
  await r.pass();
  for (const unread of ["username", "alt_text", "is_comment_enabled"]) {
    assert(asked.every((fields) => !fields.includes(unread)), unread);
  }
  const before = await r.posts("instagram");
  const of = (posts: typeof before) =>
    posts.map(({ id, caption, hashtags, mediaUrls, format, url }) =>
      JSON.stringify([id, caption, hashtags, mediaUrls, format, url])
    );
  asked.length = 0;
  refused = "caption";
  r.t.turn(HOUR);
  const report = await r.pass();
  assertEquals(report["failed"], 0);
  assert(report["readings"]! > 0);
  assertEquals((await r.again(account)).error, null);
  const after = await r.posts("instagram");
  assertEquals(
    of(after).filter((post) => post.includes("carousel")),
    of(before).filter((post) => post.includes("carousel")),
  );
  assertEquals(after.map(({ caption }) => caption), before.map(({ caption }) => caption));
  assert(after.some(({ metrics }, at) => metrics.capturedAt > before[at]!.metrics.capturedAt));
});
