/** Short sentences for people about common answers. */
import type { Pagination } from "../domain/paging.ts";
import { count } from "../domain/text.ts";

export interface Page {
  data: unknown[];
  pagination: Pagination;
}

export interface List<T = unknown> {
  data: T[];
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
