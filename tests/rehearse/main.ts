/**
 * `deno task rehearse [DAYS]`: a week on three instances as on Deno Deploy, and what became of it.
 * `deno task rehearse crowd [SERIES ACCOUNTS]`: many series and accounts, with a kill each 5 seconds.
 */
import { hasDenokv } from "../support/denokv.ts";
import { crowd } from "./crowd.ts";
import { rehearse } from "./week.ts";

const print = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));

if (!hasDenokv) {
  print("A rehearsal needs denokv: .ci/denokv builds it into target/denokv/bin.");
  Deno.exit(1);
}
const [what = "7", series = "200", accounts = "100"] = Deno.args;
const counts = what === "crowd"
  ? await crowd(Number(series), Number(accounts))
  : await rehearse(Number(what));
let missed = 0;
print("| count | measured | must |\n|---|---|---|");
for (const { name, measured, must } of counts) {
  const holds = must === undefined || must === measured;
  if (!holds) missed++;
  print(`| ${name} | ${measured} | ${must ?? "stated"}${holds ? "" : " MISSED"} |`);
}
Deno.exit(missed === 0 ? 0 : 1);
