/** The words of Studio: what people read for what the domain names. */
import type { SlotStatus } from "../../domain/series/records.ts";
import type { AspectRatio } from "../../domain/media/images/aspect.ts";
import { OverlayTemplate } from "../../domain/media/overlays/shape.ts";
import type { SeriesFormat } from "../../domain/platforms/contract/format.ts";
import type { AssetKind } from "../../domain/creations/assets/shape.ts";
import type { SocialStatus } from "../../domain/platforms/accounts.ts";
import type { Role } from "../../domain/brands/roles.ts";
import type { Scope } from "../../domain/brands/keys.ts";
import { whole } from "./numbers.ts";
import type { IconName } from "./parts/icons.tsx";

export type Tone = "good" | "warn" | "bad" | "accent" | "calm";

/** A state as people see it: a word, an icon and a tone, never a colour alone. */
export interface StateWords {
  word: string;
  icon: IconName;
  tone: Tone;
}

export const POST_STATES: Record<SlotStatus, StateWords> = {
  planned: { word: "Planned", icon: "dashed", tone: "calm" },
  generating: { word: "Being made", icon: "clock", tone: "accent" },
  ready: { word: "Ready", icon: "check", tone: "good" },
  held: { word: "Needs you", icon: "hand", tone: "warn" },
  publishing: { word: "Publishing", icon: "send", tone: "accent" },
  published: { word: "Published", icon: "globe", tone: "good" },
  skipped: { word: "Skipped", icon: "skip", tone: "calm" },
};

export const ACCOUNT_STATES: Record<SocialStatus, StateWords> = {
  connected: { word: "Connected", icon: "check", tone: "good" },
  expiring: { word: "Ends soon", icon: "clock", tone: "warn" },
  reconnect: { word: "Disconnected", icon: "alert", tone: "bad" },
};

export const FORMATS: Record<SeriesFormat, string> = {
  post: "Post",
  carousel: "Carousel",
  story: "Story",
};

export const SHAPES: Record<AspectRatio, { word: string; width: number; height: number }> = {
  portrait: { word: "Portrait", width: 4, height: 5 },
  square: { word: "Square", width: 1, height: 1 },
  story: { word: "Story", width: 9, height: 16 },
  landscape: { word: "Landscape", width: 3, height: 2 },
};

export const TEMPLATES: Record<OverlayTemplate, string> = {
  captionBar: "Bar below",
  centeredTitle: "Title in the middle",
  lowerThird: "Lower third",
  quoteCard: "Quote",
  cornerTag: "Corner tag",
  textOnly: "Text only",
  offerBadge: "Offer badge",
  eventDate: "Event with date",
  splitPanel: "Panel beside the picture",
  storyCta: "Headline with button",
  stepCard: "Step of a carousel",
};

export const SHELVES: Record<AssetKind, { many: string; one: string; hint: string }> = {
  logo: {
    many: "Logos",
    one: "logo",
    hint: "Printed on pictures where the text overlay shows it.",
  },
  inspiration: {
    many: "Inspiration",
    one: "inspiration",
    hint: "Pictures whose mood new pictures should have.",
  },
  castReference: {
    many: "Cast photos",
    one: "cast photo",
    hint: "Photos of the people who appear in your pictures.",
  },
};

export const SCOPE_WORDS: Record<Scope, string> = {
  postsRead: "Read posts and their numbers",
  createRead: "Read pictures, library, calendar and series",
  createWrite: "Make and change them",
  publishWrite: "Approve and publish",
  brandsWrite: "Manage brands",
};

export const ROLE_WORDS: Record<Role, { word: string; does: string }> = {
  owner: {
    word: "Owner",
    does: "Everything, also people, keys, connected accounts and the plan.",
  },
  editor: {
    word: "Editor",
    does: "Make and change posts, pictures and series. They wait for somebody's approval.",
  },
  approver: { word: "Approver", does: "See everything, approve and publish." },
  viewer: { word: "Viewer", does: "See everything, change nothing." },
};

const FIELD_WORDS: Record<string, string> = {
  socialAccountId: "the account",
  creditBudgetMonthly: "the monthly budget",
  castMemberId: "Cast",
  referenceAssetIds: "Photos",
  lookPrompt: "Look",
  lifestylePrompt: "Life",
  baseStylePrompt: "Style",
  discordWebhookUrl: "Webhook",
  colors: "Colours",
  lastDay: "Last day",
  expiresAt: "Last day",
  publishesPerDay: "Posts a day",
  creditsPerDay: "Credits a day",
  scheduledFor: "Time",
  altText: "Alt text",
  cadenceDays: "Days between posts",
  postsPerWeek: "Posts a week",
  maxPerWeek: "At most a week",
  hourUtc: "Hour",
  aspectRatio: "Shape",
  sourceUrl: "Address",
  creationIds: "Picture",
  scopes: "What it may do",
  brandName: "Your brand's name",
  url: "Address",
  appAddress: "The app's address",
};

const NOT_HERE = "It may have been deleted, or the address is not complete.";

/** A refusal or an explanation of the domain in the words of Studio. */
export function plain(words: string): string {
  return words
    .replace(/^(\w+)(?:\.\w+)*(?=: )/, (field) => {
      const word = FIELD_WORDS[field] ?? field;
      return word.charAt(0).toUpperCase() + word.slice(1);
    })
    .replace(/\b(\w+)\b/g, (word) => FIELD_WORDS[word] ?? word)
    .replace(/ review rev_\w+/g, " the latest review")
    .replace(/must have at least 1 entries/, "choose at least one")
    .replace(/must (?:hold|contain) a character that is not white space/, "must not be empty")
    .replace(/^Files: choose/, "Choose")
    .replace(/(\d) %/g, "$1%")
    .replace(/^No \w+(?: \w+)? with that id(?: in this brand)?\.$/, NOT_HERE)
    .replace(/ Shares by Thompson sampling[^.]*\./, "")
    .replace(/template (\w+)/g, (found, name) => {
      const template = OverlayTemplate.safeParse(name);
      return template.success ? `“${TEMPLATES[template.data]}”` : found;
    })
    .replace(/ with the scope publishWrite/g, "")
    .replace(/Set the account to a connected account\./, "Choose an account.")
    .replace(/Set the account, then publish\./, "Choose an account, then publish.")
    .replace(/Set active to true to resume/, "Resume")
    .replace(/\bRegenerate it\b/g, "Ask for new pictures")
    .replace(/\bregenerate this scheduled post\b/g, "ask for new pictures")
    .replace(/\bRegenerate this scheduled post\b/g, "Ask for new pictures")
    .replace(/\bthe next pass\b/gi, "the next round")
    .replace(/\bslots?\b|\bscheduled posts?\b/g, (word) => word.endsWith("s") ? "posts" : "post")
    .replace(/\bcreations?\b/g, (word) => word.endsWith("s") ? "pictures" : "picture")
    .replace(/\b[Ii]mages?\b/g, (word) => {
      const noun = word.endsWith("s") ? "pictures" : "picture";
      return word.startsWith("I") ? noun.charAt(0).toUpperCase() + noun.slice(1) : noun;
    })
    .replace(/\b([Aa])n (picture)/g, "$1 $2")
    .replace(/^([A-Z][^:.]*): (?=(?:must|is|are|has|have) )/, "$1 ")
    .replace(/\b(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*Z/g, "$1, $2 UTC")
    .replace(/\b\d{4}-\d\d-\d\d\b/g, dateWords);
}

const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** "20 Nov 2026" for 2026-11-20; what is no date of the calendar stays as it is. */
function dateWords(day: string): string {
  const at = Date.parse(day);
  return Number.isNaN(at) ? day : DATE.format(at);
}

/** "1 picture", "3 pictures" */
export const counted = (count: number, noun: string): string =>
  `${whole(count)} ${noun}${count === 1 ? "" : "s"}`;
