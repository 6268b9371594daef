/** The protocol's own conformance suite against the whole service. */
import { assert, assertEquals } from "@std/assert";
import { SECOND } from "../../domain/foundation/calendar.ts";
import { itemsKit } from "../support/items.ts";
import { npmTool, runTool } from "../support/npm_tool.ts";
import { freePort } from "../support/process.ts";
import { type TestService, testService } from "../support/service.ts";

const suite = await npmTool("npm:@modelcontextprotocol/conformance@0.1.16");
const BASELINE = new URL("../data/conformance.yml", import.meta.url).pathname;

/** Scenarios that must be among those that pass, so that an empty run fails. */
const MUST_PASS = [
  ...["server-initialize", "ping", "tools-list", "tools-call-error", "resources-list"],
  ...["prompts-list", "dns-rebinding-protection", "server-sse-multiple-streams"],
  ...["resources-subscribe", "resources-unsubscribe", "tools-call-elicitation"],
];

/**
 * Adds the key to each request, because the suite can send no header, and puts what Marquee has in the
 * place of two of the suite's fixtures. No request meets the limit.
 */
function withKey(
  t: TestService,
  { secret, postId }: { secret: string; postId: string },
  port: number,
): Deno.HttpServer {
  const translated = (message: string) =>
    message.replaceAll("test://watched-resource", "marquee://events")
      .replaceAll(
        '"test_elicitation","arguments":{',
        `"publish_item","arguments":{"itemId":"${postId}",`,
      );
  return Deno.serve({ port, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const headers = new Headers(request.headers);
    headers.set("authorization", `Bearer ${secret}`);
    t.turn(SECOND);
    const { url, method, signal } = request;
    const body = method === "POST" ? translated(await request.text()) : null;
    if (body !== null) headers.set("content-length", `${new TextEncoder().encode(body).length}`);
    return t.app.request(new Request(url, { method, headers, signal, body }));
  });
}

Deno.test({
  name: `every scenario of the conformance suite that applies passes${suite.needs}`,
  ignore: suite.ignore,
  fn: async () => {
    const port = freePort();
    await using t = await testService({ environ: { PORT: String(port), SANDBOX: "on" } });
    const kit = await itemsKit(t);
    const creationIds = await kit.pictures(1);
    const fields = { creationIds, socialAccountId: kit.account.id, caption: "Fresh loaves" };
    const { id: postId } = await kit.schedule(fields);
    await using _ = withKey(t, { secret: kit.secret, postId }, port);
    const url = `http://127.0.0.1:${port}/mcp`;
    const dir = await Deno.makeTempDir({ prefix: "marquee-test-" });
    const { code, output, errors } = await runTool(suite, [
      ...["server", "--url", url, "--expected-failures", BASELINE, "--output-dir", dir],
    ]);
    await Deno.remove(dir, { recursive: true });
    assertEquals(code, 0, output + errors);
    assertEquals(await kit.published(), [], "the suite ticks no box, so nothing is published");
    for (const scenario of MUST_PASS) assert(output.includes(`✓ ${scenario}: `), output);
  },
});
