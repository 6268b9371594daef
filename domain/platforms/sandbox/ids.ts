/** Ids in the platforms' own forms, made from an account's number and a post's serial. */
import type { Platform } from "../../posts/shape.ts";
import { isMember, type SandboxAccount } from "./accounts.ts";
import { drawsFrom } from "./draws.ts";

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** The account and the post that an id names. */
interface PostRef {
  number: number;
  serial: number;
}

/** The platform's id of the account: IG user id, organization or person URN, channel id. */
export function externalAccountId(account: SandboxAccount): string {
  switch (account.platform) {
    case "instagram":
      return `1784140${account.number}`;
    case "linkedin":
      return isMember(account)
        ? `urn:li:person:${personId(account)}`
        : `urn:li:organization:${account.number}`;
    case "youtube":
      return account.sampleChannelId ?? `UC${letters(`channel ${account.number}`, 22, BASE64URL)}`;
  }
}

/** The `sub` of the person who granted a LinkedIn token: the member, or the Page's administrator. */
export function personId(account: SandboxAccount): string {
  return letters(`person ${account.handle.toLowerCase()}`, 10, ALPHANUMERIC);
}

/** A post's public id, which Marquee stores as externalPostId. */
export function postId(platform: Platform, { number, serial }: PostRef): string {
  switch (platform) {
    case "instagram":
      return `18${number}${String(serial).padStart(5, "0")}`;
    case "linkedin":
      return `urn:li:share:7${number}${String(serial).padStart(8, "0")}`;
    case "youtube":
      return inBase64(number, 6) + inBase64(serial, 2) +
        letters(`${number} ${serial}`, 3, BASE64URL);
  }
}

/** What `id` names; null for an id that the sandbox can't have issued. */
export function readPostId(platform: Platform, id: string): PostRef | null {
  const ref = parsePostId(platform, id);
  return ref !== null && postId(platform, ref) === id ? ref : null;
}

function parsePostId(platform: Platform, id: string): PostRef | null {
  switch (platform) {
    case "instagram":
      return numbers(/^18(\d{10})(\d{5})$/.exec(id));
    case "linkedin":
      return numbers(/^urn:li:share:7(\d{10})(\d{8})$/.exec(id));
    case "youtube":
      return id.length === 11
        ? { number: fromBase64(id.slice(0, 6)), serial: fromBase64(id.slice(6, 8)) }
        : null;
  }
}

function numbers(match: RegExpExecArray | null): PostRef | null {
  return match === null ? null : { number: Number(match[1]), serial: Number(match[2]) };
}

function letters(seed: string, length: number, alphabet: string): string {
  const draws = drawsFrom(seed);
  return Array.from({ length }, () => draws.pick([...alphabet])).join("");
}

function inBase64(value: number, length: number): string {
  let rest = value;
  let text = "";
  for (let at = 0; at < length; at++) {
    text = BASE64URL[rest % 64] + text;
    rest = Math.floor(rest / 64);
  }
  return text;
}

function fromBase64(text: string): number {
  let value = 0;
  for (const letter of text) value = value * 64 + BASE64URL.indexOf(letter);
  return value;
}
