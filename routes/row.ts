/** A row of the REST table. */
import type { AnyOperation } from "../domain/operations/operation.ts";

type Verb = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

interface RouteOptions {
  /** A request header and the input field that it becomes; `orBody`: the body may have it, too. */
  header?: { name: string; field: string; orBody?: boolean };
  /** The body may be left out. */
  optionalBody?: boolean;
  /** For a status without a body: the field of the value that becomes `Location`. */
  location?: string;
  /** Fields that a write takes from the query string. */
  query?: readonly string[];
  /** Status of the answer to a repeated request. */
  replayed?: number;
}

export type Row = readonly [Verb, string, AnyOperation, status: number, RouteOptions?];
