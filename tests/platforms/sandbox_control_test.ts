/** The sandbox's own calls take only bounded bodies, and none from other sites' pages. */
import { assertEquals, assertThrows } from "@std/assert";
import { readSettings, SettingsError } from "../../domain/foundation/settings.ts";
import { testService } from "../support/service.ts";

Deno.test("a control takes at most 256 KiB", async () => {
  await using t = await testService();
  const body = { handle: "x".repeat(300_000) };
  const answer = await t.request(null, "/sandbox/instagram/handles", { method: "POST", body });
  assertEquals(answer.status, 400);
  assertEquals((await answer.json()).error.message, "The body must be at most 256 KiB of JSON.");
});

Deno.test("a page of another site can't use the controls", async () => {
  await using t = await testService();
  const call = async (origin: string | null, method = "POST", control = "handles") => {
    const headers: HeadersInit = origin === null ? {} : { origin };
    const body = method === "POST" ? JSON.stringify({ handle: "acme" }) : null;
    const path = `/sandbox/instagram/${control}`;
    const answer = await t.app.request(path, { method, headers, body });
    await answer.body?.cancel();
    return answer.status;
  };
  assertEquals(await call("https://evil.example"), 403);
  assertEquals(await call("https://evil.example", "DELETE", "faults"), 403);
  assertEquals(await call(t.service.settings.BASE_URL), 200);
  assertEquals(await call(null), 200);
  assertEquals(await call(null, "DELETE", "faults"), 204);
});

Deno.test("the sandbox at an address that others can reach needs SANDBOX_PUBLIC=on", () => {
  const secret = { SECRET_KEY: "a secret for tests only, and long enough" };
  const read = (environ: Record<string, string>, mode: "dev" | "start" | "admin" = "start") =>
    readSettings({ ...secret, SANDBOX: "on", ...environ }, mode).SANDBOX;
  for (
    const BASE_URL of ["https://marquee.example", "http://10.0.0.7:8000", "http://127.evil.example"]
  ) {
    for (const mode of ["start", "dev"] as const) {
      assertThrows(() => read({ BASE_URL }, mode), SettingsError, "SANDBOX_PUBLIC=on");
    }
    assertEquals(read({ BASE_URL, SANDBOX_PUBLIC: "on" }), true);
    assertEquals(read({ BASE_URL, SANDBOX: "off" }), false);
    assertEquals(read({ BASE_URL }, "admin"), true);
  }
  for (const BASE_URL of ["http://localhost:8000", "http://127.0.0.1", "http://[::1]:8000/a"]) {
    assertEquals(read({ BASE_URL }), true);
  }
});
