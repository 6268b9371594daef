/** Starts of `dev` that are about something else need no past of the demo brand, which takes a minute. */
import { assert } from "@std/assert";
import { transact } from "../../domain/kv/transact.ts";

const GIVE_UP_MS = 30_000;

/** Tells a `dev` that is starting on this folder to leave the past out. */
export async function leaveOutPast(dataDir: string): Promise<void> {
  using kv = await Deno.openKv(`${dataDir}/kv.sqlite3`);
  const giveUpAt = performance.now() + GIVE_UP_MS;
  const isTold = () =>
    transact(kv, async (commit) => {
      const demo = await commit.get<object>(["demo"]);
      if (demo !== null) commit.set(["demo"], { ...demo, lacksPast: false });
      return demo !== null;
    });
  while (!await isTold()) {
    assert(performance.now() < giveUpAt, "dev does not begin to seed");
    await new Promise((done) => setTimeout(done, 20));
  }
}
