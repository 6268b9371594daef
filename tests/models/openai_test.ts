/** Images by OpenAI: the calls, against a local server with its wire format. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { silent } from "../../domain/foundation/log.ts";
import { openAiImages } from "../../domain/models/openai/images.ts";
import { sizeFor } from "../../domain/models/openai/sizes.ts";
import { post, read } from "../support/creations.ts";
import {
  OpenAiServer,
  painted,
  PICTURE,
  refused,
  runOut,
  withServer,
} from "../support/openai_server.ts";
import type { TestService } from "../support/service.ts";

Deno.test("a prompt is one call for the exact size, with the key and without SDK retries", async () => {
  await withServer(async (server, t, secret) => {
    const { creation } = await post(t, secret, { aspectRatio: "portrait" });
    await t.worker.drain();
    assertEquals((await read(t, secret, creation.id)).status, "complete");
    assertEquals(server.heard.length, 1);
    const { path, headers, fields } = server.heard[0]!;
    assertEquals(path, "/v1/images/generations");
    assertEquals(headers.get("authorization"), "Bearer sk-test");
    assertEquals(fields, {
      model: "gpt-image-2.5-flare",
      prompt: creation.prompt,
      n: 1,
      size: "1088x1360",
    });
  });
});

Deno.test("each family of models gets a size that it supports", () => {
  const story = { width: 1080, height: 1920 };
  const landscape = { width: 1536, height: 1024 };
  assertEquals(sizeFor("gpt-image-2", story), { width: 1088, height: 1920 });
  assertEquals(sizeFor("gpt-image-1.5", story), { width: 1024, height: 1536 });
  assertEquals(sizeFor("gpt-image-1", landscape), landscape);
  assertEquals(sizeFor("dall-e-3", story), { width: 1024, height: 1792 });
  assertEquals(sizeFor("stablediffusion", landscape), landscape);
});

/** Two cast photos and one inspiration image, added through the API. */
async function addPhotos(server: OpenAiServer, t: TestService, secret: string) {
  const bytes = Uint8Array.fromBase64(PICTURE);
  const kinds = ["inspiration", "castReference", "castReference"];
  const ids: string[] = [];
  for (const [at, kind] of kinds.entries()) {
    server.next(() => new Response(bytes, { headers: { "content-type": "image/jpeg" } }));
    const body = { kind, name: `Photo ${at}`, sourceUrl: `${server.url}/photos/${at}.jpg` };
    const answer = await t.call(secret, "/v1/assets", { method: "POST", body });
    assertEquals(answer.status, 201);
    ids.push((await answer.json()).id);
  }
  server.heard.length = 0;
  const member = {
    name: "Ada",
    lookPrompt: "Ada, short red hair",
    referenceAssetIds: ids.slice(1),
  };
  return await (await t.call(secret, "/v1/cast-members", { method: "POST", body: member })).json();
}

Deno.test("cast photos are sent before inspiration, and the shown prompt leaves out their explanation", async () => {
  await withServer(async (server, t, secret) => {
    const cast = await addPhotos(server, t, secret);
    const { creation } = await post(t, secret, { castMemberId: cast.id, useInspiration: true });
    await t.worker.drain();
    assertEquals((await read(t, secret, creation.id)).status, "complete");
    const [{ path, fields, files }] = server.heard as [typeof server.heard[0]];
    assertEquals(path, "/v1/images/edits");
    assertEquals(files.map(({ field }) => field), ["image[]", "image[]", "image[]"]);
    assertEquals(files.map(({ name }) => name.split("-")[0]), ["cast", "cast", "inspiration"]);
    assertEquals(creation.prompt, "Ada, short red hair\n\nA red bicycle in the rain");
    // Multipart bodies carry CRLF.
    assert(fields.prompt.replaceAll("\r\n", "\n").startsWith(creation.prompt));
    assertMatch(fields.prompt, /Images 1-2 show the same person.*Image 3 sets mood/);
  });
});

Deno.test("inspiration goes along only where it is asked for, because an edit costs more", async () => {
  await withServer(async (server, t, secret) => {
    const cast = await addPhotos(server, t, secret);
    for (const body of [{}, { useInspiration: false }, { castMemberId: cast.id }]) {
      await post(t, secret, body);
    }
    await post(t, secret, { useInspiration: true });
    await t.worker.drain();
    const sent = server.heard.map(({ files }) => files.map(({ name }) => name.split("-")[0]));
    assertEquals(sent.sort((a, b) => a.length - b.length), [
      [],
      [],
      ["inspiration"],
      ["cast", "cast"],
    ]);
  });
});

Deno.test("a server without edits gets the look in words and no more calls of edits", async () => {
  await withServer(async (server, t, secret) => {
    const cast = await addPhotos(server, t, secret);
    server.next(refused(404, { message: "no route" }));
    for (let n = 0; n < 2; n++) {
      const { creation } = await post(t, secret, { castMemberId: cast.id });
      await t.worker.drain();
      assertEquals((await read(t, secret, creation.id)).status, "complete");
    }
    assertEquals(server.heard.map(({ path }) => path.split("/").at(-1)), [
      "edits",
      "generations",
      "generations",
    ]);
    assertMatch(server.heard[1]!.fields.prompt, /^Ada, short red hair/);
  });
});

Deno.test("edits are tried again later on a server that seemed to lack them", async () => {
  await using server = new OpenAiServer(painted);
  const model = openAiImages({
    apiKey: "sk-test",
    baseUrl: `${server.url}/v1`,
    imageModel: "gpt-image-2",
    imageQuality: "auto",
    textModel: "none",
    http: fetch,
    fetchPublic: () => Promise.reject(new Error("not called")),
    log: silent,
    missingMs: 0,
  });
  const photo = {
    kind: "cast" as const,
    bytes: Uint8Array.fromBase64(PICTURE),
    contentType: "image/jpeg",
  };
  const size = { width: 1024, height: 1024 };
  const { signal } = new AbortController();
  const request = { prompt: "Ada", size, references: [photo], seed: "s", signal };
  for (const status of [404, 405, 501]) {
    server.heard.length = 0;
    server.next(refused(status, { message: "a proxy says no" }));
    await model.paint(request);
    await model.paint(request);
    assertEquals(server.heard.map(({ path }) => path.split("/").at(-1)), [
      "edits",
      "generations",
      "edits",
    ]);
  }
});

Deno.test("a server that is broken as a whole is not taken for one without edits", async () => {
  await withServer(async (server, t, secret) => {
    const cast = await addPhotos(server, t, secret);
    const gone = refused(404, { message: "no route" });
    server.next(gone, gone);
    await post(t, secret, { castMemberId: cast.id });
    await t.worker.drain();
    await post(t, secret, { castMemberId: cast.id });
    await t.worker.drain();
    assertEquals(server.heard.map(({ path }) => path.split("/").at(-1)), [
      "edits",
      "generations",
      "edits",
    ]);
  });
});

Deno.test("an answer by address is fetched", async () => {
  await withServer(async (server, t, secret) => {
    server.next(
      () => Response.json({ data: [{ url: `${server.url}/files/1.jpg` }] }),
      () => new Response(Uint8Array.fromBase64(PICTURE)),
    );
    const { creation } = await post(t, secret);
    await t.worker.drain();
    assertEquals((await read(t, secret, creation.id)).status, "complete");
    assertEquals(server.heard.at(-1)!.path, "/files/1.jpg");
  });
});

Deno.test("of an answer by address no more is read than a picture may have", async () => {
  await withServer(async (server, t, secret) => {
    let sent = 0;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent++;
            controller.enqueue(new Uint8Array(1024 * 1024));
          },
        }),
      );
    const address = () => Response.json({ data: [{ url: `${server.url}/files/1.jpg` }] });
    server.next(address, endless, address, endless);
    const { creation } = await post(t, secret);
    await runOut(t);
    const { status, error } = await read(t, secret, creation.id);
    assertEquals([status, error], [
      "failed",
      "The image model returned something unusable.",
    ]);
    assert(sent < 200, `two endless answers were read for ${sent} MiB`);
  });
});
