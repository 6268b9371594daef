/** Watches the memory and the open files of a process that is not restarted. */
import { MINUTE, SECOND } from "../../domain/foundation/calendar.ts";
import type { ServiceProcess } from "../support/process.ts";
import type { Finding } from "./books.ts";

const PAGE = 4_096;
/** Shorter soaks are over before a process has warmed up, so their numbers are only stated. */
const LONG_MS = 10 * MINUTE;
/** The last third against the middle one. */
const MOST_GROWTH = 1.05;
/**
 * Which of a third's values stands for it, from the lowest (0) to the highest (1). Open files follow
 * the requests of the moment, so a leak shows in what is held when least is asked.
 */
const STANDS_FOR = { memory: 0.5, files: 0.1 };

export class Watch implements Disposable {
  readonly #samples: { memory: number; files: number }[] = [];
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(process: ServiceProcess) {
    this.#timer = setInterval(() => void this.#look(process.pid).catch(() => {}), SECOND);
  }

  async #look(pid: number): Promise<void> {
    const pages = Number((await Deno.readTextFile(`/proc/${pid}/statm`)).split(" ")[1]);
    let files = 0;
    for await (const _ of Deno.readDir(`/proc/${pid}/fd`)) files++;
    this.#samples.push({ memory: pages * PAGE / 2 ** 20, files });
  }

  findings(lastsMs: number): Finding[] {
    return (["memory", "files"] as const).map((what) => {
      const values = this.#samples.map((sample) => sample[what]);
      const third = Math.floor(values.length / 3);
      const share = STANDS_FOR[what];
      const middle = quantile(values.slice(third, 2 * third), share);
      const last = quantile(values.slice(2 * third), share);
      const grew = last > middle * MOST_GROWTH && last - middle > (what === "files" ? 3 : 0);
      const told = `${middle.toFixed(0)} in the middle third, ${last.toFixed(0)} in the last`;
      return {
        name: what === "memory"
          ? "cluster: memory of the first process, MB"
          : "cluster: files that it always has open",
        looked: Math.round(last),
        wrong: grew && lastsMs >= LONG_MS ? [`${what} grew: ${told}`] : [],
        note: lastsMs >= LONG_MS ? told : `${told}; too short to judge`,
      };
    });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function quantile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}
