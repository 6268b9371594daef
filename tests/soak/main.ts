/**
 * `deno task soak [--hours H] [--minutes M] [--seed S] [--pace P]`: everything at work for so long
 * (10 minutes) while things go wrong as the seed draws them; then the books are checked. A pace of 2
 * does twice as much in the same time. `--errors` prints what the processes logged as errors.
 */
import { parseArgs } from "node:util";
import { HOUR, MINUTE } from "../../domain/foundation/calendar.ts";
import { hasDenokv } from "../support/denokv.ts";
import { hasHaproxy } from "../support/haproxy.ts";
import { drawSchedule, fingerprint } from "./schedule.ts";
import { soak } from "./soak.ts";

const DEFAULT_MINUTES = 10;
/** Problems of one kind that are printed. */
const SHOWN = 8;

const print = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));

if (!hasDenokv || !hasHaproxy) {
  print("A soak needs denokv (.ci/denokv builds it) and haproxy (.ci/haproxy installs it).");
  Deno.exit(1);
}
const { values } = parseArgs({
  args: Deno.args,
  options: {
    hours: { type: "string", default: "0" },
    minutes: { type: "string", default: "0" },
    seed: { type: "string", default: crypto.randomUUID().slice(0, 8) },
    pace: { type: "string", default: "1" },
    errors: { type: "boolean", default: false },
  },
});
const asked = Number(values.hours) * HOUR + Number(values.minutes) * MINUTE;
const lastsMs = asked > 0 ? asked : DEFAULT_MINUTES * MINUTE;
const schedule = drawSchedule(values.seed, lastsMs, Number(values.pace));
const { steps, mishaps } = schedule;
print(
  `seed ${schedule.seed}, schedule ${fingerprint(schedule)}: ${lastsMs / MINUTE} minutes, ` +
    `${steps.length} actions, ${mishaps.length} faults`,
);
const startedAt = performance.now();
const { findings, errors } = await soak(schedule, (line) => {
  print(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
});
print("\n| what | count | wrong |\n|---|---|---|");
for (const { name, looked, wrong, note } of findings) {
  const words = note === undefined ? "" : ` (${note})`;
  print(`| ${name} | ${looked}${words} | ${wrong.length === 0 ? "0" : `**${wrong.length}**`} |`);
}
const problems = findings.flatMap(({ name, wrong }) =>
  wrong.slice(0, SHOWN).map((words) => `${name}: ${words}`)
);
for (const problem of problems) print(`WRONG ${problem}`);
if (values.errors) { for (const line of errors) print(line); }
if (problems.length > 0) {
  print(
    `Again: deno task soak --minutes ${
      lastsMs / MINUTE
    } --seed ${schedule.seed} --pace ${values.pace}`,
  );
}
Deno.exit(problems.length === 0 ? 0 : 1);
