/** Every command in the README works as it is written there. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { leaveOutPast } from "../support/no_past.ts";
import { freePort } from "../support/process.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const README = await Deno.readTextFile(`${ROOT}README.md`);
const SECRET = /mq_[0-9A-Za-z]{49}/;

/** The README's shell commands, one string each, continued lines joined. */
const COMMANDS = [...README.matchAll(/^```sh\n(.*?)^```$/gms)]
  .flatMap(([, block]) => block!.replaceAll(/\\\n\s*/g, "").trim().split("\n"));

/** Tasks that can't run inside the tests: they run the tests, serve, or reach a cloud. */
const ELSEWHERE = /task (?:dev|test|start|ok|bench|deploy|rehearse)\b/;

async function shell(command: string, env: Record<string, string>) {
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: ["-c", command],
    cwd: ROOT,
    env,
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** `deno task dev` until it has said its greeting. */
async function startDev(env: Record<string, string>) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "dev"],
    cwd: ROOT,
    env,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let text = "";
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  while (!/\ncurl .*perPage=1"\n/.test(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`dev ended: ${text}`);
    text += value;
  }
  const drained = (async () => {
    while (!(await reader.read()).done);
  })();
  return {
    text,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await drained;
    },
  };
}

Deno.test("dev greets with a key and three commands, and they and the README's work as pasted", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-test-" });
  const port = freePort();
  const env = { DATA_DIR: dataDir, PORT: String(port) };
  let key = "";
  {
    await using dev = await startDev(env);
    await leaveOutPast(dataDir);
    key = SECRET.exec(dev.text)?.[0] ?? "";
    const greeted = dev.text.split("\n").filter((line) => line.startsWith("curl "));
    assertEquals(greeted.length, 3);
    const listed = COMMANDS.filter((command) => !ELSEWHERE.test(command));
    assert(listed.length >= 8);
    const shellEnv = { ...env, KEY: key, PATH: await pathWithDeno(dataDir) };
    for (const command of [...greeted, ...listed]) {
      const here = command.replaceAll("127.0.0.1:8000", `127.0.0.1:${port}`);
      const { code, stdout, stderr } = await shell(here, shellEnv);
      assertEquals(code, 0, `${command}: ${stderr}`);
      const answer = JSON.parse(stdout);
      assertEquals(answer.error?.code, undefined, `${command}: ${stdout}`);
      if (here.includes("/v1/")) assert(answer.data?.length !== 0, `${command} returns nothing`);
    }
  }
  {
    await using again = await startDev(env);
    assertEquals(SECRET.exec(again.text)?.[0], key, "a second start shows the same key");
    assertMatch(again.text, /sign in +http:\S+\?token=\S+\n/);
  }
  await Deno.remove(dataDir, { recursive: true });
});

/** A PATH on which `deno` is the one that runs the tests. */
async function pathWithDeno(dir: string): Promise<string> {
  const bin = `${dir}/bin`;
  await Deno.mkdir(bin, { recursive: true });
  await Deno.symlink(Deno.execPath(), `${bin}/deno`);
  return `${bin}:${Deno.env.get("PATH")}`;
}
