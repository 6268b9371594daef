/** The receivers of the guide's page on events take what is ours, and nothing else. */
import { assert, assertEquals } from "@std/assert";
import { signedHeaders } from "../../domain/events/webhooks/signature.ts";
import { freePort } from "../support/process.ts";
import { testService } from "../support/service.ts";

const PAGE = await Deno.readTextFile(new URL("../../routes/docs/events.md", import.meta.url));
const MOST_LINES = 15;

const hasPython = await new Deno.Command("python3", { args: ["--version"] }).output()
  .then(({ success }) => success, () => false);

interface Language {
  name: string;
  file: string;
  command: string[];
  skip: boolean;
}

const LANGUAGES: Language[] = [
  { name: "ts", file: "receiver.ts", command: [Deno.execPath(), "run", "-A"], skip: false },
  { name: "python", file: "receiver.py", command: ["python3"], skip: !hasPython },
];

for (const { name, file, command, skip } of LANGUAGES) {
  Deno.test({
    name: `the receiver in ${name} takes our messages and no others${skip ? " (skipped)" : ""}`,
    ignore: skip,
    fn: async () => {
      const code = new RegExp(`\`\`\`${name}\\n(.*?)\`\`\``, "s").exec(PAGE)?.[1] ?? "";
      const lines = code.split("\n").filter((line) => line.trim() !== "");
      assert(lines.length > 1 && lines.length <= MOST_LINES, `${lines.length} lines`);
      const dir = await Deno.makeTempDir();
      await Deno.writeTextFile(`${dir}/${file}`, code);
      const port = freePort();
      const url = `http://127.0.0.1:${port}/`;
      await using t = await testService({
        environ: { ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port}` },
        at: Date.now(),
      });
      const { secret: key } = await t.brand();
      const made = await t.call(key, "/v1/webhooks", { method: "POST", body: { url } });
      const { id, secret } = await made.json();
      const child = new Deno.Command(command[0]!, {
        args: [...command.slice(1), `${dir}/${file}`],
        env: { WEBHOOK_SECRET: secret, PORT: String(port) },
        stdout: "piped",
        stderr: "null",
      }).spawn();
      await answers(url);

      await (await t.call(key, `/v1/webhooks/${id}/test`, { method: "POST" })).body?.cancel();
      await t.worker.drain();
      const { data: [delivery] } = await (await t.call(key, `/v1/webhooks/${id}/deliveries`))
        .json();
      assertEquals([delivery.status, delivery.error], [204, null]);

      const body = '{"type":"webhook.test"}';
      const post = async (headers: Record<string, string>) => {
        const answer = await fetch(url, { method: "POST", headers, body });
        await answer.body?.cancel();
        return answer.status;
      };
      const now = Date.now();
      assertEquals(await post(await signedHeaders([secret], "evt_1", now, body)), 204);
      assertEquals(await post(await signedHeaders([secret], "evt_2", now - 600_000, body)), 401);
      assertEquals(await post(await signedHeaders([secret], "evt_3", now, `${body} `)), 401);
      const other = `whsec_${new Uint8Array(32).toBase64()}`;
      assertEquals(await post(await signedHeaders([other], "evt_4", now, body)), 401);
      assertEquals(await post(await signedHeaders([other, secret], "evt_5", now, body)), 204);
      await breakOff(port);
      assertEquals(await post({}), 401);
      child.kill("SIGTERM");
      const { stdout } = await child.output();
      const said = new TextDecoder().decode(stdout).trim().split("\n");
      const taken = [delivery.eventId, "evt_1", "evt_5"].map((id) => `${id} webhook.test`);
      assertEquals(said, taken);
      await Deno.remove(dir, { recursive: true });
    },
  });
}

/** Resolves once something listens there. */
async function answers(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url, { method: "POST", body: "" }).catch(() => null);
    await answer?.body?.cancel();
    if (answer !== null) return;
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Sends the beginning of a message, and resolves once the receiver has noticed that no more comes. */
async function breakOff(port: number): Promise<void> {
  const socket = await Deno.connect({ hostname: "127.0.0.1", port });
  const begun = "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{";
  await socket.write(new TextEncoder().encode(begun));
  await socket.closeWrite();
  await new Response(socket.readable).body?.pipeTo(new WritableStream()).catch(() => {});
}
