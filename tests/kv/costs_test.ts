/** The guide's table of costs, held against what the service asks of its store. */
import { assert, assertEquals } from "@std/assert";
import { type Cost, measureCosts } from "../support/costs.ts";

/** How far a figure of the page may be from the measured one: polls make some of them vary. */
const TOLERANCE = 0.35;

/** The page's figures by the words of their row: reads, values and bytes read, then written. */
async function written(): Promise<Map<string, number[]>> {
  const page = await Deno.readTextFile(
    new URL("../../routes/docs/growing.md", import.meta.url),
  );
  const rows = page.split("\n").filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  return new Map(rows.map(([name = "", ...cells]) => [name, cells.map(numberIn)]));
}

const numberIn = (cell: string) => Number(cell.replaceAll(",", ""));

const figuresOf = (cost: Cost) => [
  ...[cost.reads, cost.valuesRead, cost.bytesRead],
  ...[cost.commits, cost.valuesWritten, cost.bytesWritten],
];

Deno.test("what the guide says of the store's costs is what the service asks of it", async () => {
  const rows = await written();
  for (const cost of await measureCosts()) {
    const told = rows.get(cost.name);
    assert(told, `growing.md has no row "${cost.name}"`);
    const measured = figuresOf(cost);
    assertEquals(told.length, measured.length);
    for (const [at, figure] of measured.entries()) {
      const apart = Math.abs((told[at] ?? NaN) - figure);
      // A figure below 1 is a share; polls make small ones vary by one.
      assert(
        apart <= Math.max(TOLERANCE * figure, figure < 1 ? 0.1 : 1),
        `${cost.name}: the page says ${told.join(", ")}; measured ${measured.join(", ")}`,
      );
    }
  }
});
