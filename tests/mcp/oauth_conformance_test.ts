/** The conformance suite's scenarios for authorization servers, with a person who lets the suite in. */
import { assert, assertEquals } from "@std/assert";
import { decide, HandMadeApp, served } from "../support/oauth.ts";
import { npmTool } from "../support/npm_tool.ts";
import { freePort } from "../support/process.ts";
import { studioPerson } from "../support/studio.ts";

// Released versions have no such scenarios yet.
const suite = await npmTool("npm:@modelcontextprotocol/conformance@0.2.0-alpha.12");
const SCENARIOS = ["authorization-server-metadata-endpoint", "authorization-code-grant"];

Deno.test({
  name: `the conformance suite gets its code and tokens, and likes the metadata${suite.needs}`,
  ignore: suite.ignore,
  fn: async () => {
    await using s = await served();
    const person = await studioPerson(s.t);
    const port = freePort();
    const { id } = await HandMadeApp.registered(s.t, [`http://127.0.0.1:${port}/callback`]);
    const dir = await Deno.makeTempDir({ prefix: "marquee-test-" });
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--no-lock", "--quiet", suite.specifier, "authorization"],
        ...["--url", s.url, "--client-id", id, "--resource", `${s.url}/mcp`],
        ...["--port", String(port), "--output-dir", dir],
      ],
      env: { NO_COLOR: "1" },
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    let output = "";
    let isLetIn = false;
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      output += text;
      const [, address] = /^(http\S+\/studio\/authorize\S+)\n/m.exec(output) ?? [];
      if (address === undefined || isLetIn) continue;
      isLetIn = true;
      const { next } = await decide(person, address);
      await (await fetch(next)).body?.cancel();
    }
    const { code } = await child.status;
    const checks = await checksIn(dir);
    await Deno.remove(dir, { recursive: true });
    assertEquals(code, 0, output);
    assertEquals(checks.filter(({ status }) => status !== "SUCCESS"), []);
    for (const scenario of SCENARIOS) assert(output.includes(scenario), output);
    assert(checks.some(({ id }) => id === "authorization-code-grant"));
  },
});

interface Check {
  id: string;
  status: string;
}

async function checksIn(dir: string): Promise<Check[]> {
  const checks: Check[] = [];
  for await (const { name, isDirectory } of Deno.readDir(dir)) {
    if (isDirectory) checks.push(...await checksIn(`${dir}/${name}`));
    else if (name === "checks.json") {
      checks.push(...JSON.parse(await Deno.readTextFile(`${dir}/${name}`)));
    }
  }
  return checks;
}
