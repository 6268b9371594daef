/** Reads a goal and its guidance without a model: their subject, wishes and exclusions. */

/** Words that are never a post's subject: they say how or why, or name a figure (sales, followers). */
const STOP_WORDS = new Set(
  `a about after all also am an and any are as at audience avoid awareness be because become been
  before being best better bookings boost brand bring build but by can clients come content could
  create customers daily do does don't dont drive each engagement every experts few fill find focus
  followers for from gain generate get give goal grow growth has have help her here his how i if
  improve in increase into is it its keep known leads let like likes look make many me mention month
  more most much must need never new no not now of on one or other our out over own people please
  post posts presence promote push quarter raise reach revenue sales sell sells shall shares she
  should show sign-ups signups so some subscribers such than that the their them then there these
  they this those to tone too traffic up us use very views visibility visits want was we week weekly
  were what when where which while who whom why will win with without would year you your`
    .split(/\s+/),
);

const LONGEST_SUBJECT = 60;

/** The longest run of subject words: "Fill our weekend pottery classes" → "our weekend pottery classes". */
export function subjectOf(text: string): string | null {
  const runs: string[][] = [];
  for (const part of text.split(/[^\p{L}\p{N}'’\s-]+/u)) {
    let run: string[] = [];
    runs.push(run);
    let owner = "";
    for (const word of part.split(/\s+/).filter((word) => word !== "")) {
      if (STOP_WORDS.has(word.toLowerCase())) {
        if (run.length > 0) runs.push(run = []);
        owner = word.toLowerCase() === "our" ? "our " : "";
      } else run.push(run.length === 0 ? `${owner}${word}` : word);
    }
  }
  let best = "";
  for (const run of runs) {
    const phrase = run.slice(-5).join(" ");
    if (phrase.length > best.length && phrase.length <= LONGEST_SUBJECT) best = phrase;
  }
  return best === "" ? null : uncapitalized(best);
}

/** Between clauses: punctuation (not that of "9.50"), or "and" before another instruction. */
const CLAUSES =
  /(?<!\d)[.,]|[.,](?!\d)|[;!?\n]+|\s(?:and|but|und|aber)\s(?=(?:no|never|avoid|don['’]t|do not|without|mention|show|kein|nie|ohne|vermeide|erwähn|zeig))/iu;
const MENTIONS =
  /(?<!\p{L})(?:mention|talk about|write about|tell about|erwähnen?|erwähnt|nenne|schreib(?:e|t)? über)\s+/iu;
const SHOWS = /(?<!\p{L})(?:focus on|show|highlight|feature|zeig(?:e|t|en)?)\s+/iu;
const REFUSES =
  /(?<!\p{L})(?:no|never|avoid|don['’]t|do not|without|kein(?:e[nrms]?)?|nie|ohne|vermeiden?|nicht)(?!\p{L})/iu;

const clausesOf = (guidance: string) =>
  guidance.split(CLAUSES).map((clause) => clause.trim()).filter((clause) => clause !== "");

/** What the guidance asks to mention and to show: "Warm. Show our team. No prices." → our team. */
export function wishesOf(guidance: string): { mentioned: string[]; shown: string[] } {
  const wishes = clausesOf(guidance).filter((clause) => !REFUSES.test(clause));
  const after = (verb: RegExp) =>
    wishes.filter((clause) => verb.test(clause))
      .map((clause) => clause.split(verb)[1]?.trim() ?? "")
      .filter((wish) => wish.length > 2 && wish.length <= LONGEST_SUBJECT);
  return { mentioned: after(MENTIONS), shown: after(SHOWS) };
}

/** A price, a share, or a date. */
const FIGURE =
  /[€$£¥%]|(?<!\p{L})(?:EUR|USD|GBP|CHF)(?!\p{L})|\d{1,2}[./]\d{1,2}|(?<!\p{L})(?:until|from|till|bis|ab|am|offer|off|Angebot|Rabatt)(?!\p{L}).*\d|\d.*(?:off|Rabatt)(?!\p{L})/iu;

/** Sentences that name an offer, a price or a date, as they are written. */
export function offersIn(text: string): string[] {
  return sentencesOf(text).filter((sentence) => FIGURE.test(sentence) && !REFUSES.test(sentence));
}

/** The sentences of a text, as they are written. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?。！？])\s+|\n+|(?<=[。！？])/u).map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** Whether the guidance excludes something: `refuses("No hashtags, please", ["hashtag"])` is true. */
export function refuses(guidance: string, what: readonly string[]): boolean {
  return clausesOf(guidance).some((clause) =>
    REFUSES.test(clause) && what.some((word) => clause.toLowerCase().includes(word))
  );
}

/** Lowers a sentence's first capital. Acronyms and names like NASA or iPhone stay as they are. */
function uncapitalized(text: string): string {
  return text.replace(/^\p{Lu}(?=\p{Ll})/u, (first) => first.toLowerCase());
}
