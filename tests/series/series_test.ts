/** How clients create, change and delete series: fields, rules on the merged result, separate brands. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { iso } from "../../domain/foundation/calendar.ts";
import { newId } from "../../domain/foundation/ids.ts";
import { add, remove } from "../support/uploads.ts";
import { AUTOPILOT, MANUAL, seriesKit } from "../support/series.ts";
import { NOON, testService } from "../support/service.ts";

Deno.test("a manual series reads back with its defaults, and the autopilot's fields as null", async () => {
  await using t = await testService();
  const { create } = await seriesKit(t);
  const { id, createdAt, ...series } = await create({
    caption: "",
    goal: "More guests",
    guidance: "Be kind",
    formats: ["story"],
    maxPerWeek: 3,
    postsPerWeek: 2,
    creditBudgetMonthly: 10,
    socialAccountId: "",
  });
  assertMatch(id, /^ser_/);
  assertEquals(createdAt, iso(t.service.now()));
  assertEquals(series, {
    name: "Bread",
    mode: "manual",
    active: true,
    theme: "Bread fresh from the oven",
    goal: null,
    guidance: null,
    caption: null,
    format: "post",
    formats: [],
    aspectRatio: "portrait",
    cadenceDays: 1,
    hourUtc: 9,
    maxPerWeek: null,
    postsPerWeek: null,
    creditBudgetMonthly: null,
    castMemberId: null,
    inspirationAssetIds: [],
    playbook: null,
    overlay: null,
    socialAccountId: null,
    needsApproval: false,
    publishDrafts: true,
  });
});

Deno.test("an autopilot series reads back with its defaults, and the manual fields as null", async () => {
  await using t = await testService();
  const { create } = await seriesKit(t);
  const series = await create({ ...AUTOPILOT, caption: null });
  assertEquals(
    [series.theme, series.format, series.cadenceDays, series.playbook, series.guidance],
    [null, null, null, null, null],
  );
  assertEquals(series.formats, ["post"]);
  assertEquals(series.goal, AUTOPILOT.goal);
});

Deno.test("an empty string clears what may be null, and a refusal names the values or the bound", async () => {
  await using t = await testService();
  const { call, create, get } = await seriesKit(t);
  const { id } = await create({
    ...AUTOPILOT,
    postsPerWeek: 3,
    maxPerWeek: 5,
    creditBudgetMonthly: 9,
    overlay: { template: "captionBar", text: "Hi" },
  });
  const cleared = { postsPerWeek: "", maxPerWeek: "", creditBudgetMonthly: "", overlay: "" };
  assertEquals((await call("PATCH", `/v1/series/${id}`, cleared)).status, 200);
  const shown = await get(id);
  for (const name of Object.keys(cleared)) assertEquals(shown[name], null, name);
  for (
    const [field, words] of [
      [{ format: "reel" }, "format: must be one of post, carousel, story"],
      [{ cadenceDays: 1e20 }, "cadenceDays: must be at most 90"],
      [{ cadenceDays: "7" }, "cadenceDays: must be a number"],
    ] as const
  ) {
    const { status, body } = await call("POST", "/v1/series", { ...MANUAL, ...field });
    assertEquals([status, body.error.message], [400, words]);
  }
});

Deno.test("what a mode needs is required, and every range holds at both ends", async () => {
  await using t = await testService();
  const { call } = await seriesKit(t);
  const { theme: _, ...noTheme } = MANUAL;
  const { format: __, ...noFormat } = MANUAL;
  const { cadenceDays: ___, ...noCadence } = MANUAL;
  const bad: [object, string][] = [
    [{ ...MANUAL, name: " " }, "name"],
    [{ ...MANUAL, name: "x".repeat(121) }, "name"],
    [{ ...MANUAL, mode: "other" }, "mode"],
    [noTheme, "theme"],
    [noFormat, "format"],
    [noCadence, "cadenceDays"],
    [{ ...MANUAL, theme: "" }, "theme"],
    [{ ...MANUAL, theme: " \n" }, "theme"],
    [{ ...MANUAL, theme: "x".repeat(2_001) }, "theme"],
    [{ ...MANUAL, format: "reel" }, "format"],
    [{ ...MANUAL, format: "" }, "format"],
    [{ ...MANUAL, cadenceDays: 0 }, "cadenceDays"],
    [{ ...MANUAL, cadenceDays: 91 }, "cadenceDays"],
    [{ ...MANUAL, cadenceDays: 1.5 }, "cadenceDays"],
    [{ ...MANUAL, cadenceDays: "1" }, "cadenceDays"],
    [{ ...MANUAL, hourUtc: 24 }, "hourUtc"],
    [{ ...MANUAL, hourUtc: -1 }, "hourUtc"],
    [{ ...MANUAL, hourUtc: null }, "hourUtc"],
    [{ ...MANUAL, caption: "x".repeat(2_201) }, "caption"],
    [{ ...MANUAL, aspectRatio: "wide" }, "aspectRatio"],
    [{ ...MANUAL, overlay: { template: "banner", text: "Hi" } }, "overlay.template"],
    [{ ...MANUAL, overlay: { template: "captionBar", text: " " } }, "overlay.text"],
    [{ ...AUTOPILOT, goal: "" }, "goal"],
    [{ name: "A", mode: "autopilot" }, "goal"],
    [{ ...AUTOPILOT, formats: [] }, "formats"],
    [{ ...AUTOPILOT, formats: ["reel"] }, "formats.0"],
    [{ ...AUTOPILOT, formats: ["post", "post"] }, "formats"],
    [{ ...AUTOPILOT, postsPerWeek: 0 }, "postsPerWeek"],
    [{ ...AUTOPILOT, postsPerWeek: 22 }, "postsPerWeek"],
    [{ ...AUTOPILOT, maxPerWeek: 22 }, "maxPerWeek"],
    [{ ...AUTOPILOT, maxPerWeek: 2, postsPerWeek: 3 }, "postsPerWeek"],
    [{ ...AUTOPILOT, creditBudgetMonthly: -1 }, "creditBudgetMonthly"],
    [{ ...AUTOPILOT, creditBudgetMonthly: 100_001 }, "creditBudgetMonthly"],
  ];
  for (const [body, field] of bad) {
    const answer = await call("POST", "/v1/series", body);
    assertEquals(answer.status, 400, JSON.stringify(body));
    assertEquals(answer.body.error.code, "validationError");
    assert(answer.body.error.message.startsWith(`${field}:`), answer.body.error.message);
  }
  const good = [
    { ...MANUAL, cadenceDays: 90, hourUtc: 0, name: "🍞".repeat(120) },
    { ...MANUAL, hourUtc: 23, theme: "🍞".repeat(2_000), caption: "🍞".repeat(2_200) },
    { ...AUTOPILOT, postsPerWeek: 21, maxPerWeek: 21, creditBudgetMonthly: 0 },
    { ...AUTOPILOT, formats: ["story", "carousel", "post"], creditBudgetMonthly: 100_000 },
  ];
  for (const body of good) {
    const answer = await call("POST", "/v1/series", body);
    assertEquals(answer.status, 201, JSON.stringify(answer.body));
  }
});

Deno.test("ids that are not this brand's are 400 and name their field", async () => {
  await using t = await testService();
  const other = await seriesKit(t);
  const { call, create } = await seriesKit(t);
  const foreign = await other.connect("instagram", "theirs");
  const mine = await create();
  const bad: [object, string][] = [
    [{ socialAccountId: foreign.id }, "socialAccountId"],
    [{ socialAccountId: "soc_nothing" }, "socialAccountId"],
    [{ castMemberId: newId("castMember", NOON) }, "castMemberId"],
    [{ inspirationAssetIds: [newId("asset", NOON)] }, "inspirationAssetIds"],
  ];
  for (const [fields, field] of bad) {
    for (
      const answer of [
        await call("POST", "/v1/series", { ...MANUAL, ...fields }),
        await call("PATCH", `/v1/series/${mine.id}`, fields),
      ]
    ) {
      assertEquals(answer.status, 400);
      assert(answer.body.error.message.startsWith(`${field}:`), answer.body.error.message);
    }
  }
});

Deno.test("a series can be sent back as it was read, also when what it names is gone since", async () => {
  await using t = await testService();
  const { call, create, get, secret } = await seriesKit(t);
  const asset = await add(t, secret, { kind: "inspiration" });
  const cast = { name: "Mara", lookPrompt: "A baker of sixty." };
  const { body: member } = await call("POST", "/v1/cast-members", cast);
  const { id } = await create({ castMemberId: member.id, inspirationAssetIds: [asset.id] });
  await call("DELETE", `/v1/cast-members/${member.id}`);
  await remove(t, secret, asset.id);
  assertEquals((await call("PATCH", `/v1/series/${id}`, await get(id))).status, 200);
  assertEquals((await call("POST", "/v1/series", await get(id))).status, 400);
});

Deno.test("what a platform does not take is refused with the reason", async () => {
  await using t = await testService();
  const { call, connect, create, get } = await seriesKit(t);
  const instagram = (await connect("instagram")).id;
  const linkedin = (await connect("linkedin")).id;
  const youtube = (await connect("youtube")).id;
  const refused: [object, string][] = [
    [{ ...MANUAL, socialAccountId: youtube }, "YouTube"],
    [{ ...MANUAL, format: "story", socialAccountId: linkedin }, "LinkedIn"],
    [{ ...AUTOPILOT, formats: ["post", "story"], socialAccountId: linkedin }, "LinkedIn"],
    [{ ...MANUAL, aspectRatio: "story", socialAccountId: instagram }, "Instagram"],
    [{ ...AUTOPILOT, aspectRatio: "story", socialAccountId: instagram }, "Instagram"],
  ];
  for (const [body, word] of refused) {
    const answer = await call("POST", "/v1/series", body);
    assertEquals(answer.status, 400, JSON.stringify(body));
    assertStringIncludes(answer.body.error.message, word);
  }
  await create({ format: "story", aspectRatio: "story", socialAccountId: instagram });
  await create({ aspectRatio: "story", socialAccountId: linkedin });
  const series = await create({ format: "story" });
  const merged = await call("PATCH", `/v1/series/${series.id}`, { socialAccountId: linkedin });
  assertEquals(merged.status, 400);
  assertEquals((await get(series.id)).socialAccountId, null);
});

Deno.test("PATCH keeps what is left out, clears by null and empty text, and pauses and resumes", async () => {
  await using t = await testService();
  const { call, connect, create } = await seriesKit(t);
  const account = await connect();
  const cast =
    (await call("POST", "/v1/cast-members", { name: "Ana", lookPrompt: "Red hair" })).body;
  const made = await create({
    ...AUTOPILOT,
    guidance: "Be kind",
    postsPerWeek: 3,
    castMemberId: cast.id,
    caption: "Hello",
    overlay: { template: "captionBar", text: "Hi" },
    socialAccountId: account.id,
  });
  const patch = async (body: object) => (await call("PATCH", `/v1/series/${made.id}`, body)).body;
  assertEquals(await patch({}), made);
  assertEquals(await patch({ name: "Other" }), { ...made, name: "Other" });
  const cleared = {
    postsPerWeek: null,
    castMemberId: null,
    caption: null,
    overlay: null,
    socialAccountId: null,
    guidance: null,
  };
  const emptied = { ...cleared, caption: "", socialAccountId: "", guidance: "" };
  assertEquals(await patch({ ...emptied, name: made.name }), { ...made, ...cleared });
  assertEquals((await patch({ active: false })).active, false);
  assertEquals((await patch({ active: true })).active, true);
  for (
    const body of [{ goal: null }, { goal: "" }, { name: null }, { mode: null }, { active: 1 }]
  ) {
    assertEquals((await call("PATCH", `/v1/series/${made.id}`, body)).status, 400);
  }
});

Deno.test("the merged result keeps the rules, and a change of mode needs the new mode's fields", async () => {
  await using t = await testService();
  const { call, create, get } = await seriesKit(t);
  const { id } = await create({ ...AUTOPILOT, maxPerWeek: 5 });
  assertEquals((await call("PATCH", `/v1/series/${id}`, { postsPerWeek: 6 })).status, 400);
  assertEquals((await call("PATCH", `/v1/series/${id}`, { mode: "manual" })).status, 400);
  const { items: _, reviews: __, ...before } = await get(id);
  assertEquals(before.maxPerWeek, 5);
  const manual = await call("PATCH", `/v1/series/${id}`, { ...MANUAL });
  assertEquals(manual.status, 200);
  assertEquals([manual.body.goal, manual.body.formats, manual.body.maxPerWeek], [null, [], null]);
  const back = await call("PATCH", `/v1/series/${id}`, { mode: "autopilot", goal: "Guests" });
  assertEquals([back.body.formats, back.body.theme, back.body.cadenceDays], [["post"], null, null]);
});
