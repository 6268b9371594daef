/** Cast members (spec 2.8, 4.5), and prompts with them. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { completePrompt } from "../../domain/creations/prompts.ts";
import { post, read } from "../support/creations.ts";
import { OpenAiServer, PICTURE } from "../support/openai_server.ts";
import { type TestService, testService } from "../support/service.ts";

const LOOK = "Ada: short red hair, freckles,\ngreen coat";

async function create(t: TestService, secret: string, change: object = {}) {
  const body = { name: "Ada", lookPrompt: LOOK, referenceAssetIds: [], ...change };
  const answer = await t.call(secret, "/v1/cast-members", { method: "POST", body });
  return { status: answer.status, member: await answer.json() };
}

async function patch(t: TestService, secret: string, id: string, body: object) {
  const answer = await t.call(secret, `/v1/cast-members/${id}`, { method: "PATCH", body });
  return { status: answer.status, member: await answer.json() };
}

async function withPhotos(
  kinds: string[],
  body: (t: TestService, secret: string, ids: string[]) => Promise<void>,
): Promise<void> {
  const bytes = Uint8Array.fromBase64(PICTURE);
  await using server = new OpenAiServer(() => new Response(bytes));
  const environ = { ALLOW_PRIVATE_HOSTS: server.environ.ALLOW_PRIVATE_HOSTS };
  await using t = await testService({ environ });
  const { secret } = await t.brand();
  const ids: string[] = [];
  for (const kind of kinds) {
    const asset = { kind, name: kind, sourceUrl: `${server.url}/photo.jpg` };
    const answer = await t.call(secret, "/v1/assets", { method: "POST", body: asset });
    ids.push((await answer.json()).id);
  }
  await body(t, secret, ids);
}

Deno.test("a member is created, listed newest first, read and retired", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const { status, member } = await create(t, secret);
  assertEquals(status, 201);
  assertEquals({ ...member, id: "", createdAt: "" }, {
    id: "",
    name: "Ada",
    lookPrompt: LOOK,
    lifestylePrompt: "",
    references: [],
    active: true,
    createdAt: "",
  });
  const path = `/v1/cast-members/${member.id}`;
  assertEquals(await (await t.call(secret, path)).json(), member);
  const second = (await create(t, secret, { name: "Bo" })).member;
  const { data } = await (await t.call(secret, "/v1/cast-members")).json();
  assertEquals(data, [second, member]);

  assertEquals((await t.call(secret, path, { method: "DELETE" })).status, 204);
  for (const verb of ["GET", "DELETE"]) {
    assertEquals((await t.call(secret, path, { method: verb })).status, 404);
  }
  assertEquals((await patch(t, secret, member.id, {})).status, 404);
  assertEquals((await (await t.call(secret, "/v1/cast-members")).json()).data, [second]);
});

Deno.test("PATCH keeps the stored value of every omitted field", async () => {
  await withPhotos(["castReference", "castReference"], async (t, secret, ids) => {
    const full = { lifestylePrompt: "Cycles to work", referenceAssetIds: ids };
    const { member } = await create(t, secret, full);
    assertEquals((await patch(t, secret, member.id, {})).member, member);
    const renamed = (await patch(t, secret, member.id, { name: "Ada L." })).member;
    assertEquals(renamed, { ...member, name: "Ada L." });
    const cleared = { lifestylePrompt: "", referenceAssetIds: [] };
    const { member: last } = await patch(t, secret, member.id, cleared);
    assertEquals(last, { ...renamed, lifestylePrompt: "", references: [] });
    assertEquals((await patch(t, secret, member.id, { lookPrompt: "" })).status, 400);
  });
});

Deno.test("references are at most 4 photos of kind castReference of this brand, in order", async () => {
  const kinds = [...Array(5).fill("castReference"), "inspiration"];
  await withPhotos(kinds, async (t, secret, ids) => {
    const [a, b, c, d, e, mood] = ids as [string, string, string, string, string, string];
    const { member } = await create(t, secret, { referenceAssetIds: [d, a, c, b] });
    assertEquals(member.references.map(({ id }: { id: string }) => id), [d, a, c, b]);
    const refusals = [[a, b, c, d, e], [a, a], [mood], ["ast_00000000000000000000000000"], ["x"]];
    for (const referenceAssetIds of refusals) {
      for (
        const answer of [
          await create(t, secret, { referenceAssetIds }),
          await patch(t, secret, member.id, { referenceAssetIds }),
        ]
      ) {
        assertEquals(answer.status, 400);
        assertMatch(answer.member.error.message, /^referenceAssetIds: /);
      }
    }
    const other = await t.brand();
    assertEquals((await create(t, other.secret, { referenceAssetIds: [a] })).status, 400);

    await t.call(secret, `/v1/assets/${a}`, { method: "DELETE" });
    const left = await (await t.call(secret, `/v1/cast-members/${member.id}`)).json();
    assertEquals(left.references.map(({ id }: { id: string }) => id), [d, c, b]);
    assertEquals((await patch(t, secret, member.id, { referenceAssetIds: [a] })).status, 400);
  });
});

Deno.test("a brand has at most 200 members; a retired one makes room", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const { member } = await create(t, secret);
  for (let n = 1; n < 200; n++) assertEquals((await create(t, secret)).status, 201);
  assertEquals((await create(t, secret)).status, 400);
  await t.call(secret, `/v1/cast-members/${member.id}`, { method: "DELETE" });
  assertEquals((await create(t, secret)).status, 201);
  assertEquals((await create(t, secret)).status, 400);
});

Deno.test("a creation keeps its snapshot when the member is changed or retired", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const { member } = await create(t, secret);
  const { creation } = await post(t, secret, { castMemberId: member.id });
  await patch(t, secret, member.id, { lookPrompt: "Somebody else" });
  await t.call(secret, `/v1/cast-members/${member.id}`, { method: "DELETE" });
  await t.worker.drain();
  const done = await read(t, secret, creation.id);
  assertEquals([done.status, done.castMemberId], ["complete", member.id]);
  assert(done.prompt.startsWith(LOOK));
  assertEquals((await post(t, secret, { castMemberId: member.id })).status, 400);
});

Deno.test("a composed prompt is base style, look and scene, and posting it repeats nothing", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const style = "Warm film look, 35 mm grain.";
  const kit = { baseStylePrompt: style, discordWebhookUrl: "" };
  await t.call(secret, "/v1/brand-kit", { method: "PUT", body: kit });
  const { member } = await create(t, secret, { lifestylePrompt: "Bakes at dawn." });
  const body = { idea: "A red bicycle outside a bakery at sunrise", castMemberId: member.id };
  const compose = async () =>
    await (await t.call(secret, "/v1/creations/compose", { method: "POST", body })).json();
  const { idea, prompt } = await compose();
  assertEquals(idea, body.idea);
  assert(prompt.startsWith(`${style}\n\n${LOOK}\n\n`), prompt);
  for (const part of ["red bicycle outside a bakery", "Bakes at dawn", "Light:", "Palette: red"]) {
    assert(prompt.includes(part), `${part} in ${prompt}`);
  }
  assertEquals(await compose(), { idea, prompt }, "the local writer repeats itself");
  const { creation } = await post(t, secret, { prompt, idea, castMemberId: member.id });
  assertEquals(creation.prompt, prompt);
  const own = await post(t, secret, { castMemberId: member.id });
  assertEquals(own.creation.prompt, [style, LOOK, "A red bicycle in the rain"].join("\n\n"));
  const unknown = { idea: "x", castMemberId: "cst_00000000000000000000000000" };
  const refused = await t.call(secret, "/v1/creations/compose", { method: "POST", body: unknown });
  assertEquals(refused.status, 400);
});

Deno.test("the local writer places an idea by whole words", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const compose = async (idea: string): Promise<string> => {
    const call = { method: "POST", body: { idea } };
    return (await (await t.call(secret, "/v1/creations/compose", call)).json()).prompt;
  };
  const outside = /landscape|edge of a forest|tall grass/;
  assertMatch(await compose("A quiet harbour at dawn"), outside);
  assertMatch(await compose("Two boats off the coast"), outside);
  const kitchen = /wooden table|stone counter|kitchen/;
  assertMatch(await compose("Our teas"), kitchen);
  assertEquals(kitchen.test(await compose("The team that works remote")), false);
});

Deno.test("a composed prompt begins with the style and the look, even if the idea contains them", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const kit = { baseStylePrompt: "Watercolor.", discordWebhookUrl: "" };
  await t.call(secret, "/v1/brand-kit", { method: "PUT", body: kit });
  const { member } = await create(t, secret);
  const body = { idea: `Watercolor. A harbour. ${LOOK}`, castMemberId: member.id };
  const answer = await t.call(secret, "/v1/creations/compose", { method: "POST", body });
  const { prompt } = await answer.json();
  assert(prompt.startsWith(`Watercolor.\n\n${LOOK}\n\n`), prompt);
});

Deno.test("the longest style, look and idea compose to a prompt that can be posted", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const kit = { baseStylePrompt: "s".repeat(4_000), discordWebhookUrl: "" };
  await t.call(secret, "/v1/brand-kit", { method: "PUT", body: kit });
  const { member } = await create(t, secret, { lookPrompt: "l".repeat(2_000) });
  const body = { idea: "idea ".repeat(400), castMemberId: member.id };
  const answer = await t.call(secret, "/v1/creations/compose", { method: "POST", body });
  const { idea, prompt } = await answer.json();
  assertEquals((await post(t, secret, { idea, prompt, castMemberId: member.id })).status, 202);
});

Deno.test("a prompt gets the style and look that it lacks, at its start and only once", () => {
  const kit = { baseStylePrompt: "Style." };
  const cast = { lookPrompt: "Look." };
  const cases: [string, string][] = [
    ["Scene.", "Style.\n\nLook.\n\nScene."],
    ["Style.\n\nScene.", "Style.\n\nLook.\n\nScene."],
    ["Look.\n\nScene.", "Style.\n\nLook.\n\nScene."],
    ["Scene. Look. Style.", "Scene. Look. Style."],
    ["Scene. Style.", "Look.\n\nScene. Style."],
  ];
  for (const [sent, full] of cases) assertEquals(completePrompt(sent, kit, cast), full);
  assertEquals(completePrompt("Scene.", { baseStylePrompt: "" }, null), "Scene.");
  const short = { baseStylePrompt: "red" };
  const tired = completePrompt("A tired woman", short, { lookPrompt: "man" });
  assertEquals(tired, "red\n\nman\n\nA tired woman");
  const head = completePrompt("redhead", short, { lookPrompt: "man" });
  assertEquals(head, "red\n\nman\n\nredhead");
  assertEquals(completePrompt("A tired, red fox", short, null), "A tired, red fox");
  const spaced = { baseStylePrompt: " Film grain. " };
  const kept = completePrompt(" Film grain. \n\nA fox.", spaced, { lookPrompt: "Tall." });
  assertEquals(kept, " Film grain. \n\nTall.\n\nA fox.");
  assertEquals(completePrompt("infrared, red", short, null), "infrared, red");
  assertEquals(completePrompt("水彩の港", { baseStylePrompt: "水彩" }, null), "水彩の港");
  assertEquals(completePrompt("Scene.", { baseStylePrompt: " \n" }, null), "Scene.");
});
