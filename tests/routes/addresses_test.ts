/** A service behind a proxy, whose public address its own machine may not reach. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { signInFor } from "../../domain/platforms/connectors/connectors.ts";
import { publishPost } from "../../domain/platforms/publish.ts";
import { Platform } from "../../domain/posts/shape.ts";
import { readSettings } from "../../domain/foundation/settings.ts";
import { admin, startProcess } from "../support/process.ts";
import { rehearse } from "../support/rehearsal.ts";

const BASE_URL = "https://marquee.invalid/studio";
const PUBLIC = { BASE_URL, SANDBOX: "on", SANDBOX_PUBLIC: "on" };

Deno.test("the service calls itself where it listens, and on Deploy at its public address", () => {
  const own = (environ: Record<string, string>) =>
    readSettings({ ...PUBLIC, ...environ }, "dev").ownUrl;
  assertEquals(own({}), "http://127.0.0.1:8000");
  assertEquals(own({ PORT: "9000", HOST: "localhost" }), "http://localhost:9000");
  assertEquals(own({ HOST: "0.0.0.0" }), "http://127.0.0.1:8000");
  assertEquals(own({ HOST: "::" }), "http://[::1]:8000");
  assertEquals(own({ DENO_DEPLOY: "1" }), BASE_URL);
});

Deno.test("the sandbox works behind a public address that can't be reached", async () => {
  await using r = await rehearse({ environ: PUBLIC });
  for (const platform of Platform.options) {
    const account = await r.connect(platform);
    if (platform === "youtube") continue;
    const attempt = await r.attempt(account);
    const outcome = await publishPost(r.service, attempt);
    assertEquals(outcome.state, "published", JSON.stringify(outcome));
  }
  const report = await r.pass();
  assertEquals([report["accounts"], report["failed"]], [3, 0]);
});

Deno.test("a browser is sent to the consent page at the public address", async () => {
  await using r = await rehearse({ environ: PUBLIC });
  for (const platform of Platform.options) {
    const page = signInFor(r.service, platform, false).authorizeUrl(
      "https://x.example",
      "state",
      "challenge",
    );
    assertStringIncludes(page, `${BASE_URL}/sandbox/${platform}/`);
  }
});

Deno.test("admin reaches the sandbox of a service behind such an address, whatever its settings say", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-test-" });
  {
    await using service = await startProcess({ dataDir, environ: PUBLIC });
    const brand = await admin(dataDir, ["brand", "create", "--name", "B", "--plan", "studio"]);
    const connect = ["social", "connect", "--brand", brand.id, "--platform", "linkedin"];
    await admin(dataDir, [...connect, "--sandbox", "acme"]);
    for (const environ of [{}, { BASE_URL }, { PORT: String(service.port) }]) {
      const report = await admin(dataDir, ["pass", "run", "metrics"], environ);
      assertEquals([report.accounts, report.failed], [1, 0]);
    }
    const foreign = { SECRET_KEY: "another secret altogether, and long enough" };
    const report = await admin(dataDir, ["pass", "run", "metrics"], foreign);
    assert(report.posts > 0, "it finds the service to which it leaves the work");
  }
  await Deno.remove(dataDir, { recursive: true });
});
