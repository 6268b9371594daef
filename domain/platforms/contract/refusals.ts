/**
 * Which metrics a platform refuses, by product: Instagram refuses some for reels only, for example. A
 * metric is retired for a product when every post of it refused in the day's full listing.
 */
import { transact } from "../../kv/transact.ts";

/** What was answered when a metric was asked for. */
interface Tally {
  /** What was asked, as people call it, in the plural: "reels", "feed posts". */
  product: string;
  /** As the platform names it. */
  metric: string;
  refused: number;
  read: number;
}

/** What a full listing found. */
interface Stored {
  /** The UTC day of that listing. */
  day: string;
  tallies: Tally[];
  /** Posts without a first reading, because their views are refused. */
  unshown: number;
}

/** The account. */
interface Owner {
  brandId: string;
  id: string;
}

/** A single refusal may be a glitch. */
const FEWEST_TO_RETIRE = 2;

const refusalsKey = ({ brandId, id }: Owner): Deno.KvKey => ["metricsRefused", brandId, id];

export class Refusals {
  /** Of the day's full listing; empty during that listing. */
  readonly #known: Tally[];
  readonly #seen = new Map<string, Tally>();
  /** Posts without a first reading, because their views are refused. */
  unshown = 0;

  constructor(known: Tally[] = []) {
    this.#known = known;
  }

  /** What the full listing of that day has found. */
  static async read(kv: Deno.Kv, owner: Owner, day: string): Promise<Refusals> {
    const stored = (await kv.get<Stored>(refusalsKey(owner))).value;
    if (stored?.day !== day) return new Refusals();
    const refusals = new Refusals(stored.tallies);
    refusals.unshown = stored.unshown;
    return refusals;
  }

  /** Stores what a full listing has found. */
  async keep(kv: Deno.Kv, owner: Owner, day: string): Promise<void> {
    const tallies = this.#refused();
    await transact(kv, (commit) => {
      if (tallies.length === 0) commit.delete(refusalsKey(owner));
      else {
        const { unshown } = this;
        commit.set(refusalsKey(owner), { day, tallies, unshown } satisfies Stored);
      }
    });
  }

  isRetired(product: string, metric: string): boolean {
    const known = this.#known.find((tally) => nameOf(tally) === nameOf({ product, metric }));
    return known !== undefined && known.read === 0 && known.refused >= FEWEST_TO_RETIRE;
  }

  /** Whether the metric was refused so often that it is probably refused for this product, too. */
  isSuspect(product: string, metric: string): boolean {
    if ((this.#seen.get(nameOf({ product, metric }))?.read ?? 0) > 0) return false;
    const alike = this.#refused().filter((tally) => tally.metric === metric);
    return alike.reduce((sum, { refused }) => sum + refused, 0) >= FEWEST_TO_RETIRE;
  }

  noteRead(product: string, metric: string): void {
    this.#tally(product, metric).read++;
  }

  /** Returns whether it is the first refusal of this kind. */
  noteRefused(product: string, metric: string): boolean {
    return ++this.#tally(product, metric).refused === 1;
  }

  /** What is refused, in words for people; null when nothing is. */
  get words(): string | null {
    const known = this.#known.filter((tally) => !this.#seen.has(nameOf(tally)));
    const list = [...known, ...this.#refused()].map(({ product, metric, refused, read }) =>
      `${metric} of ${read === 0 ? "all" : `${refused} of ${refused + read}`} ${product}`
    );
    return list.length === 0 ? null : list.join(", ");
  }

  #refused(): Tally[] {
    return [...this.#seen.values()].filter(({ refused }) => refused > 0);
  }

  #tally(product: string, metric: string): Tally {
    const name = nameOf({ product, metric });
    const tally = this.#seen.get(name) ?? { product, metric, refused: 0, read: 0 };
    this.#seen.set(name, tally);
    return tally;
  }
}

function nameOf({ product, metric }: Pick<Tally, "product" | "metric">): string {
  return `${metric} of ${product}`;
}
