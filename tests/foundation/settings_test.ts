/** Settings: the spellings that each accepts and refuses. */
import { assertEquals, assertThrows } from "@std/assert";
import { type Environ, readSettings, SettingsError } from "../../domain/foundation/settings.ts";

const read = (environ: Environ) => readSettings({ SANDBOX: "on", ...environ }, "dev");

function assertRefused(environ: Environ, words: string): void {
  assertThrows(() => read(environ), SettingsError, words);
}

Deno.test("a switch takes the common spellings of on and off, and nothing else", () => {
  for (const name of ["SANDBOX", "TRUST_PROXY", "S3_FORCE_PATH_STYLE"] as const) {
    for (const on of ["on", "true", "1", "yes", "True"]) {
      assertEquals(read({ [name]: on })[name], true);
    }
    for (const off of ["off", "false", "0", "no", "OFF"]) {
      assertEquals(read({ [name]: off })[name], false);
    }
    assertRefused({ [name]: "perhaps" }, `${name}: must be on or off`);
  }
  const { TRUST_PROXY, S3_FORCE_PATH_STYLE } = read({ TRUST_PROXY: "" });
  assertEquals([TRUST_PROXY, S3_FORCE_PATH_STYLE], [false, false]);
});

Deno.test("CLOCK takes ISO 8601 with an offset, and never guesses one", () => {
  const newYear = Date.parse("2027-01-01T00:00:00Z");
  for (
    const instant of [
      ...["2027-01-01T00:00:00Z", "2027-01-01T00:00:00.000Z", "2027-01-01T00:00Z"],
      ...["2027-01-01T02:00:00+02:00", "2027-01-01T02:00:00+0200", "2027-01-01T02:00+02"],
      ...["2026-12-31T18:30-0530", "2026-12-31T18:30:00.0-05:30"],
    ]
  ) assertEquals(read({ CLOCK: instant }).CLOCK, newYear, instant);
  for (
    const none of [
      ...["2027-01-01", "2027-01-01T00:00", "2027-01-01T00:00:00", "2027-02-30T00:00Z", "tomorrow"],
      ...["1798761600", "2027-01-01T25:00Z", "2027-01-01T00:00+25", "2027-01-01 00:00Z"],
    ]
  ) assertRefused({ CLOCK: none }, "CLOCK: must be an ISO 8601 instant");
});
