/** A person's yes before a tool acts in public, where the client can ask for it. */
import { requireMayTouch } from "../domain/brands/budgets.ts";
import { ServiceError } from "../domain/foundation/errors.ts";
import { cutAtWord } from "../domain/foundation/text.ts";
import { getItem } from "../domain/operations/calendar.ts";
import { perform } from "../domain/operations/gate.ts";
import { publishItemById } from "../domain/operations/publish_item.ts";
import { readSocialAccount } from "../domain/platforms/accounts.ts";
import { TRAITS } from "../domain/platforms/contract/traits.ts";
import { publicText } from "../domain/series/making/writing.ts";
import type { Slot } from "../domain/series/shape.ts";
import type { Arguments } from "./arguments.ts";
import type { Conversation } from "./conversation.ts";
import { ask, type Asker, type Verdict } from "./questions.ts";

/** Why nothing was done, and what the agent can do about it. */
export class Unconfirmed extends ServiceError {
  readonly next: string;

  constructor(message: string, next: string) {
    super("conflict", `${message} Nothing was published.`);
    this.next = `Next: ${next}`;
  }
}

const REFUSALS: Record<Exclude<Verdict, "yes"> | "silence", [message: string, next: string]> = {
  no: ["The person was asked and said no.", "ask what should be changed, before you try again."],
  dismissed: ["The person closed the question.", "ask whether it should still be published."],
  gone: ["The call was cancelled while the person was asked.", "call again when it is wanted."],
  silence: [
    "The person was asked and did not answer in time.",
    "call again when somebody is there, or with the `expectedHash` of what was looked at.",
  ],
};

/** No content has this hash: with it, what nobody was asked about can't be published. */
const UNASKED = "nobody was asked";

/**
 * The arguments of `publish_item` with the hash of what the person has said yes to. If the post
 * changes meanwhile, the operation refuses it.
 * @throws Unconfirmed when there was no yes
 */
export async function confirmPublishing(
  { service, caller, client }: Conversation,
  asker: Asker,
  input: Arguments,
): Promise<Arguments> {
  const { itemId, seriesId } = input;
  // Whoever may publish a post may be asked about it.
  const reading = { ...getItem, scopes: publishItemById.scopes };
  const { value: item } = await perform(service, caller, reading, () => ({ id: itemId }), client);
  const { socialAccountId: accountId, contentHash } = item;
  const isReady = item.status === "ready" || item.status === "held";
  if (!isReady || contentHash === null) return { ...input, expectedHash: UNASKED };
  const sure = { ...input, expectedHash: contentHash };
  // The operation refuses these in its own words. The hash is of the account, too.
  if (accountId === null || (seriesId !== undefined && seriesId !== item.seriesId)) return sure;
  requireMayTouch(caller.key, { seriesId: item.seriesId, accountId });
  const account = await readSocialAccount(service.kv, caller.brand.id, accountId);
  if (account === null) return { ...input, expectedHash: UNASKED };
  const where = `${TRAITS[account.platform].name}, ${account.handle}`;
  const form = { message: questionOf(item, where), title: "Publish it now" };
  const verdict = await ask(service, asker, form) ?? "silence";
  if (verdict !== "yes") throw new Unconfirmed(...REFUSALS[verdict]);
  return sure;
}

/** Characters of the caption that are shown. */
const CAPTION_SHOWN = 200;

function questionOf({ format, scheduledFor, caption, hashtags }: Slot, account: string): string {
  return [
    "Publish this post now? It can't be taken back from here.",
    `Account: ${plain(account)}`,
    `Planned for: ${scheduledFor.slice(0, 16).replace("T", " ")} UTC`,
    `Format: ${format}`,
    `Caption: ${cutAtWord(plain(publicText(caption, hashtags)), CAPTION_SHOWN)}`,
  ].join("\n");
}

/** One line without control and direction characters, so that no text looks like another line. */
function plain(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
}
