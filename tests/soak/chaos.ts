/** Makes things go wrong as the schedule says, and remembers when each of them did. */
import type { Platform } from "../../domain/posts/shape.ts";
import type { KvProxy } from "../support/kv_proxy.ts";
import type { Journal } from "./journal.ts";
import type { ModelStand } from "./model.ts";
import type { Cluster, Single } from "./places.ts";
import type { Mishap, SiteName } from "./schedule.ts";
import { pause, type Site } from "./site.ts";

/** While it lasted, and shortly after, requests may have failed for it. */
export interface Trouble {
  site: SiteName;
  /** `slow`: nobody's purpose, but the machine's. */
  kind: Mishap["kind"] | "slow";
  /** ms after the beginning; `to` is infinite while it lasts. */
  from: number;
  to: number;
}

export interface World {
  journal: Journal;
  cluster: Cluster;
  single: Single;
  model: ModelStand;
}

const LOSE_FOR_MS = 5_000;
const PLATFORMS: readonly Platform[] = ["instagram", "linkedin", "youtube"];

export class Chaos {
  readonly troubles: Trouble[] = [];
  readonly counts = new Map<string, number>();
  readonly #world: World;
  /** How many hold the store's proxy away, so that the last one gives it back. */
  #holds = 0;

  constructor(world: World) {
    this.#world = world;
  }

  siteOf(name: SiteName): Site {
    return name === "cluster" ? this.#world.cluster.site : this.#world.single.site;
  }

  /** Never rejects because of what it does to the service. */
  async cause(mishap: Mishap): Promise<void> {
    const { site, kind } = mishap;
    if (kind === "disk" && !this.#world.single.hasDisk) return;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    const trouble: Trouble = { site, kind, from: this.#world.journal.at, to: Infinity };
    this.troubles.push(trouble);
    await this.#do(mishap);
    // What a stand-in was ordered to do happens to whichever call comes; `calm` ends it.
    if (kind !== "platform" && kind !== "model") trouble.to = this.#world.journal.at;
  }

  async #do(mishap: Mishap): Promise<void> {
    const { cluster, single, model } = this.#world;
    const site = this.siteOf(mishap.site);
    switch (mishap.kind) {
      case "kill":
      case "stop":
        return await site.restart(
          victim(site, mishap.process),
          mishap.kind === "kill" ? "SIGKILL" : "SIGTERM",
        );
      case "stall":
        return await site.stall(victim(site, mishap.process), mishap.lastsMs);
      case "frozen":
      case "away":
        this.#holds++;
        cluster.proxy.become(mishap.kind);
        await pause(mishap.lastsMs);
        if (--this.#holds === 0) cluster.proxy.become("forward");
        return;
      case "lost":
        return await lose(cluster.proxy, mishap.commits);
      case "clock":
        return void await site.turn(mishap.byMs);
      case "platform": {
        const { operation, fault, times } = mishap;
        const order = { operation, fault, times };
        return await control(site, mishap.platform, { method: "POST", body: order });
      }
      case "model":
        return model.order(mishap.fault, mishap.calls);
      case "disk":
        await single.fill();
        await pause(mishap.lastsMs);
        return await single.empty();
    }
  }

  /** Ends everything that is still wrong. */
  async calm(): Promise<void> {
    const { cluster, single, model, journal } = this.#world;
    cluster.proxy.lose(0);
    cluster.proxy.become("forward");
    model.calm();
    await single.empty();
    for (const site of [cluster.site, single.site]) {
      for (const platform of PLATFORMS) await control(site, platform, { method: "DELETE" });
    }
    for (const trouble of this.troubles) trouble.to = Math.min(trouble.to, journal.at);
  }
}

/** Returns once so many answers were lost, or when too few commits come. */
async function lose(proxy: KvProxy, commits: number): Promise<void> {
  const enough = proxy.lost + commits;
  const giveUpAt = performance.now() + LOSE_FOR_MS;
  proxy.lose(commits);
  while (proxy.lost < enough && performance.now() < giveUpAt) await pause(50);
  proxy.lose(0);
}

/** The first of several is never killed, so that its memory can be watched. */
function victim({ processes }: Site, drawn: number): number {
  return processes.length === 1 ? 0 : 1 + drawn % (processes.length - 1);
}

/** A call of the sandbox's own; asked of the balancer until some process answers. */
async function control(
  { url }: Site,
  platform: Platform,
  { method, body }: { method: string; body?: object },
): Promise<void> {
  const headers = { "content-type": "application/json" };
  const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
  for (let tries = 0; tries < 60; tries++) {
    const answer = await fetch(`${url}/sandbox/${platform}/faults`, init).catch(() => null);
    await answer?.body?.cancel();
    // Too many are ordered already, which is as good.
    if (answer !== null && answer.status < 500) return;
    await pause(500);
  }
  throw new Error(`The sandbox of ${platform} does not answer`);
}
