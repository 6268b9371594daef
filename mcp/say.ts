/** Short sentences for people about common answers. */
import type { Pagination } from "../domain/paging.ts";

export interface Page {
  data: unknown[];
  pagination: Pagination;
}

export interface List<T = unknown> {
  data: T[];
}

/** "1 post", "2 posts". */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 || noun.endsWith("s") ? "" : "s"}`;
}

export function pageOf(noun: string): (page: Page) => string {
  // Not by `data.length`: the data may be there as JSON only.
  return ({ pagination: { page, perPage, pageCount, total } }) => {
    const shown = Math.max(0, Math.min(perPage, total - (page - 1) * perPage));
    return `${shown} of ${count(total, noun)}, page ${page} of ${pageCount}.`;
  };
}

export function listOf(noun: string): (list: List) => string {
  return ({ data }) => `${count(data.length, noun)}.`;
}

export const done = () => "Done.";
