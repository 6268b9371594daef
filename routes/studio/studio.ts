/** What every page of Studio gets: the person, the brand, the clock, and the walk over operations. */
import type { z } from "zod";
import type { Brand } from "../../domain/brands/brands.ts";
import type { Role } from "../../domain/brands/roles.ts";
import type { getBrand } from "../../domain/operations/brand.ts";
import type { AnyOperation } from "../../domain/operations/operation.ts";
import type { Call } from "../person.ts";
import type { AppContext } from "../request.ts";

export const STUDIO = "/studio";

type About = z.input<typeof getBrand.output>;

export interface Studio {
  c: AppContext;
  /** The part of the public address before our paths. */
  base: string;
  /** The public address of the service, for programs. */
  address: string;
  email: string | null;
  brand: Brand;
  brands: Brand[];
  /** The brand's plan, kit, credits and accounts. */
  about: About;
  /** Instant, ms. */
  now: number;
  /** IANA name of the brand's time zone. */
  zone: string;
  call: Call;
  /** The person's role in the brand. */
  role: Role;
  /** Whether the role includes the operation. What it does not include is neither shown nor done. */
  may: (operation: Pick<AnyOperation, "scopes">) => boolean;
  /** The address of a path of this brand, "/create" for example. */
  at: (path: string) => string;
}

/** What a page shows beside its data. */
export interface Shown {
  /** Why the form was refused. */
  error?: string | undefined;
  /** The refused form, so that nobody has to type it again. */
  given?: FormData | undefined;
}

/** The value of a field: what was given, or what is stored. */
export function valueOf({ given }: Shown, name: string, stored = ""): string {
  const sent = given?.get(name);
  return typeof sent === "string" ? sent : stored;
}

/** A query parameter, "" when it is absent. */
export const queryOf = ({ c }: Studio, name: string): string => c.req.query(name) ?? "";

/** The path parameter `id`. */
export const idOf = ({ c }: Studio): string => c.req.param("id") ?? "";
