/** Log lines for a person at a terminal (`dev`): requests, warnings and errors, short. */
import type { Fields, Format, Level } from "./log.ts";

/** What a request's line says, or another event's on the line itself. */
const SAID = ["message", "error"];

/** Of events that are no requests, `info` is left out, unless `level` asks for everything. */
export function plainLine(level: Level): Format {
  return (time, lineLevel, event, fields) => {
    const clock = time.slice(11, 19);
    if (event === "request") return `${clock} ${requestWords(fields)}\n`;
    if (lineLevel === "info" && level !== "debug") return "";
    return `${clock} ${lineLevel} ${event}${eventWords(fields)}\n`;
  };
}

/** "GET /v1/posts 200 in 3.4 ms" */
function requestWords({ method, path, status, ms }: Fields): string {
  return printable(`${method} ${path} ${status} in ${ms} ms`);
}

/** ": The message. (account=soc_1, doing=publish)", and the stack of a fault below it. */
function eventWords({ stack, ...fields }: Fields): string {
  const said = SAID.flatMap((name) => typeof fields[name] === "string" ? [fields[name]] : []);
  const rest = Object.entries(fields)
    .filter(([name, value]) => value !== undefined && !SAID.includes(name))
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  const words = said.length === 0 ? "" : `: ${said.join(" ")}`;
  const facts = rest.length === 0 ? "" : ` (${rest.join(", ")})`;
  const calls = typeof stack === "string" ? stack.split("\n").slice(1) : [];
  return [printable(words + facts), ...calls.map(printable)].join("\n");
}

/** Shows control characters, so that no text from outside moves the terminal's cursor. */
function printable(text: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what it looks for
  return text.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, (found) => JSON.stringify(found).slice(1, -1));
}
