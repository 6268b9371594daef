/** Organizations: the brands of the key's account, for agents that set up brands. */
import { z } from "zod";
import {
  type Brand,
  BrandName,
  createBrand,
  listAccountBrands,
  readBrand,
  updateBrand,
} from "./brands.ts";
import { noSuch } from "./errors.ts";
import { operation } from "./operation.ts";
import { Plan } from "./plans.ts";

export const Organization = z.object({
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
  input: z.object({}),
  output: z.object({ data: z.array(Organization) }),
  run: async ({ kv, brand }) => ({
    data: (await listAccountBrands(kv, brand.accountId)).map(shown),
  }),
});

export const createOrganization = operation({
  id: "createOrganization",
  group: "Organizations",
  summary: "Add a brand to the key's account.",
  description: "It starts on the Free plan and without keys: a person makes them in the " +
    "dashboard. The calling key stays bound to its own brand.",
  scopes: ["brandsWrite"],
  costs: "request",
  errors: [],
  input: z.object({ name: BrandName }),
  output: Organization,
  run: async ({ kv, now, brand }, { name }) =>
    shown(await createBrand(kv, now, { name, plan: "free", accountId: brand.accountId })),
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
  async run({ kv, brand }, { id, name }) {
    const stored = await readBrand(kv, id);
    if (stored.accountId !== brand.accountId) throw noSuch("organization");
    return shown(await updateBrand(kv, id, { name }));
  },
});
