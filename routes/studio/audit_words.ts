/** The audit trail in words: who did what. */
import type { z } from "zod";
import type { listAudit } from "../../domain/operations/members.ts";

type Row = z.input<typeof listAudit.output>["data"][number];

const WHAT: Record<Row["action"], string> = {
  "account.created": "made an account",
  "account.passwordChanged": "changed the password",
  "account.signedIn": "signed in",
  "account.signInFailed": "failed to sign in",
  "account.signedOut": "signed out",
  "account.signedOutEverywhere": "signed out everywhere",
  "asset.changed": "changed the primary logo",
  "asset.created": "added a file to the library",
  "asset.deleted": "deleted a file of the library",
  "asset.purged": "deleted a file for good",
  "brand.created": "made the brand",
  "brand.changed": "changed name or plan of the brand",
  "brand.deleted": "deleted the brand",
  "brand.restored": "restored the brand",
  "castMember.created": "added somebody to the cast",
  "castMember.changed": "changed somebody of the cast",
  "castMember.deleted": "removed somebody from the cast",
  "creation.created": "ordered a picture",
  "creation.changed": "changed the text on a picture",
  "creation.retried": "tried a picture again",
  "creation.deleted": "deleted a picture",
  "credits.granted": "granted credits",
  "item.approved": "approved a post",
  "item.captioned": "had a caption written",
  "item.changed": "changed a post",
  "item.created": "scheduled a post",
  "item.deleted": "deleted a post",
  "item.ordered": "ordered the pictures of a post",
  "item.publishing": "asked to publish a post",
  "item.published": "published a post",
  "item.regenerated": "asked for new pictures of a post",
  "item.skipped": "skipped a post",
  "item.unapproved": "took back an approval",
  "job.retried": "had a task tried again",
  "key.created": "made a key",
  "key.revoked": "revoked a key",
  "kit.changed": "changed the brand's settings",
  "member.changed": "gave somebody another role,",
  "member.invited": "made an invitation",
  "member.joined": "joined",
  "member.removed": "removed somebody",
  "member.uninvited": "withdrew an invitation",
  "posts.imported": "imported posts",
  "series.created": "started a series",
  "series.changed": "changed a series",
  "series.deleted": "deleted a series",
  "series.reviewed": "had a series reviewed",
  "social.connected": "connected an account",
  "social.disconnected": "disconnected an account",
  "upload.started": "started an upload",
  "webhook.changed": "changed a webhook",
  "webhook.created": "made a webhook",
  "webhook.deleted": "deleted a webhook",
  "webhook.replayed": "had events sent to a webhook again",
  "webhook.rotated": "gave a webhook a new secret",
  "webhook.tested": "tested a webhook",
};

/** Facts that are worth a word, after what was done. */
function detailWords({ name, role, plan, amount, handle }: Row["details"]): string {
  return [
    name === undefined ? "" : ` “${name}”`,
    handle === undefined ? "" : ` “${handle}”`,
    role === undefined ? "" : ` as ${role}`,
    amount === undefined ? "" : `: ${amount}`,
    plan === undefined ? "" : `, on the ${plan} plan`,
  ].join("");
}

export function auditWords({ action, actor, details }: Row): { who: string; what: string } {
  return { who: whoWords(actor), what: WHAT[action] + detailWords(details) };
}

function whoWords({ kind, name }: Row["actor"]): string {
  switch (kind) {
    case "key":
      return `The key “${name}”`;
    case "account":
      return name ?? "An account without a sign-in";
    case "admin":
      return "Whoever runs this service";
    case "system":
      return "Marquee";
    case "visitor":
      return "Somebody who was not signed in";
  }
}

const PLACES: [prefix: string, path: string][] = [
  ["slt_", "/posts/"],
  ["cre_", "/pictures/"],
  ["ser_", "/series/"],
  ["whk_", "/settings/webhooks/"],
];

/** The path of what was changed, while it is there. */
export function linkOf({ action, subject }: Row): string | null {
  if (action.endsWith(".deleted")) return null;
  const place = PLACES.find(([prefix]) => subject.startsWith(prefix));
  return place === undefined ? null : place[1] + subject;
}
