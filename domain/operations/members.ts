/** The people of a brand: who may do what, invitations. Only people have a path to these, in Studio. */
import { z } from "zod";
import { Scope } from "../brands/keys.ts";
import { changeRole, listPeople as peopleOf, removeMember } from "../brands/members.ts";
import {
  invite,
  INVITE_PATH,
  listInvites as openInvites,
  withdrawInvite,
} from "../brands/invites.ts";
import { Role } from "../brands/roles.ts";
import { iso } from "../foundation/calendar.ts";
import { ServiceError } from "../foundation/errors.ts";
import { ACTIONS, type Actor, newestRows } from "../kv/audit.ts";
import { reader } from "../kv/transact.ts";
import { type Context, operation } from "./operation.ts";

const group = "Brands" as const;

export const listPeople = operation({
  id: "listPeople",
  group,
  summary: "List the people of the brand with their roles.",
  scopes: ["postsRead", "createRead"],
  costs: "nothing",
  errors: [],
  input: z.object({}),
  output: z.object({
    data: z.array(z.object({
      accountId: z.string(),
      email: z.string().nullable(),
      role: Role,
      since: z.iso.datetime(),
      isYou: z.boolean(),
    })),
  }),
  run: async ({ kv, brand, by: { actor } }) => {
    const people = await peopleOf(kv, brand);
    const you = actor.kind === "account" ? actor.id : null;
    return { data: people.map((one) => ({ ...one, isYou: one.accountId === you })) };
  },
});

export const listInvites = operation({
  id: "listInvites",
  group,
  summary: "List the open invitations.",
  scopes: ["brandsWrite"],
  costs: "nothing",
  errors: [],
  input: z.object({}),
  output: z.object({
    data: z.array(z.object({
      id: z.string(),
      role: Role,
      at: z.iso.datetime(),
      expiresAt: z.iso.datetime(),
    })),
  }),
  run: async ({ kv, now, brand }) => {
    const open = await openInvites(reader(kv), now, brand.id);
    return {
      data: open.map(({ hash, role, at, expiresAt }) => ({
        ...{ id: hash, role, at },
        expiresAt: iso(expiresAt),
      })),
    };
  },
});

export const invitePerson = operation({
  id: "invitePerson",
  group,
  summary: "Make a link with which one person joins. Only this answer has it.",
  scopes: ["brandsWrite"],
  costs: "nothing",
  errors: ["conflict"],
  input: z.object({ role: Role }),
  output: z.object({ role: Role, link: z.string() }),
  run: async (context, { role }) => {
    const { brand, settings } = context;
    const token = await invite(context, brand.id, role);
    return { role, link: `${settings.BASE_URL}${INVITE_PATH}/${brand.id}?invite=${token}` };
  },
});

export const endInvite = operation({
  id: "endInvite",
  group,
  summary: "Withdraw an open invitation.",
  scopes: ["brandsWrite"],
  costs: "nothing",
  errors: ["notFound"],
  input: z.object({ id: z.string() }),
  output: null,
  run: (context, { id }) => withdrawInvite(context, context.brand.id, id),
});

export const setRole = operation({
  id: "setRole",
  group,
  summary: "Give a person another role. The last owner keeps it.",
  scopes: ["brandsWrite"],
  costs: "nothing",
  errors: ["notFound", "conflict"],
  input: z.object({ id: z.string(), role: Role }),
  output: null,
  run: (context, { id, role }) => changeRole(context, context.brand.id, id, role),
});

export const removePerson = operation({
  id: "removePerson",
  group,
  summary: "Remove a person from the brand. The last owner stays.",
  scopes: ["brandsWrite"],
  costs: "nothing",
  errors: ["notFound", "conflict"],
  input: z.object({ id: z.string() }),
  output: null,
  run: (context, { id }) => removeMember(context, context.brand.id, id),
});

export const leaveBrand = operation({
  id: "leaveBrand",
  group,
  summary: "Leave the brand. The last owner stays.",
  scopes: Scope.options,
  costs: "nothing",
  errors: ["conflict"],
  input: z.object({}),
  output: null,
  run: (context) => removeMember(context, context.brand.id, personIn(context)),
});

function personIn({ by: { actor } }: Context): string {
  if (actor.kind === "account") return actor.id;
  throw new ServiceError("forbidden", "Only a person can leave a brand.");
}

const AuditActor = z.object({
  kind: z.enum(["key", "account", "admin", "system", "visitor"]),
  name: z.string().nullable().describe("A key's name or a person's email."),
});

export const listAudit = operation({
  id: "listAudit",
  group,
  summary: "List who did what in the brand, newest first.",
  scopes: ["brandsWrite"],
  costs: "nothing",
  errors: [],
  input: z.object({
    before: z.string().regex(/^aud_\w{1,40}$/).nullable().default(null),
    perPage: z.int().min(1).max(200).default(50),
  }),
  output: z.object({
    data: z.array(z.object({
      id: z.string(),
      at: z.iso.datetime(),
      action: z.enum(ACTIONS),
      actor: AuditActor,
      address: z.string().nullable(),
      subject: z.string(),
      details: z.record(z.string(), z.union([z.string(), z.number()])),
    })),
    before: z.string().nullable().describe("For the next page; null: this is the last."),
  }),
  run: async ({ kv, brand }, { before, perPage }) => {
    const rows = await newestRows(kv, brand.id, { before, limit: perPage + 1 });
    const shown = rows.slice(0, perPage);
    return {
      data: shown.map(({ actor, details = {}, ...row }) => ({
        ...row,
        details,
        actor: { kind: actor.kind, name: nameOf(actor) },
      })),
      before: rows.length > perPage ? shown.at(-1)?.id ?? null : null,
    };
  },
});

function nameOf(actor: Actor): string | null {
  return actor.kind === "key" ? actor.name : actor.kind === "account" ? actor.email : null;
}
