/** The operations on cast members. */
import { z } from "zod";
import {
  addMember,
  CastMember,
  CastMemberChange,
  changeMember,
  listCast,
  NewCastMember,
  requireMember,
  retireMember,
} from "../creations/cast.ts";
import { operation } from "./operation.ts";

const GROUP = "Cast members";

export const listCastMembers = operation({
  id: "listCastMembers",
  group: GROUP,
  summary: "List the brand's cast members, newest first.",
  scopes: ["createRead"],
  costs: "request",
  errors: [],
  input: z.object({}),
  output: z.object({ data: z.array(CastMember) }),
  run: async (context) => ({ data: await listCast(context, context.brand.id) }),
});

export const createCastMember = operation({
  id: "createCastMember",
  group: GROUP,
  summary: "Add a cast member.",
  scopes: ["createWrite"],
  costs: "request",
  errors: [],
  input: NewCastMember,
  output: CastMember,
  run: (context, input) => addMember(context, context.brand.id, input),
});

export const getCastMember = operation({
  id: "getCastMember",
  group: GROUP,
  summary: "Read one cast member.",
  scopes: ["createRead"],
  costs: "request",
  errors: ["notFound"],
  input: z.object({ id: z.string() }),
  output: CastMember,
  run: (context, { id }) => requireMember(context, context.brand.id, id),
});

export const updateCastMember = operation({
  id: "updateCastMember",
  group: GROUP,
  summary: "Change a cast member; what is left out stays as it is.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["notFound"],
  input: CastMemberChange.extend({ id: z.string() }),
  output: CastMember,
  run: (context, { id, ...change }) => changeMember(context, context.brand.id, id, change),
});

export const deleteCastMember = operation({
  id: "deleteCastMember",
  group: GROUP,
  summary: "Retire a cast member.",
  description: "Past creations keep their snapshot; a series that pointed at the member falls " +
    "back to its own inspiration set.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["notFound"],
  input: z.object({ id: z.string() }),
  output: null,
  run: (context, { id }) => retireMember(context, context.brand.id, id),
});
