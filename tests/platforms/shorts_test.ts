/** What a Short is: by YouTube's own type, else by the file's shape, and by its length only as a guess. */
import { assert, assertEquals } from "@std/assert";
import { DAY } from "../../domain/foundation/calendar.ts";
import { findAccount } from "../../domain/platforms/sandbox/accounts.ts";
import { seededPosts } from "../../domain/platforms/sandbox/history.ts";
import type { PostDetail } from "../../domain/posts/shape.ts";
import { type Rehearsal, rehearse } from "../support/rehearsal.ts";

/** Refuses these facts from now on; returns the number of refused calls. */
function withhold(r: Rehearsal, ...facts: string[]): () => number {
  const { http } = r.service;
  let refused = 0;
  const withholding: typeof fetch = async (input, init) => {
    if (!facts.some((fact) => decodeURIComponent(String(input)).includes(fact))) {
      return await http(input, init);
    }
    refused++;
    const error = { message: "Forbidden", errors: [{ reason: "forbidden" }] };
    return Response.json({ error }, { status: 403 });
  };
  Object.assign(r.service, { http: withholding });
  return () => refused;
}

/** Post id at YouTube → what it really is. */
async function truth(r: Rehearsal): Promise<Map<string, string>> {
  const account = await findAccount(r.service.kv, "youtube", "acme");
  return new Map((await seededPosts(account!)).map(({ id, kind }) => [id, kind]));
}

const idOf = ({ url }: PostDetail) => /(?:shorts\/|v=)(.+)$/.exec(url)![1]!;

async function wrong(r: Rehearsal): Promise<string[]> {
  const kinds = await truth(r);
  const posts = await r.posts("youtube");
  assertEquals(posts.length, kinds.size);
  for (const { format, url } of posts) assertEquals(url.includes("/shorts/"), format === "reel");
  return posts.filter((post) => kinds.get(idOf(post)) !== post.format).map(idOf);
}

Deno.test("a wide video of two minutes is no Short, by YouTube's type or by the file's shape alone", async () => {
  for (const facts of [[], ["fileDetails"], ["creatorContentType"]]) {
    await using r = await rehearse();
    const asked = withhold(r, ...facts);
    await r.connect("youtube");
    assertEquals((await r.pass())["failed"], 0);
    const late = facts.includes("fileDetails") ? await wrong(r) : [];
    assertEquals(facts.length > 0, asked() > 0);
    // The newest videos have no type yet.
    r.t.turn(4 * DAY);
    assertEquals((await r.pass())["failed"], 0);
    assertEquals(await wrong(r), [], `without ${facts} (${late.length} before)`);
  }
});

Deno.test("the length is only a guess: what was known stays when neither fact can be read", async () => {
  await using r = await rehearse();
  await r.connect("youtube");
  await r.pass();
  const before = await wrong(r);
  withhold(r, "fileDetails", "creatorContentType");
  r.t.turn(DAY);
  await r.pass();
  assertEquals(await wrong(r), before);

  await using other = await rehearse();
  withhold(other, "fileDetails", "creatorContentType");
  await other.connect("youtube");
  await other.pass();
  const guessed = await wrong(other);
  const kinds = await truth(other);
  assert(guessed.length > 0 && guessed.every((id) => kinds.get(id) === "video"));
});
