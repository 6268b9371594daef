/** The description is as tight as the validation: what one refuses, the other refuses. */
import { assert, assertEquals } from "@std/assert";
// @ts-types="@modelcontextprotocol/sdk/validation/ajv"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js";
import { takesKey } from "../../routes/input.ts";
import { TABLE } from "../../routes/table.ts";
import { testService } from "../support/service.ts";
import type { Json } from "../support/json.ts";

const IMAGE = { prompt: "A cup", idea: "Coffee", aspectRatio: "square" };
const MANUAL = {
  name: "Daily",
  mode: "manual",
  theme: "Coffee",
  format: "post",
  cadenceDays: 1,
};
const AUTOPILOT = { name: "Auto", mode: "autopilot", goal: "More guests" };
const KIT = { baseStylePrompt: "Warm", discordWebhookUrl: "" };
const WEBHOOK = "https://discord.com/api/webhooks/123/abc";
const UPLOAD = { kind: "logo", name: "Logo", contentType: "image/png", size: 10 };

/** Bodies by row, with whether they are taken. */
const BODIES: [row: string, taken: boolean, body: Json][] = [
  ["POST /v1/items", true, { prompts: ["A cup"] }],
  ["POST /v1/items", true, { prompts: ["A", "B", "C"], format: "carousel" }],
  ["POST /v1/items", false, {}],
  ["POST /v1/items", false, { prompts: ["A cup"], creationIds: ["cre_1"] }],
  ["POST /v1/items", false, { prompts: ["A", "B"] }],
  ["POST /v1/items", false, { prompts: ["A", "B"], format: "carousel" }],
  ["POST /v1/items", false, { prompts: [" "] }],
  ["POST /v1/items", false, { creationIds: ["cre_1", "cre_1", "cre_1"], format: "carousel" }],
  ["POST /v1/items", false, { prompts: ["A cup"], hashtags: ["123"] }],
  ["POST /v1/items", true, { prompts: ["A cup"], hashtags: ["#Röst", "日本"] }],
  ["POST /v1/series", true, MANUAL],
  ["POST /v1/series", true, AUTOPILOT],
  ["POST /v1/series", false, { ...MANUAL, theme: " " }],
  ["POST /v1/series", false, { ...MANUAL, cadenceDays: null }],
  ["POST /v1/series", false, { ...MANUAL, format: "" }],
  ["POST /v1/series", false, { name: "Daily", mode: "manual" }],
  ["POST /v1/series", false, { ...AUTOPILOT, goal: null }],
  ["POST /v1/series", false, { ...AUTOPILOT, formats: [] }],
  ["POST /v1/series", false, { ...AUTOPILOT, formats: ["post", "post"] }],
  ["POST /v1/series", false, { ...AUTOPILOT, inspirationAssetIds: ["a", "a"] }],
  ["POST /v1/series", false, { ...MANUAL, name: " " }],
  ["POST /v1/assets/uploads", true, { ...UPLOAD, isPrimary: true }],
  ["POST /v1/assets/uploads", false, { ...UPLOAD, kind: "inspiration", isPrimary: true }],
  ["POST /v1/assets", false, { kind: "logo", name: "Logo" }],
  ["POST /v1/assets", false, { key: "a" }],
  ["POST /v1/assets", false, { kind: "logo", name: "Logo", sourceUrl: "ftp://a.example/b" }],
  ...["http://\u0018/a", "http://", "https:///a.jpg", "http://u:p@a.example/b"].map((
    sourceUrl,
  ): [string, boolean, Json] => [
    "POST /v1/assets",
    false,
    { kind: "logo", name: "Logo", sourceUrl },
  ]),
  ["POST /v1/cast-members", true, { name: "Mira", lookPrompt: "Glasses" }],
  ["POST /v1/cast-members", false, {
    name: "Mira",
    lookPrompt: "Glasses",
    referenceAssetIds: ["a", "a"],
  }],
  ["PUT /v1/brand-kit", true, { ...KIT, discordWebhookUrl: WEBHOOK, colors: ["#A1B2C3"] }],
  ["PUT /v1/brand-kit", true, { ...KIT, language: "de-CH", timeZone: "Europe/Berlin" }],
  ["PUT /v1/brand-kit", false, { ...KIT, discordWebhookUrl: "https://elsewhere.example/a" }],
  ["PUT /v1/brand-kit", false, { ...KIT, colors: ["red"] }],
  ["PUT /v1/brand-kit", false, { ...KIT, language: "german language" }],
  ["PUT /v1/brand-kit", false, { ...KIT, timeZone: "+01:00" }],
  ["POST /v1/items/batch", true, { ids: ["slt_1", "slt_2"], verb: "skip" }],
  ["POST /v1/items/batch", false, { ids: ["slt_1", "slt_1"], verb: "skip" }],
  ["POST /v1/creations", true, IMAGE],
  ["POST /v1/creations", false, { ...IMAGE, idea: "\t" }],
];

Deno.test("a body is refused by its schema exactly when the service refuses it", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const { paths, components } = await (await t.request(null, "/v1/openapi.json")).json();
  const validators = new AjvJsonSchemaValidator();
  for (const [row, taken, body] of BODIES) {
    const [method = "", path = ""] = row.split(" ");
    const answer = await t.call(secret, path, { method, body });
    const told = await answer.json();
    const what = `${row} ${JSON.stringify(body)}: ${JSON.stringify(told).slice(0, 200)}`;
    assertEquals(answer.ok, taken, what);
    if (!taken) assertEquals(told.error.code, "validationError", what);
    const { schema } = paths[path][method.toLowerCase()].requestBody.content["application/json"];
    const { valid, errorMessage } = validators.getValidator({ ...schema, components })(body);
    assertEquals(valid, taken, `the schema of ${what} ${errorMessage}`);
  }
});

Deno.test("what a search takes is described by a pattern that the service keeps to", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const { paths } = await (await t.request(null, "/v1/openapi.json")).json();
  const pattern = (name: string): RegExp => {
    const { parameters } = paths["/v1/posts"].get;
    return new RegExp(parameters.find((one: Json) => one.name === name).schema.pattern, "u");
  };
  const words = (count: number) => Array.from({ length: count }, (_, n) => `w${n}`).join("  ");
  const cases: [string, string][] = [
    ...["", " ", "a", words(20), ` ${words(20)} `, words(21), ` ${words(21)}`, "a\u00a0b\nc"]
      .map((value): [string, string] => ["q", value]),
    ...["", " ", "#", "#a", "a#", " # a", "\uff03", "#\uff03 "]
      .map((value): [string, string] => ["hashtag", value]),
  ];
  for (const [name, value] of cases) {
    const { ok } = await t.call(secret, `/v1/posts?${new URLSearchParams({ [name]: value })}`);
    assertEquals(pattern(name).test(value), ok, `${name}=${JSON.stringify(value)}`);
  }
});

Deno.test("every POST that takes an Idempotency-Key says that it may be a conflict", async () => {
  await using t = await testService();
  const { paths } = await (await t.request(null, "/v1/openapi.json")).json();
  for (const row of TABLE.filter(takesKey)) {
    assert(paths[row[1]].post.responses[409], row[1]);
  }
});

Deno.test("what a POST makes and a list holds leads to the operations that take its id", async () => {
  await using t = await testService();
  const { paths } = await (await t.request(null, "/v1/openapi.json")).json();
  const linked = (path: string, verb: string, status: number) =>
    paths[path][verb].responses[status].links ?? {};
  assertEquals(linked("/v1/series", "post", 201).getSeries.parameters, {
    id: "$response.body#/id",
  });
  assertEquals(linked("/v1/posts", "get", 200).getPost.parameters, {
    id: "$response.body#/data/0/id",
  });
  assertEquals(linked("/v1/series/{id}", "get", 200).skipItem.parameters, {
    id: "$request.path.id",
    itemId: "$response.body#/items/0/id",
  });
  const ids = new Set(TABLE.map(([, , { id }]) => id));
  for (const [verb, path, , status] of TABLE) {
    for (
      const [name, { operationId }] of Object.entries<Json>(
        linked(path, verb.toLowerCase(), status),
      )
    ) {
      assert(name === operationId && ids.has(operationId), `${path}: ${operationId}`);
    }
  }
});
