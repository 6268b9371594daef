/** A row of the REST table. */
import type { Operation } from "../domain/operation.ts";

export type Verb = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface RouteOptions {
  /** A request header that becomes the input field beside it. */
  header?: { name: string; field: string };
  /** Fields that a write takes from the query string. */
  query?: readonly string[];
  /** Status of an answer that repeats an earlier request's. */
  replayed?: number;
}

export type Row = readonly [Verb, string, Operation, status: number, RouteOptions?];
