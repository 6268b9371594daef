/** Watches the memory and the open files of a process that is not restarted. */
import { MINUTE, SECOND } from "../../domain/foundation/calendar.ts";
import type { ServiceProcess } from "../support/process.ts";
import type { Finding } from "./books.ts";

const PAGE = 4_096;
/** Shorter soaks are over before a process has warmed up, so their numbers are only stated. */
const LONG_MS = 10 * MINUTE;
/** The last third against the middle one. */
const MOST_GROWTH = 1.05;
/** So few files more are no growth. */
const SOME_FILES = 3;

interface Sample {
  /** MiB. */
  memory: number;
  /** What the descriptors stand for, such as `socket:[7]`. */
  files: Set<string>;
}

export class Watch implements Disposable {
  readonly #samples: Sample[] = [];
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(process: ServiceProcess) {
    this.#timer = setInterval(() => void this.#look(process.pid).catch(() => {}), SECOND);
  }

  async #look(pid: number): Promise<void> {
    const pages = Number((await Deno.readTextFile(`/proc/${pid}/statm`)).split(" ")[1]);
    const files = new Set<string>();
    for await (const { name } of Deno.readDir(`/proc/${pid}/fd`)) {
      const target = await Deno.readLink(`/proc/${pid}/fd/${name}`).catch(() => null);
      if (target !== null) files.add(target);
    }
    this.#samples.push({ memory: pages * PAGE / 2 ** 20, files });
  }

  findings(lastsMs: number): Finding[] {
    const third = Math.floor(this.#samples.length / 3);
    const middle = this.#samples.slice(third, 2 * third);
    const last = this.#samples.slice(2 * third);
    return [
      judged("memory of the first process, MB", lastsMs, usual(middle), usual(last), 0),
      judged("files that it never closes", lastsMs, kept(middle), kept(last), SOME_FILES),
    ];
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function judged(
  what: string,
  lastsMs: number,
  middle: number,
  last: number,
  allowed: number,
): Finding {
  const grew = last > middle * MOST_GROWTH && last - middle > allowed;
  const isLong = lastsMs >= LONG_MS;
  const told = `${middle.toFixed(0)} in the middle third, ${last.toFixed(0)} in the last`;
  return {
    name: `cluster: ${what}`,
    looked: Math.round(last),
    wrong: grew && isLong ? [`grew: ${told}`] : [],
    note: isLong ? told : `${told}; too short to judge`,
  };
}

/** The median of the memory. */
function usual(samples: Sample[]): number {
  const sorted = samples.map(({ memory }) => memory).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/**
 * How many files were open all the time. How many are open at a moment follows the requests of that
 * moment; a file that is forgotten stays.
 */
function kept(samples: Sample[]): number {
  const [first = new Set<string>(), ...more] = samples.map(({ files }) => files);
  return more.reduce((all, files) => all.intersection(files), first).size;
}
