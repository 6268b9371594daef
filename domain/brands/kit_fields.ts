/** The optional fields of the brand kit: how the brand speaks, where it is, and how it looks. */
import { z } from "zod";
import { lengthOf, optionalText } from "../foundation/text.ts";

/** The families of the overlays' typefaces that a brand can choose. */
export const Font = z.enum(["Inter", "Playfair Display"]);

export const VOICE_LENGTH = 2_000;
const MOST_ENTRIES = 50;
export const MOST_COLORS = 5;
/** Longer than any language tag in use (BCP 47 §4.4.1). */
const LONGEST_TAG = 35;

const entries = z.array(optionalText(VOICE_LENGTH)).max(MOST_ENTRIES).default([]);

const Voice = z.object({
  tone: optionalText(VOICE_LENGTH).default("").describe("How the brand sounds."),
  use: entries.describe("Words to use."),
  avoid: entries.describe("Words to avoid."),
  examples: entries.describe("Texts that sound like the brand."),
}).refine(
  ({ tone, use, avoid, examples }) =>
    lengthOf([tone, ...use, ...avoid, ...examples].join("")) <= VOICE_LENGTH,
  `must be at most ${VOICE_LENGTH.toLocaleString("en-US")} characters in all`,
).meta({ id: "Voice" });
export type Voice = z.output<typeof Voice>;

/** The grammar of BCP 47 (RFC 5646, 2.1), for the description; `Intl` checks. */
const LANGUAGE_TAG = "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?" +
  "(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(-[0-9A-WY-Za-wy-z](-[A-Za-z0-9]{2,8})+)*" +
  "(-[Xx](-[A-Za-z0-9]{1,8})+)?$";

const Language = z.string().max(LONGEST_TAG)
  .refine(isLanguageTag, "must be a BCP 47 language tag like de or en-GB")
  .meta({ pattern: LANGUAGE_TAG });
const TimeZone = z.string().max(64)
  .refine(isTimeZone, "must be an IANA time zone like Europe/Berlin")
  .meta({ pattern: "^[A-Za-z][A-Za-z0-9_+/-]*$" });
const Colors = z.array(z.string().regex(/^#[0-9a-fA-F]{6}$/, "must be a colour like #1a2b3c"))
  .max(MOST_COLORS);

/** As stored and shown. */
export const KitFields = z.object({
  voice: Voice.nullable().describe("How captions, topics and overlays sound."),
  language: Language.nullable().describe("Of captions and overlays; null: that of the series."),
  timeZone: TimeZone.nullable().describe("Null: UTC."),
  colors: Colors.nullable().describe("The brand's colours, the main one first."),
  headingFont: Font.nullable(),
  bodyFont: Font.nullable(),
});
export type KitFields = z.output<typeof KitFields>;

/** As sent: a field that is left out keeps its value. */
export const NewKitFields = KitFields.partial();
export type NewKitFields = z.output<typeof NewKitFields>;

export const NO_FIELDS: KitFields = {
  voice: null,
  language: null,
  timeZone: null,
  colors: null,
  headingFont: null,
  bodyFont: null,
};

/** The fields of `from`, without anything else that it has. Those it lacks are null. */
export function kitFields(from: NewKitFields): KitFields {
  return {
    voice: from.voice ?? null,
    language: from.language ?? null,
    timeZone: from.timeZone ?? null,
    colors: from.colors ?? null,
    headingFont: from.headingFont ?? null,
    bodyFont: from.bodyFont ?? null,
  };
}

/** `before` changed by the fields that were sent. */
export function changedFields(before: KitFields, sent: NewKitFields): KitFields {
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  return kitFields({ ...before, ...Object.fromEntries(given) });
}

/** Well formed, with a language of ISO 639: BCP 47 reserves longer ones, and none is registered. */
function isLanguageTag(value: string): boolean {
  try {
    return new Intl.Locale(value).language.length <= 3;
  } catch {
    return false;
  }
}

/** Whether `value` is a named zone. Intl also takes offsets like +01:00, which have no summer time. */
function isTimeZone(value: string): boolean {
  if (!/^[a-z]/i.test(value)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
