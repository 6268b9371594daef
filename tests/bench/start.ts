/** Cold start to the first answered request, against an empty Hono + zod program. */
import { admin, freePort, launch } from "../support/process.ts";
import { type Bench, median } from "./figure.ts";

const EMPTY_PROGRAM = `
import { Hono } from "hono";
import { z } from "zod";
const Query = z.object({ page: z.coerce.number().default(1) });
const app = new Hono().get("/v1/posts", (c) => c.json(Query.parse(c.req.query())));
Deno.serve({ port: Number(Deno.args[0]), hostname: "127.0.0.1", onListen: () => {} }, app.fetch);
`;

export const bench: Bench = async ({ quick }) => {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-bench-" });
  // Inside the project, so that both programs resolve the same pinned packages.
  const empty = await Deno.makeTempFile({ dir: dataDir, suffix: ".ts" });
  await Deno.writeTextFile(empty, EMPTY_PROGRAM);
  const brand = await admin(dataDir, ["brand", "create", "--name", "B", "--plan", "studio"]);
  const key = await admin(dataDir, ["key", "create", "--brand", brand.id, "--scopes", "postsRead"]);
  const ours: number[] = [];
  const bare: number[] = [];
  // The first round of each fills the caches of compiled code and is not counted.
  for (let round = 0; round <= (quick ? 2 : 9); round++) {
    const bareMs = await timeToAnswer((port) => spawnEmpty(empty, port), "");
    const oursMs = await timeToAnswer((port) => launchOurs(dataDir, port), key.secret);
    if (round === 0) continue;
    bare.push(bareMs);
    ours.push(oursMs);
  }
  await Deno.remove(dataDir, { recursive: true });
  return [{
    name: "cold start to the first answered request / an empty Hono + zod program",
    measured: median(ours) / median(bare),
    atMost: 2.5,
    note: `${Math.round(median(ours))} ms and ${Math.round(median(bare))} ms`,
  }];
};

interface Started {
  stop(): Promise<unknown>;
}

function launchOurs(dataDir: string, port: number): Started {
  const service = launch({ dataDir, port });
  return { stop: () => service.kill() };
}

function spawnEmpty(file: string, port: number): Started {
  const config = new URL("../../deno.json", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-net", "--config", config, file, String(port)],
    stdout: "null",
    stderr: "null",
  }).spawn();
  return {
    stop() {
      child.kill("SIGKILL");
      return child.status;
    },
  };
}

async function timeToAnswer(start: (port: number) => Started, secret: string): Promise<number> {
  const port = freePort();
  const headers = { authorization: `Bearer ${secret}` };
  const startedAt = performance.now();
  const program = start(port);
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/posts`, { headers }).catch(() => null);
    if (answer !== null) {
      if (answer.status !== 200) throw new Error(`The first request answered ${answer.status}`);
      await answer.body?.cancel();
      const elapsed = performance.now() - startedAt;
      await program.stop();
      return elapsed;
    }
    await new Promise((done) => setTimeout(done, 2));
  }
}
