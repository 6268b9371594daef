/** What each call of the tour leaves in the audit trail. */
import type { AuditRow } from "../../domain/kv/audit.ts";

export class TourAudit {
  readonly #kv: Deno.Kv;
  /** Row or tool → for each call of it, what it left: `asset.created by key`. */
  readonly left = new Map<string, string[]>();
  #last = "";

  constructor(kv: Deno.Kv) {
    this.#kv = kv;
  }

  /** Passes over what was written since the last call. */
  async begin(): Promise<void> {
    await this.#newRows();
  }

  /** Notes what the call has left, but not what jobs have done. */
  async note(name: string): Promise<void> {
    const rows = (await this.#newRows())
      .filter(({ action, actor }) => actor.kind !== "system" && action !== "item.published");
    const left = rows.map(({ action, actor }) => `${action} by ${actor.kind}`).join(", ");
    this.left.set(name, [...this.left.get(name) ?? [], left]);
  }

  async #newRows(): Promise<AuditRow[]> {
    const rows: AuditRow[] = [];
    const all = this.#kv.list<AuditRow>({ prefix: ["audit"] }, { batchSize: 500 });
    for await (const { value } of all) if (value.id > this.#last) rows.push(value);
    for (const { id } of rows) if (id > this.#last) this.#last = id;
    return rows;
  }
}
