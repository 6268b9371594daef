/** Every tool answers as its REST row does, both when it works and when it refuses. */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
// @ts-types="@modelcontextprotocol/sdk/validation/ajv"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js";
import { Scope } from "../../domain/brands/keys.ts";
import { SECOND } from "../../domain/foundation/calendar.ts";
import { describeTool, HINTS } from "../../mcp/tool.ts";
import { TOOLS } from "../../mcp/tools.ts";
import { breakable } from "../support/creations.ts";
import {
  type Answer,
  byRest,
  callTool,
  type Input,
  masked,
  type Told,
  type World,
  world,
} from "../support/mcp_twins.ts";
import { DAILY, story, upload } from "../support/mcp_every_tool.ts";
import { origin } from "../support/origins.ts";
import { quickModel } from "../support/quick_model.ts";
import { tableInGuide, toolTable } from "../support/tool_table.ts";

const INSIGHTS: Record<string, string> = {
  summary: "getInsightsSummary",
  timeline: "getInsightsTimeline",
  when: "getInsightsWhen",
  compare: "getInsightsComparison",
};

/** The row on a slot of a series, or on one that is named by its id alone. */
const onSlot = (row: string) => ({ seriesId }: Input) =>
  seriesId === undefined ? `${row}ById` : row;

/** Tools that nothing can be wrong with. */
const NEVER_REFUSED = /^(get_(brand|credits|key)|list_(accounts|cast_members|series))$/;

/** The row of each tool, by its operation; null: REST has none. */
const ROWS: Record<string, string | ((input: Input) => string) | null> = {
  get_brand: "getBrand",
  get_credits: "getCredits",
  list_posts: "listPosts",
  get_post: "getPost",
  get_insights: ({ view }) => INSIGHTS[String(view)] ?? "getInsightsSummary",
  get_post_standing: "getPostStanding",
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
  adopt_playbook: "adoptReview",
  skip_item: onSlot("skipItem"),
  regenerate_item: onSlot("regenerateItem"),
  generate_item: null,
  rewrite_caption: onSlot("captionItem"),
  explain_item: onSlot("explainItem"),
  publish_item: onSlot("publishItem"),
  list_items: "listItems",
  get_item: "getItem",
  create_item: "createItem",
  update_item: "updateItem",
  delete_item: "deleteItem",
  approve_item: ({ approved }) => approved === false ? "unapproveItem" : "approveItem",
  batch_items: "batchItems",
  validate_item: "validateItem",
  list_accounts: "listAccounts",
  list_events: "listEvents",
  get_key: "getKey",
  list_organizations: null,
  create_organization: null,
  update_organization: null,
};

Deno.test("every tool answers as its REST row, when it works and when it refuses", async () => {
  await using image = origin(() =>
    new Response(upload, { headers: { "content-type": "image/jpeg" } })
  );
  const validators = new AjvJsonSchemaValidator();
  const told: Record<string, Told[][]> = {};
  for (const face of ["rest", "mcp"] as const) {
    const { broken, imageModel } = breakable();
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
      (told[`${face} ${tool}`] ??= []).push([{ ...one, body: masked(withoutStop(one.body)) }]);
    }
  }
  for (const [tool, row] of Object.entries(ROWS)) {
    if (row === null) continue;
    assertEquals(told[`mcp ${tool}`], told[`rest ${tool}`], tool);
    const outcomes = told[`mcp ${tool}`]!.flat().map(({ refused }) => refused);
    if (!NEVER_REFUSED.test(tool)) {
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
    if (!isError) {
      const { valid, errorMessage } = validators.getValidator(
        describeTool(tool, TOOLS[tool]!).inputSchema,
      )(input);
      assert(valid, `${tool} took ${JSON.stringify(input)}: ${errorMessage}`);
    }
    const { outputSchema } = describeTool(tool, TOOLS[tool]!);
    if (outputSchema !== undefined) {
      const { valid, errorMessage } = validators.getValidator(outputSchema)(structuredContent);
      assert(valid, `${tool}: ${errorMessage}`);
    } else assert(isError || TOOLS[tool]!.operation.output !== null, `${tool} has no output`);
    // REST answers 204, with the address as `Location`.
    if (!isError && tool === "publish_item") return { refused: false, body: undefined };
    if (!isError) return { refused: false, body: structuredContent };
    const { retryAfter, code, message } = structuredContent.error;
    const wait = retryAfter === undefined ? {} : { retryAfter };
    const [rest, next] = message.replace(/ Ignored, because unknown: .*\)\./, "").split(" Next: ");
    assert(next.length > 10, `${tool} does not say the next step: ${message}`);
    return { refused: true, body: { error: { code, message: rest } }, ...wait };
  }
});

/** REST's words end as they like; over MCP a next step follows, so there they end with a stop. */
function withoutStop(body: Answer): Answer {
  const { error } = body ?? {};
  if (error?.message === undefined) return body;
  return { error: { ...error, message: error.message.replace(/\.$/, "") } };
}

Deno.test("an output schema refuses what is neither the answer nor the envelope", () => {
  const validators = new AjvJsonSchemaValidator();
  let described = 0;
  for (const [name, tool] of Object.entries(TOOLS)) {
    const { outputSchema } = describeTool(name, tool);
    if (tool.operation.output === null) assertEquals(outputSchema, undefined, name);
    described += outputSchema === undefined ? 0 : 1;
    if (outputSchema === undefined) continue;
    const validate = validators.getValidator(outputSchema);
    for (const wrong of [{}, { data: 1 }, { error: {} }, { error: { code: "x" } }]) {
      assert(!validate(wrong).valid, `${name} takes ${JSON.stringify(wrong)}`);
    }
  }
  assert(described > 5, "only large ones are left out");
});

Deno.test("every tool of the contract is there, with its scopes, and has its row in this file", () => {
  const either: Scope[] = ["postsRead", "createRead"];
  const contract: [string, Scope[]][] = [
    [
      "get_brand list_posts get_post list_series get_series_queue list_assets list_cast_members " +
      "list_accounts list_events",
      either,
    ],
    ["get_key", [...Scope.options]],
    [
      "compose_prompt generate_image set_brand_kit add_asset create_asset_upload " +
      "confirm_asset_upload save_cast_member delete_cast_member save_series set_series_active " +
      "run_autopilot_review adopt_playbook skip_item regenerate_item generate_item " +
      "rerender_overlay retry_creation rewrite_caption create_item update_item delete_item",
      ["createWrite"],
    ],
    ["get_insights get_post_standing", ["postsRead"]],
    ["publish_item approve_item", ["publishWrite"]],
    ["batch_items", ["createWrite", "publishWrite"]],
    ["list_organizations create_organization update_organization", ["brandsWrite"]],
    [
      "get_creation list_creations get_credits explain_item simulate_series list_items get_item " +
      "validate_item",
      ["createRead"],
    ],
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

Deno.test("the guide's table of tools is the one in the code", async () => {
  assertEquals(await tableInGuide(), toolTable(), "Run deno task docs.");
});

Deno.test("each tool's hints say whether it changes, destroys, repeats and reaches out", () => {
  const reads = /^(get|list|explain|simulate|compose|validate)_/;
  for (const [name, { hints, operation, title }] of Object.entries(TOOLS)) {
    assertEquals(hints.readOnly, reads.test(name), name);
    if (hints.readOnly) assert(!hints.destructive, name);
    assertNotEquals(title, "");
    assertEquals(operation.costs === "credit", /^(generate|retry)_/.test(name), name);
  }
  const destructive = Object.keys(TOOLS).filter((name) => TOOLS[name]!.hints.destructive);
  assertEquals(destructive.sort(), [
    ...[
      "adopt_playbook",
      "batch_items",
      "delete_cast_member",
      "delete_item",
      "publish_item",
      "regenerate_item",
    ],
    ...["rerender_overlay", "rewrite_caption", "run_autopilot_review", "save_cast_member"],
    ...["save_series", "set_brand_kit", "skip_item", "update_item", "update_organization"],
  ]);
  assertEquals(TOOLS.publish_item!.hints, HINTS.publish);
});

Deno.test("what explain_item says to do names the tool that does it", async () => {
  await using w = await world(quickModel, "127.0.0.1:1");
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
