/** Organizations are the brands of the key's account; agents that set up brands need them. */
import { z } from "zod";
import {
  type Brand,
  BrandName,
  createBrand,
  listAccountBrands,
  requireBrand,
  updateBrand,
} from "../brands/brands.ts";
import { noSuch } from "../foundation/errors.ts";
import { operation } from "./operation.ts";
import { Page, paginate, Pagination, perPage } from "../foundation/paging.ts";
import { Plan } from "../brands/plans.ts";
import { reader } from "../kv/transact.ts";

const Organization = z.object({
  id: z.string(),
  name: z.string(),
  plan: Plan,
  createdAt: z.iso.datetime(),
}).meta({ id: "Organization" });

const shown = ({ id, name, plan, createdAt }: Brand) => ({ id, name, plan, createdAt });

export const listOrganizations = operation({
  id: "listOrganizations",
  group: "Organizations",
  summary: "List the brands of the key's account.",
  scopes: ["brandsWrite"],
  costs: "request",
  errors: [],
  input: z.object({ page: Page, perPage: perPage(100) }),
  output: z.object({ data: z.array(Organization), pagination: Pagination }),
  async run({ kv, brand }, { page, perPage }) {
    const all = await listAccountBrands(kv, brand.accountId);
    return {
      data: all.slice((page - 1) * perPage, page * perPage).map(shown),
      pagination: paginate(page, perPage, all.length),
    };
  },
});

export const createOrganization = operation({
  id: "createOrganization",
  group: "Organizations",
  summary: "Add a brand to the key's account.",
  description: "It starts on the Free plan and without keys: a person makes them in the " +
    "dashboard. The calling key stays bound to its own brand. An account has at most 20 brands.",
  scopes: ["brandsWrite"],
  costs: "request",
  errors: [],
  input: z.object({ name: BrandName }),
  output: Organization,
  run: async (context, { name }) => {
    const { accountId } = context.brand;
    return shown(await createBrand(context, { name, plan: "free", accountId }));
  },
});

export const updateOrganization = operation({
  id: "updateOrganization",
  group: "Organizations",
  summary: "Rename a brand of the key's account.",
  description: "The plan can't be changed by tools.",
  scopes: ["brandsWrite"],
  costs: "request",
  errors: ["notFound"],
  input: z.object({ id: z.string(), name: BrandName }),
  output: Organization,
  async run(context, { id, name }) {
    const { kv, brand } = context;
    const stored = await requireBrand(reader(kv), id);
    if (stored.accountId !== brand.accountId) throw noSuch("organization");
    return shown(await updateBrand(context, id, { name }));
  },
});
