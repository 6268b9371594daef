/** The wire is as it was recorded: the descriptions, and a tour through every row and tool. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { findTool } from "../../mcp/tools.ts";
import { TABLE } from "../../routes/table.ts";
import { exact, openTour, ROWS, TOOL_NAMES } from "../support/tour.ts";
import { lists, mcpTour, smallPlan } from "../support/tour_mcp.ts";
import { insightsTour } from "../support/tour_insights.ts";
import { restTour } from "../support/tour_rest.ts";

const FOLDER = new URL("../data/tour/", import.meta.url);
const IS_RECORDING = Deno.env.get("TOUR") === "record";
/** What fits into so many characters is printed on one line. */
const WIDTH = 120;
/** Lines of a file that are shown around the first one that differs. */
const AROUND = 12;

Deno.test("every row and every tool answers as it was recorded", async () => {
  await using tour = await openTour();
  const openapi = exact(await tour.text("GET /v1/openapi.json"));
  const { whole, byScope } = await lists(tour);
  const tools = Object.fromEntries(
    Object.entries(whole).map(([method, text]) => [method, exact(text as string)]),
  );
  await restTour(tour);
  await mcpTour(tour);
  await smallPlan(tour);
  await insightsTour(tour);

  for (const name of [...ROWS, ...TOOL_NAMES]) {
    assert(tour.met.has(`${name} done`), `${name} never worked`);
    assert(tour.met.has(`${name} refused`), `${name} was never refused`);
  }
  for (const [name, left] of tour.audit.left) auditedOnce(name, left);
  await compare("openapi.json", withoutExamples(openapi));
  await compare("tools.json", { ...tools, toolsByScope: byScope });
  await compare("tour.json", tour.entries);
});

/** Examples have a recording of their own, which `tests/routes/examples_test.ts` holds. */
function withoutExamples(description: unknown): unknown {
  const isShown = (name: string, value: unknown) =>
    name === "example" || name === "x-codeSamples" ||
    (name === "examples" && typeof value === "object" && value !== null &&
      Object.values(value).every((one) => Object.hasOwn(one, "value")));
  return JSON.parse(
    JSON.stringify(description),
    (name, value) => isShown(name, value) ? undefined : value,
  );
}

/** They need a scope of writing, but write nothing. */
const ONLY_READ = [
  ...["composePrompt", "listOrganizations"],
  ...["listWebhooks", "getWebhook", "listWebhookDeliveries"],
];

/** Every operation that writes leaves one row of the key that called, and no other leaves any. */
function auditedOnce(name: string, left: string[]): void {
  const operation = TABLE.find(([verb, path]) => `${verb} ${path}` === name)?.[2] ??
    findTool(name)!.operation;
  const writes = operation.scopes.every((scope) => scope.endsWith("Write")) &&
    !ONLY_READ.includes(operation.id);
  // A refusal leaves none, and neither does what changes nothing, as skipping twice.
  const rows = new Set(left.filter((each) => each !== ""));
  for (const each of rows) assertMatch(each, /^\w+\.\w+ by key$/, `${name} left ${each}`);
  assertEquals(rows.size > 0, writes, `${name} in the audit trail: ${[...rows].join("; ")}`);
}

/** Keeps every value and its order: the same text is the same bytes on the wire. */
function pretty(value: unknown, indent = ""): string {
  const flat = JSON.stringify(value);
  if (typeof value !== "object" || value === null) return flat;
  if (indent.length + flat.length <= WIDTH) return flat;
  const deeper = `${indent} `;
  const lines = Array.isArray(value)
    ? value.map((entry) => deeper + pretty(entry, deeper))
    : Object.entries(value).map(([name, entry]) =>
      `${deeper}${JSON.stringify(name)}: ${pretty(entry, deeper)}`
    );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

/** Compares with the recording, or writes it. A difference is shown with the lines around it. */
async function compare(name: string, value: unknown): Promise<void> {
  const path = new URL(name, FOLDER);
  const text = `${pretty(value)}\n`;
  if (IS_RECORDING) return await Deno.writeTextFile(path, text);
  const recorded = (await Deno.readTextFile(path)).split("\n");
  const lines = text.split("\n");
  const at = lines.findIndex((line, at) => line !== recorded[at]);
  if (at < 0) return assertEquals(lines.length, recorded.length, `${name} ends early`);
  const shown = (all: string[]) => all.slice(Math.max(0, at - AROUND), at + AROUND);
  assertEquals(shown(lines), shown(recorded), `${name} differs from line ${at + 1} on`);
}
