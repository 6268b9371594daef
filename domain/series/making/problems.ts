/** What would be refused if a post were published now, by the rules of its platform. */
import { readSocialAccount } from "../../platforms/accounts.ts";
import { formatRefusal, postRefusal } from "../../platforms/contract/limits.ts";
import type { StoredSeries, StoredSlot } from "../records.ts";
import { accountIdOf } from "../steering.ts";
import { contentOf } from "./content.ts";
import { accountRefusal } from "./publishing.ts";
import { publicText } from "./writing.ts";

export interface Problem {
  field: string;
  message: string;
}

export async function problemsOf(
  kv: Deno.Kv,
  slot: StoredSlot,
  series: StoredSeries | null,
): Promise<Problem[]> {
  const accountId = accountIdOf(slot, series);
  const account = await readSocialAccount(kv, slot.brandId, accountId ?? "");
  const content = await contentOf(kv, slot, accountId);
  const problems: Problem[] = [];
  const add = (field: string, message: string | null) => {
    if (message !== null) problems.push({ field, message });
  };
  add("socialAccountId", accountRefusal(account));
  if (content === null) add("creationIds", "The images are not there yet, or not all.");
  if (account === null) return problems;
  const { platform } = account;
  const { format } = slot;
  const refusal = formatRefusal(platform, format);
  if (refusal !== null) {
    // An account that takes nothing has said so already.
    if (accountRefusal(account) !== refusal) add("format", refusal);
    return problems;
  }
  if (content !== null) {
    add("creationIds", postRefusal(platform, { format, text: "", images: content.images }));
  }
  const images = content?.images ??
    Array.from({ length: slot.images }, () => ({ key: "", altText: "" }));
  const text = publicText(slot.caption, slot.hashtags);
  const ofWhole = postRefusal(platform, { format, text, images });
  if (ofWhole !== postRefusal(platform, { format, text: "", images })) add("caption", ofWhole);
  return problems;
}
