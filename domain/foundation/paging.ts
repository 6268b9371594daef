/** Paginated lists (spec 2.4). */
import { z } from "zod";

export const Pagination = z.object({
  page: z.int(),
  perPage: z.int(),
  total: z.int(),
  pageCount: z.int(),
}).meta({ id: "Pagination" });
export type Pagination = z.output<typeof Pagination>;

/** The largest value of an integer parameter. */
export const MAX_INTEGER = 2 ** 31 - 1;

export const Page = z.int().min(1).max(MAX_INTEGER).default(1).describe("Page, from 1.");

export function perPage(fallback: number) {
  return z.int().min(1).max(100).default(fallback).describe("Entries on a page.");
}

/** @param total number of entries; 0 gives a page count of 0 */
export function paginate(page: number, perPage: number, total: number): Pagination {
  return { page, perPage, total, pageCount: Math.ceil(total / perPage) };
}
