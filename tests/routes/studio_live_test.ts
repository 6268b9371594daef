/** The stream of a live page: it tells of changes, to people of the brand only, and not too often. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { colleague } from "../support/colleagues.ts";
import { type TestService, testService } from "../support/service.ts";
import type { StudioPerson } from "../support/studio.ts";
import { furnished } from "../support/studio_brand.ts";

/** The stream of a page that shows `since`, as text. */
class Stream implements AsyncDisposable {
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = "";

  constructor(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.#reader = body.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Reads on until the next event; null: the stream has ended. */
  async event(): Promise<string | null> {
    for (;;) {
      const found = /event: posts\ndata: (.*)\n\n/.exec(this.#text);
      if (found !== null) {
        this.#text = this.#text.slice(found.index + found[0].length);
        return found[1] ?? "";
      }
      const { done, value } = await this.#reader.read();
      if (done) return null;
      this.#text += value;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.cancel();
  }
}

async function open(t: TestService, person: StudioPerson, since: string): Promise<Response> {
  const headers = { cookie: person.cookie };
  return await t.app.request(person.at(`/live?since=${since}`), { headers });
}

async function stream(t: TestService, person: StudioPerson, since: string): Promise<Stream> {
  const answer = await open(t, person, since);
  assertEquals(answer.headers.get("content-type"), "text/event-stream; charset=utf-8");
  return new Stream(answer.body!);
}

const versionIn = (page: string): string => /data-version="([^"]+)"/.exec(page)?.[1] ?? "";

Deno.test("a page that follows the posts is told of each change once, also of one before it asked", async () => {
  await using t = await testService();
  const { person, postId } = await furnished(t);
  const page = (await person.open("")).text;
  const shown = versionIn(page);
  assertMatch(shown, /^\w+$/);
  assertStringIncludes(page, `id="tile-${postId}"`);
  await using first = await stream(t, person, shown);
  assertEquals((await person.send(`/posts/${postId}/skip`)).status, 303);
  const version = await first.event();
  assert(version !== null && version !== shown);
  assertEquals(versionIn((await person.open("/calendar")).text), version);
  await using late = await stream(t, person, shown);
  assertEquals(await late.event(), version, "what changed between page and stream is told");
  const again = await t.app.request(person.at(`/live?since=${shown}`), {
    headers: { cookie: person.cookie, "last-event-id": version },
  });
  await using resumed = new Stream(again.body!);
  const { text } = await person.open("/calendar?view=list");
  const other = /id="line-(slt_\w+)"/g.exec(text.replaceAll(postId, ""))?.[1] ?? "";
  await person.send(`/posts/${other}/skip`);
  assert(await resumed.event() !== version);
});

Deno.test("a stream ends for somebody who was removed, before it tells anything", async () => {
  await using t = await testService();
  const { person, postId } = await furnished(t);
  const viewer = await colleague(t, person, "viewer");
  await using following = await stream(t, viewer, versionIn((await viewer.open("")).text));
  const people = (await person.open("/settings/people")).text;
  const remove = /href="([^"]+\/remove)"/.exec(people)?.[1] ?? "";
  assertEquals((await person.send(remove)).status, 303);
  await person.send(`/posts/${postId}/skip`);
  assertEquals(await following.event(), null);
  assertEquals((await open(t, viewer, "x")).status, 404);
  assertEquals((await t.request(null, person.at("/live"))).status, 401);
});

Deno.test("a session has five streams at most, and those end when the service stops", async () => {
  const stopping = new AbortController();
  await using t = await testService({ dependencies: { stopping: stopping.signal } });
  const { person } = await furnished(t);
  const shown = versionIn((await person.open("")).text);
  const streams: Stream[] = [];
  for (let n = 0; n < 5; n++) streams.push(await stream(t, person, shown));
  assertEquals((await open(t, person, shown)).status, 204, "a browser asks no more");
  await streams.pop()?.[Symbol.asyncDispose]();
  streams.push(await stream(t, person, shown));
  stopping.abort();
  for (const one of streams) assertEquals(await one.event(), null);
});
