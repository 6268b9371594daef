/** The reference's examples are what the service answers: the story that gave them is performed again. */
import { assert, assertEquals } from "@std/assert";
import { TABLE } from "../../routes/table.ts";
import { codeSamples } from "../../routes/code_samples.ts";
import { type Example, exampleOf, readExamples } from "../../routes/examples.ts";
import { story } from "../support/example_story.ts";
import { performed, write } from "../support/examples.ts";
import { testService } from "../support/service.ts";

const IS_RECORDING = Deno.env.get("EXAMPLES") === "record";

Deno.test("every row's example is what the running service answers (EXAMPLES=record renews them)", async () => {
  const now = await performed(story);
  if (IS_RECORDING) await write(now);
  const kept = await readExamples();
  for (const [row, example] of Object.entries(now)) {
    assertEquals(kept[row], example as Example, row);
  }
  assertEquals(Object.keys(kept), Object.keys(now));
  for (const [row, { refusals }] of Object.entries(now)) {
    assert(refusals.length >= 1 && refusals.length <= 4, `${row}: ${refusals.length} refusals`);
  }
});

Deno.test("the description and the markdown show every row's example, in three languages", async () => {
  await using t = await testService();
  const { paths } = await (await t.request(null, "/v1/openapi.json")).json();
  const markdown = await (await t.request(null, "/docs.md")).text();
  const examples = await readExamples();
  for (const row of TABLE) {
    const [verb, path, , status] = row;
    const { responses, requestBody, ...shown } = paths[path][verb.toLowerCase()];
    const example = exampleOf(examples, row)!;
    const content = Object.values(responses[status].content ?? {}) as { example: unknown }[];
    assertEquals(content[0]?.example, example.answer, path);
    assertEquals(requestBody?.content["application/json"].example, example.request.body, path);
    for (const { status, code, message } of example.refusals) {
      const { value } = responses[status].content["application/json"].examples[code];
      assertEquals(value, { error: { code, message } });
    }
    const samples = codeSamples(row, example, t.service.settings.BASE_URL);
    assertEquals(shown["x-codeSamples"], samples);
    assertEquals(samples.map(({ lang }) => lang), ["Shell", "TypeScript", "Python"]);
    for (const { source } of samples) assert(markdown.includes(source), source);
  }
});

/** A program that gets a sample on its standard input; null: this machine has not got it. */
async function runs(command: string, args: string[], source: string, key: string) {
  try {
    const child = new Deno.Command(command, {
      args,
      env: { MARQUEE_KEY: key, NO_COLOR: "1" },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(source));
    await writer.close();
    const { code, stdout, stderr } = await child.output();
    const decoder = new TextDecoder();
    return { code, output: decoder.decode(stdout), errors: decoder.decode(stderr) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

Deno.test("samples run as they are pasted, against a service on a real socket", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    t.turn(1_000);
    return t.app.fetch(request);
  });
  const base = `http://127.0.0.1:${server.addr.port}`;
  const examples = await readExamples();
  const rows = ["GET /v1/brand", "PUT /v1/brand-kit", "POST /v1/creations", "GET /v1/posts"];
  for (const row of TABLE.filter(([verb, path]) => rows.includes(`${verb} ${path}`))) {
    const example = exampleOf(examples, row)!;
    for (const { lang, source } of codeSamples(row, example, base)) {
      const told = lang === "Shell"
        ? await runs("sh", ["-s"], source, secret)
        : lang === "TypeScript"
        ? await runs(Deno.execPath(), ["run", "-A", "-"], source, secret)
        : await runs("python3", ["-"], source, secret);
      const isMissing = told === null || /not found|No module named 'requests'/.test(told.errors);
      if (isMissing) continue;
      assertEquals(told.code, 0, `${lang} of ${row[1]}: ${told.errors}\n${source}`);
      assert(told.output.includes("{"), `${lang} of ${row[1]}: ${told.output}`);
    }
  }
  await server.shutdown();
});

Deno.test("every Python sample is Python", async () => {
  const examples = await readExamples();
  const sources = TABLE.map((row) =>
    codeSamples(row, exampleOf(examples, row)!, "http://127.0.0.1")[2]!.source
  );
  const program = "import ast, json\nfor s in json.loads(" +
    `${JSON.stringify(JSON.stringify(sources))}): ast.parse(s)\n`;
  const told = await runs("python3", ["-"], program, "");
  assertEquals(told?.code ?? 0, 0, told?.errors);
});
