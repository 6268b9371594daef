/** The kinds of account that a brand can connect, with their names and where that begins. */
import { Platform } from "../../domain/posts/shape.ts";
import { AccountKind, TRAITS } from "../../domain/platforms/contract/traits.ts";

interface KindWords {
  name: string;
  platform: Platform;
  /** More query parameters of `/connect`, after the brand. */
  query: string;
}

const QUERIES: Partial<Record<AccountKind, string>> = { member: "&as=member" };

export const ACCOUNT_KINDS = Object.fromEntries(
  AccountKind.options.map((kind) => [kind, wordsOf(kind)]),
) as Record<AccountKind, KindWords>;

function wordsOf(kind: AccountKind): KindWords {
  for (const platform of Platform.options) {
    const name = TRAITS[platform].kinds[kind];
    if (name !== undefined) return { name, platform, query: QUERIES[kind] ?? "" };
  }
  throw new Error(`No platform has accounts of the kind ${kind}.`);
}

/** @param base the part of the public address before our paths */
export function connectAddress(base: string, brandId: string, kind: AccountKind): string {
  const { platform, query } = ACCOUNT_KINDS[kind];
  return `${base}/connect/${platform}?brand=${brandId}${query}`;
}
