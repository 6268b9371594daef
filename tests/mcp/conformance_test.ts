/** The protocol's own conformance suite against the whole service. */
import { assert, assertEquals } from "@std/assert";
import { SECOND } from "../../domain/foundation/calendar.ts";
import { npmTool, runTool } from "../support/npm_tool.ts";
import { freePort } from "../support/process.ts";
import { type TestService, testService } from "../support/service.ts";

const suite = await npmTool("npm:@modelcontextprotocol/conformance@0.1.16");
const BASELINE = new URL("../data/conformance.yml", import.meta.url).pathname;

/** Scenarios that must be among those that pass, so that an empty run fails. */
const MUST_PASS = [
  ...["server-initialize", "ping", "tools-list", "tools-call-error", "resources-list"],
  ...["prompts-list", "dns-rebinding-protection"],
];

/** Adds the key to each request, because the suite can send no header. No request meets the limit. */
function withKey(t: TestService, secret: string, port: number): Deno.HttpServer {
  return Deno.serve({ port, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const headers = new Headers(request.headers);
    headers.set("authorization", `Bearer ${secret}`);
    t.turn(SECOND);
    return t.app.request(new Request(request, { headers }));
  });
}

Deno.test({
  name: `every scenario of the conformance suite that applies passes${suite.needs}`,
  ignore: suite.ignore,
  fn: async () => {
    const port = freePort();
    await using t = await testService({ environ: { PORT: String(port) } });
    const { secret } = await t.brand();
    await using _ = withKey(t, secret, port);
    const url = `http://127.0.0.1:${port}/mcp`;
    const dir = await Deno.makeTempDir({ prefix: "marquee-test-" });
    const { code, output, errors } = await runTool(suite, [
      ...["server", "--url", url, "--expected-failures", BASELINE, "--output-dir", dir],
    ]);
    await Deno.remove(dir, { recursive: true });
    assertEquals(code, 0, output + errors);
    for (const scenario of MUST_PASS) assert(output.includes(`✓ ${scenario}: `), output);
  },
});
