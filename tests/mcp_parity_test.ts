/** Every tool answers as its REST row, to what works and to what is refused; none is left out. */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
// @ts-types="@modelcontextprotocol/sdk/validation/ajv"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js";
import type { Scope } from "../domain/access.ts";
import { SECOND } from "../domain/calendar.ts";
import { describeTool, HINTS } from "../mcp/tool.ts";
import { TOOLS } from "../mcp/tools.ts";
import { breakable } from "./creating.ts";
import {
  type Answer,
  byRest,
  callTool,
  type Input,
  masked,
  type Told,
  type World,
  world,
} from "./mcp_twins.ts";
import { DAILY, story, upload } from "./mcp_every_tool.ts";
import { origin } from "./origins.ts";
import { testService } from "./service.ts";
import { tableInReadme, toolTable } from "./tool_table.ts";

/** The row of each tool, by its operation; null: REST has none. */
const ROWS: Record<string, string | ((input: Input) => string) | null> = {
  get_brand: null,
  get_credits: "getCredits",
  list_posts: "listPosts",
  get_post: "getPost",
  list_assets: "listAssets",
  add_asset: "createAsset",
  create_asset_upload: "startUpload",
  confirm_asset_upload: "createAsset",
  list_cast_members: "listCastMembers",
  save_cast_member: ({ id }) => id === undefined ? "createCastMember" : "updateCastMember",
  delete_cast_member: "deleteCastMember",
  set_brand_kit: "putBrandKit",
  compose_prompt: "composePrompt",
  generate_image: "createCreation",
  get_creation: "getCreation",
  list_creations: "listCreations",
  retry_creation: "retryCreation",
  rerender_overlay: "overlayCreation",
  list_series: "listSeries",
  get_series_queue: "getSeries",
  save_series: ({ id }) => id === undefined ? "createSeries" : "updateSeries",
  set_series_active: "updateSeries",
  simulate_series: "simulateSeries",
  run_autopilot_review: "createReview",
  skip_item: "skipItem",
  regenerate_item: "regenerateItem",
  generate_item: null,
  rewrite_caption: "captionItem",
  explain_item: "explainItem",
  publish_item: "publishItem",
  list_organizations: null,
  create_organization: null,
  update_organization: null,
};

Deno.test("every tool answers as its REST row, when it works and when it refuses", async () => {
  await using image = origin(() =>
    new Response(upload, { headers: { "content-type": "image/jpeg" } })
  );
  await using base = await testService();
  const { imageModel: painter } = base.service;
  const validators = new AjvJsonSchemaValidator();
  const told: Record<string, Told[][]> = {};
  for (const face of ["rest", "mcp"] as const) {
    const { broken, imageModel } = breakable(painter);
    broken.now = false;
    await using w = await world(imageModel, image.host);
    for (const { tool, input: inputOf, keep, then } of story(image.url, broken)) {
      const input = inputOf(w);
      const row = ROWS[tool];
      assert(row, tool);
      const id = typeof row === "string" ? row : row(input);
      const one = face === "rest" ? await byRest(w, id, input) : await byMcp(w, tool, input);
      keep?.(one.body, w.kept);
      await then?.(w);
      (told[`${face} ${tool}`] ??= []).push([{ ...one, body: masked(one.body) }]);
    }
  }
  for (const [tool, row] of Object.entries(ROWS)) {
    if (row === null) continue;
    assertEquals(told[`mcp ${tool}`], told[`rest ${tool}`], tool);
    const outcomes = told[`mcp ${tool}`]!.flat().map(({ refused }) => refused);
    if (tool !== "get_credits" && !tool.match(/^list_(cast|series)/)) {
      assert(outcomes.includes(true), `${tool} was never refused`);
    }
    assert(outcomes.includes(false), `${tool} never worked`);
  }

  async function byMcp(w: World, tool: string, input: Input): Promise<Told> {
    const { structuredContent, content, isError = false } = await callTool(w, tool, input);
    if (structuredContent === undefined) {
      assertEquals(content, [{ type: "text", text: "Done." }]);
      return { refused: false, body: undefined };
    }
    assertEquals(JSON.parse(content.at(-1).text), structuredContent);
    const { outputSchema } = describeTool(tool, TOOLS[tool]!);
    if (outputSchema !== undefined) {
      const { valid, errorMessage } = validators.getValidator(outputSchema)(structuredContent);
      assert(valid, `${tool}: ${errorMessage}`);
    } else assert(isError, `${tool} has no output, and answered some`);
    if (!isError) return { refused: false, body: structuredContent };
    const { retryAfter, ...error } = structuredContent.error;
    const wait = retryAfter === undefined ? {} : { retryAfter };
    return { refused: true, body: { error }, ...wait };
  }
});

Deno.test("an output schema refuses what is neither the answer nor the envelope", () => {
  const validators = new AjvJsonSchemaValidator();
  for (const [name, tool] of Object.entries(TOOLS)) {
    const { outputSchema } = describeTool(name, tool);
    assertEquals(outputSchema === undefined, tool.operation.output === null, name);
    if (outputSchema === undefined) continue;
    const validate = validators.getValidator(outputSchema);
    for (const wrong of [{}, { data: 1 }, { error: {} }, { error: { code: "x", message: "" } }]) {
      assert(!validate(wrong).valid, `${name} takes ${JSON.stringify(wrong)}`);
    }
  }
});

Deno.test("every tool of the contract is there, with its scopes, and has its row in this file", () => {
  const either: Scope[] = ["postsRead", "createRead"];
  const contract: [string, Scope[]][] = [
    [
      "get_brand list_posts get_post list_series get_series_queue list_assets list_cast_members",
      either,
    ],
    [
      "compose_prompt generate_image set_brand_kit add_asset create_asset_upload " +
      "confirm_asset_upload save_cast_member delete_cast_member save_series set_series_active " +
      "run_autopilot_review skip_item regenerate_item generate_item rerender_overlay " +
      "retry_creation rewrite_caption",
      ["createWrite"],
    ],
    ["publish_item", ["publishWrite"]],
    ["list_organizations create_organization update_organization", ["brandsWrite"]],
    ["get_creation list_creations get_credits explain_item simulate_series", ["createRead"]],
  ];
  const named = contract.flatMap(([names, scopes]) =>
    names.split(" ").map((name) => [name, scopes] as const)
  );
  for (const [name, scopes] of named) {
    assertEquals(TOOLS[name]?.operation.scopes, scopes, name);
  }
  assertEquals(Object.keys(TOOLS).sort(), named.map(([name]) => name).sort());
  assertEquals(Object.keys(ROWS).sort(), Object.keys(TOOLS).sort());
});

Deno.test("the README's table of tools is the one in the code", async () => {
  assertEquals(await tableInReadme(), toolTable(), "Run deno task readme.");
});

Deno.test("hints say of each tool whether it changes, takes away, repeats and reaches out", () => {
  const reads = /^(get|list|explain|simulate|compose)_/;
  for (const [name, { hints, operation, title }] of Object.entries(TOOLS)) {
    assertEquals(hints.readOnly, reads.test(name), name);
    if (hints.readOnly) assert(!hints.destructive, name);
    assertNotEquals(title, "");
    assertEquals(operation.costs === "credit", /^(generate|retry)_/.test(name), name);
  }
  const destructive = Object.keys(TOOLS).filter((name) => TOOLS[name]!.hints.destructive);
  assertEquals(destructive.sort(), [
    ...["delete_cast_member", "publish_item", "regenerate_item", "rerender_overlay"],
    ...["rewrite_caption", "run_autopilot_review", "save_cast_member", "save_series"],
    ...["set_brand_kit", "skip_item", "update_organization"],
  ]);
  assertEquals(TOOLS.publish_item!.hints, HINTS.publish);
});

Deno.test("what explain_item says to do names the tool that does it", async () => {
  await using base = await testService();
  await using w = await world(base.service.imageModel, "127.0.0.1:1");
  const series = (await callTool(w, "save_series", DAILY)).structuredContent;
  w.t.turn(SECOND);
  await w.work("series");
  const { items } = (await callTool(w, "get_series_queue", { id: series.id })).structuredContent;
  const ready = items.find((item: Answer) => item.status === "ready");
  const ids = { seriesId: series.id, itemId: ready.id };
  const { content, structuredContent } = await callTool(w, "explain_item", ids);
  assertEquals(structuredContent.todo.operation, "updateSeries");
  assertStringIncludes(content[0].text, "save_series");
});
