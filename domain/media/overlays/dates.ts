/** Takes a written date apart, so that its day can be set large. */

export interface DatePart {
  text: string;
  isDay: boolean;
}

/** The longest words beside the day that still fit on a calendar's leaf. */
const LONGEST = 14;
/** The number of a day: one or two digits that do not belong to a time, a year or a date like 24/12. */
const DAY = /(?<![\p{Nd}.:/-])\p{Nd}{1,2}(?:\.(?!\p{Nd})|st|nd|rd|th)?(?![\p{Nd}:/-]|\.\p{Nd})/u;
/** 12月24日: first the month with its sign, then the day with its own. */
const EAST_ASIAN = /^(.*?\p{Nd}{1,2}\s*[月월])\s*(\p{Nd}{1,2})\s*([日일].*)$/u;

/** Splits a date into the text before its day, the day, and the text after it. Without a day: one part. */
export function dateParts(date: string): DatePart[] {
  const whole = [{ text: date, isDay: true }];
  const [, month = "", number = "", after = ""] = EAST_ASIAN.exec(date) ?? [];
  if (number !== "") return partsOf(month, number, after) ?? whole;
  const found = DAY.exec(date);
  if (found === null) return whole;
  const [day] = found;
  const [before, rest] = [date.slice(0, found.index), date.slice(found.index + day.length)];
  return partsOf(before, day.replace(/[^\p{Nd}]+$/u, ""), rest) ?? whole;
}

function partsOf(before: string, day: string, after: string): DatePart[] | null {
  const [above, below] = [before, after].map((text) =>
    text.replace(/^[\s,.·–—-]+|[\s,·–—-]+$/gu, "")
  );
  const beside = [above!, below!];
  if (beside.every((text) => text === "") || beside.some((text) => [...text].length > LONGEST)) {
    return null;
  }
  return [
    { text: above!, isDay: false },
    { text: day, isDay: true },
    { text: below!, isDay: false },
  ].filter(({ text }) => text !== "");
}
