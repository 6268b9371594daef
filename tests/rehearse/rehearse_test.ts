/** A day of the rehearsal: three instances as on Deno Deploy, on one denokv. */
import { assert, assertEquals } from "@std/assert";
import { hasDenokv } from "../support/denokv.ts";
import { rehearse } from "./week.ts";

Deno.test({
  name: "a day on instances that come and go loses nothing and does nothing twice" +
    (hasDenokv ? "" : " (skipped: denokv is not installed)"),
  ignore: !hasDenokv,
  fn: async () => {
    const counts = await rehearse(1);
    for (const { name, measured, must } of counts) {
      if (must !== undefined) assertEquals(measured, must, name);
    }
    assert(counts.some(({ must }) => must === 2), "nothing was due");
  },
});
