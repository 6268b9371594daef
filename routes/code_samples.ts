/** A request as curl, TypeScript and Python would send it: code made from an example. */
import type { Example } from "./examples.ts";
import type { Row } from "./row.ts";

export interface CodeSample {
  /** As code blocks and OpenAPI's `x-codeSamples` name it. */
  lang: "Shell" | "TypeScript" | "Python";
  label: string;
  source: string;
}

interface Sent {
  verb: string;
  url: string;
  headers: Record<string, string>;
  body: unknown;
}

/** The three samples of a row. Each reads the key from the environment variable MARQUEE_KEY. */
export function codeSamples(row: Row, example: Example, baseUrl: string): CodeSample[] {
  const sent = sentBy(row, example, baseUrl);
  const hasAnswer = example.answer !== undefined;
  const isText = typeof example.answer === "string";
  return [
    { lang: "Shell", label: "curl", source: curl(sent) },
    { lang: "TypeScript", label: "TypeScript", source: typescript(sent, hasAnswer, isText) },
    { lang: "Python", label: "Python", source: python(sent, hasAnswer, isText) },
  ];
}

function sentBy([verb, path]: Row, { request }: Example, baseUrl: string): Sent {
  const { path: ids = {}, query, headers = {}, body } = request;
  const filled = path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => encodeURIComponent(ids[name] ?? ""),
  );
  const asked = query === undefined ? "" : `?${new URLSearchParams(query)}`;
  const type: Record<string, string> = body === undefined
    ? {}
    : { "Content-Type": "application/json" };
  return { verb, url: `${baseUrl}${filled}${asked}`, headers: { ...headers, ...type }, body };
}

function curl({ verb, url, headers, body }: Sent): string {
  const lines = [
    verb === "GET" ? `curl ${shell(url)}` : `curl -X ${verb} ${shell(url)}`,
    '  -H "Authorization: Bearer $MARQUEE_KEY"',
    ...Object.entries(headers).map(([name, value]) => `  -H ${shell(`${name}: ${value}`)}`),
    ...body === undefined ? [] : [`  -d ${shell(JSON.stringify(body, null, 2))}`],
  ];
  return lines.join(" \\\n");
}

function shell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function typescript(sent: Sent, hasAnswer: boolean, isText: boolean): string {
  const { verb, url, headers, body } = sent;
  const lines = [
    `const answer = await fetch(${JSON.stringify(url)}, {`,
    ...verb === "GET" ? [] : [`  method: "${verb}",`],
    "  headers: {",
    "    Authorization: `Bearer ${process.env.MARQUEE_KEY}`,",
    ...Object.entries(headers).map(([name, value]) =>
      `    ${/^\w+$/.test(name) ? name : `"${name}"`}: ${JSON.stringify(value)},`
    ),
    "  },",
    ...body === undefined ? [] : [`  body: JSON.stringify(${indented(body, "  ")}),`],
    "});",
    "if (!answer.ok) throw new Error((await answer.json()).error.code);",
    ...hasAnswer ? [`console.log(await answer.${isText ? "text" : "json"}());`] : [],
  ];
  return lines.join("\n");
}

/** JSON over several lines, of which all but the first are indented. */
function indented(value: unknown, by: string): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${by}`);
}

function python({ verb, url, headers, body }: Sent, hasAnswer: boolean, isText: boolean): string {
  // With `json` the library sends the type itself.
  const own = Object.entries(headers).filter(([name]) => name !== "Content-Type");
  const lines = [
    "import os",
    "import requests",
    "",
    `answer = requests.${verb.toLowerCase()}(`,
    `    ${JSON.stringify(url)},`,
    "    headers={",
    `        "Authorization": "Bearer " + os.environ["MARQUEE_KEY"],`,
    ...own.map(([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
    "    },",
    ...body === undefined ? [] : [`    json=${literal(body, "    ")},`],
    ")",
    "answer.raise_for_status()",
    ...hasAnswer ? [`print(answer.${isText ? "text" : "json()"})`] : [],
  ];
  return lines.join("\n");
}

/** A value as Python writes it. */
function literal(value: unknown, indent: string): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const deeper = `${indent}    `;
  const isArray = Array.isArray(value);
  const entries = isArray
    ? value.map((inner) => literal(inner, deeper))
    : Object.entries(value).map(([name, inner]) =>
      `${JSON.stringify(name)}: ${literal(inner, deeper)}`
    );
  const [open, close] = isArray ? "[]" : "{}";
  if (entries.length === 0) return `${open}${close}`;
  return `${open}\n${entries.map((entry) => `${deeper}${entry},\n`).join("")}${indent}${close}`;
}
