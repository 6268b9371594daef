/** What the clients of a brand know of it: who they are, and the ids that answers have told them. */

/** The newest ones only, so that acts meet what is still changing. */
const MOST = 40;

export class Known {
  readonly brandId: string;
  /** Ids of its accounts at the platforms. */
  readonly accounts: readonly string[];
  readonly pictures: string[] = [];
  readonly items: string[] = [];
  readonly series: string[] = [];
  readonly members: string[] = [];
  readonly keys: string[] = [];

  constructor(brandId: string, accounts: readonly string[]) {
    this.brandId = brandId;
    this.accounts = accounts;
  }

  add(what: "pictures" | "items" | "series" | "members" | "keys", id: unknown): void {
    const list = this[what];
    if (typeof id !== "string" || list.includes(id)) return;
    list.push(id);
    if (list.length > MOST) list.shift();
  }

  drop(what: "pictures" | "members" | "keys", id: string): void {
    const at = this[what].indexOf(id);
    if (at >= 0) this[what].splice(at, 1);
  }
}
