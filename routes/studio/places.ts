/** Languages and time zones to choose from, in words. */

interface Place {
  value: string;
  label: string;
}

/** Those that the most brands write in; the kit takes any language tag. */
const TAGS =
  "ar bg bn ca cs da de el en en-GB en-US es et fa fi fr he hi hr hu id it ja ko lt lv ms " +
  "nb nl pl pt pt-BR ro ru sk sl sr sv sw ta th tr uk ur vi zh zh-TW";

const names = new Intl.DisplayNames("en", { type: "language" });

export const LANGUAGES: Place[] = TAGS.split(" ")
  .map((value) => ({ value, label: names.of(value) ?? value }))
  .sort((a, b) => a.label.localeCompare(b.label, "en"));

export const ZONES: Place[] = Intl.supportedValuesOf("timeZone")
  .map((value) => ({ value, label: value.replaceAll("_", " ") }));
