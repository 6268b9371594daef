/** The oldest Deno that the service runs on: Deno Deploy's, which may be behind the pinned one. */
import { assert, assertEquals } from "@std/assert";
import { BODY } from "../support/creations.ts";
import { startProcess } from "../support/process.ts";

const FLOOR = "2.5.0";
const JSON_TYPE = { "content-type": "application/json" };
const GIVE_UP_MS = 60_000;

/** The program at that version, from npm; null where it can't be had. */
async function floorDeno(): Promise<string | null> {
  const { success, stdout } = await new Deno.Command("npx", {
    args: ["--yes", `deno@${FLOOR}`, "eval", "console.log(Deno.execPath())"],
    stderr: "null",
  }).output().catch(() => ({ success: false, stdout: new Uint8Array() }));
  return success ? new TextDecoder().decode(stdout).trim() : null;
}

const deno = await floorDeno();
const skipped = deno === null ? ` (skipped: npx can't get deno@${FLOOR})` : "";

Deno.test({
  name: `Deno ${FLOOR} serves posts and paints an image with an overlay${skipped}`,
  ignore: deno === null,
  fn: async () => {
    const dataDir = await Deno.makeTempDir({ prefix: "marquee-floor-" });
    {
      // Deno Deploy permits everything, and this version does not know all flags of the tasks.
      const flags = ["--allow-all"];
      await using service = await startProcess({ dataDir, flags, mode: "dev", deno: deno ?? "" });
      const ask = (path: string, init: RequestInit = {}) =>
        fetch(service.url + path, {
          ...init,
          headers: { authorization: `Bearer ${secret}`, ...JSON_TYPE },
        });
      const secret = await printed(() => /mq_[0-9A-Za-z]{49}/.exec(service.printed)?.[0]);
      const posts = await (await ask("/v1/posts?sort=views&perPage=3")).json();
      assertEquals(posts.data.length, 3);
      const overlay = { template: "quoteCard", text: "Good morning — доброе утро" };
      const body = JSON.stringify({ ...BODY, overlay });
      const made = await (await ask("/v1/creations", { method: "POST", body })).json();
      const creation = await (await ask(`/v1/creations/${made.id}?wait=60`)).json();
      assertEquals([creation.status, creation.error], ["complete", null]);
      const bytes = new Uint8Array(await (await fetch(creation.url)).arrayBuffer());
      assertEquals([...bytes.subarray(0, 2)], [0xff, 0xd8], "no JPEG");
    }
    await Deno.remove(dataDir, { recursive: true });
  },
});

async function printed(look: () => string | undefined): Promise<string> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (let found = look();; found = look()) {
    if (found !== undefined) return found;
    assert(performance.now() < giveUpAt, "it is never printed");
    await new Promise((done) => setTimeout(done, 20));
  }
}
