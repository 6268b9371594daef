/** Texts by OpenAI, against a local server: strict schema, fallback, repair, and honest 503s. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { silent } from "../../domain/foundation/log.ts";
import { openAiTexts } from "../../domain/models/openai/texts.ts";
import { OpenAiServer, refused, type Reply } from "../support/openai_server.ts";
import { type TestService, testService } from "../support/service.ts";

const SCENE = "A red bicycle leans against a bakery, low morning light.";

/** An answer of the Responses API, its reasoning first. */
function says(text: string): Reply {
  const content = [{ type: "output_text", text, annotations: [] }];
  const output = [{ type: "reasoning", summary: [] }, { type: "message", content }];
  return () => Response.json({ id: "resp_1", object: "response", status: "completed", output });
}

const good = says(JSON.stringify({ scene: SCENE }));

async function withTexts(
  body: (server: OpenAiServer, compose: () => Promise<Response>, t: TestService) => Promise<void>,
  textMs?: number,
  environ: Record<string, string> = {},
): Promise<void> {
  await using server = new OpenAiServer(good);
  const dependencies = textMs === undefined ? {} : {
    textModel: openAiTexts({
      apiKey: "sk-test",
      baseUrl: `${server.url}/v1`,
      imageModel: "none",
      imageQuality: "auto",
      textModel: "gpt-test",
      http: fetch,
      fetchPublic: () => Promise.reject(new Error("not called")),
      log: silent,
      textMs,
    }),
  };
  await using t = await testService({
    environ: { ...server.environ, ...environ },
    dependencies,
  });
  const { secret } = await t.brand();
  const kit = { baseStylePrompt: "Warm film look.", discordWebhookUrl: "" };
  await t.call(secret, "/v1/brand-kit", { method: "PUT", body: kit });
  const call = { method: "POST", body: { idea: "red bicycle" } };
  await body(server, () => t.call(secret, "/v1/creations/compose", call), t);
}

Deno.test("compose asks for a strict schema and puts the model's scene behind the base style", async () => {
  await withTexts(async (server, compose) => {
    const answer = await compose();
    assertEquals(await answer.json(), {
      idea: "red bicycle",
      prompt: `Warm film look.\n\nScene: ${SCENE}`,
    });
    const [{ path, fields }] = server.heard as [typeof server.heard[0]];
    assertEquals([path, fields.model, fields.store], ["/v1/responses", "gpt-5.6-terra", false]);
    assertEquals(fields.text.format, {
      type: "json_schema",
      name: "prompt",
      strict: true,
      schema: {
        type: "object",
        properties: { scene: { type: "string" } },
        required: ["scene"],
        additionalProperties: false,
      },
    });
    assertEquals(JSON.parse(fields.input[0].content).idea, "red bicycle");
  });
});

Deno.test("a short text asks a reasoning model to think little, and does without where that is refused", async () => {
  await withTexts(async (server, compose) => {
    await compose();
    assertEquals(server.heard[0]!.fields.reasoning, { effort: "low" });
    const param = "reasoning.effort";
    const error = { message: "Unsupported parameter", type: "invalid_request_error", param };
    server.next(refused(400, { ...error, code: "unsupported_parameter" }));
    for (let call = 0; call < 2; call++) assertEquals((await compose()).status, 200);
    assertEquals(server.heard.slice(1).map(({ fields }) => fields.reasoning?.effort), [
      "low",
      undefined,
      undefined,
    ]);
  });
  for (const [model, effort] of [["gpt-4.1", undefined], ["o4-mini", "low"]] as const) {
    await withTexts(
      async (server, compose) => {
        await compose();
        assertEquals(server.heard[0]!.fields.reasoning?.effort, effort);
      },
      undefined,
      { OPENAI_TEXT_MODEL: model },
    );
  }
});

Deno.test("a server that only has Chat gets no more calls of Responses", async () => {
  await withTexts(async (server, compose) => {
    const chat: Reply = (heard) => {
      assertEquals(heard.fields.response_format.json_schema.strict, true);
      const content = JSON.stringify({ scene: SCENE });
      return Response.json({ choices: [{ finish_reason: "stop", message: { content } }] });
    };
    server.next(refused(404, { message: "no route" }), chat, chat);
    for (let n = 0; n < 2; n++) assertEquals((await compose()).status, 200);
    assertEquals(server.heard.map(({ path }) => path.slice("/v1/".length)), [
      "responses",
      "chat/completions",
      "chat/completions",
    ]);
  });
});

Deno.test("a result that breaks the schema is repaired once, then a 503", async () => {
  await withTexts(async (server, compose) => {
    server.next(says(JSON.stringify({ scene: 5 })));
    assertEquals((await compose()).status, 200);
    const turns = server.heard[1]!.fields.input;
    assertEquals(turns.map(({ role }: { role: string }) => role), ["user", "assistant", "user"]);
    assertMatch(turns[2].content, /does not fit the schema/);
    server.always(says("no JSON"));
    const answer = await compose();
    assertEquals(answer.status, 503);
    assertEquals(server.heard.length, 4);
  });
});

const refusal: Reply = () => {
  const content = [{ type: "refusal", refusal: "I can't." }];
  return Response.json({ status: "completed", output: [{ type: "message", content }] });
};
const FAULTS: [string, Reply][] = [
  ["a refusal", refusal],
  ["500", refused(500, { type: "server_error", code: null, message: "oops" })],
  ["429", refused(429, { type: "requests", code: "rate_limit_exceeded", message: "slow" })],
  ["401", refused(401, { type: "invalid_request_error", code: "invalid_api_key", message: "no" })],
  ["a retired model", refused(404, { code: "model_not_found", message: "gone" })],
  ["HTML", () => new Response("<h1>", { headers: { "content-type": "application/json" } })],
  ["nothing", () => Response.json({})],
  [
    "a cut-off text",
    () =>
      Response.json({
        status: "incomplete",
        incomplete_details: { reason: "content_filter" },
        output: [],
      }),
  ],
];

for (const [what, reply] of FAULTS) {
  Deno.test(`${what} from the text model is a 503 with Retry-After, and nothing is lost`, async () => {
    await withTexts(async (server, compose) => {
      server.always(reply);
      const answer = await compose();
      assertEquals([answer.status, (await answer.json()).error.code], [503, "serviceUnavailable"]);
      assert(Number(answer.headers.get("retry-after")) > 0);
      server.always(good);
      assertEquals((await compose()).status, 200);
    });
  });
}

const moderated = { type: "invalid_request_error", code: "content_policy_violation", message: "" };
const PERMANENT: [string, Reply, RegExp][] = [
  ["a refusal", refusal, /^The text model declined on safety grounds\. Use other words\./],
  [
    "moderation",
    refused(400, moderated),
    /refused the prompt on safety grounds\. Use other words\./,
  ],
  [
    "401",
    refused(401, { code: "invalid_api_key", message: "no" }),
    /after the service's operator has/,
  ],
];

for (const [what, reply, words] of PERMANENT) {
  Deno.test(`${what} says what to change, and not to try the same again`, async () => {
    await withTexts(async (server, compose) => {
      server.always(reply);
      const { message } = (await (await compose()).json()).error;
      assertMatch(message, words);
      assertMatch(message, /Nothing was changed\.$/);
      assert(!message.includes("did not answer"), message);
    });
  });
}

Deno.test("a passing fault says to try again", async () => {
  await withTexts(async (server, compose) => {
    server.always(refused(500, { type: "server_error", code: null, message: "oops" }));
    const { message } = (await (await compose()).json()).error;
    assertMatch(message, /provider failed \(500\)\. Nothing was changed; try again shortly\.$/);
  });
});

Deno.test("a hanging text model is given up in time", async () => {
  await withTexts(async (server, compose) => {
    const hanging = Promise.withResolvers<Response>();
    server.next(() => hanging.promise);
    assertEquals((await compose()).status, 503);
    hanging.resolve(new Response());
  }, 300);
});
