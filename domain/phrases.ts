/** Reads a goal and its guidance without a model: what it is about, what to show, what to ask for. */

/** Words that say how, why, or what is counted (sales, followers): never what a post is about. */
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

/** The words of a text that carry its subject, lower case, in order, each once. */
export function keywords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [];
  return [...new Set(words.filter((word) => word.length > 2 && !STOP_WORDS.has(word)))];
}

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

const SHOWS = /\b(?:focus on|show|highlight|feature|mention|talk about|write about|tell about)\s+/i;
const REFUSES = /\b(?:no|never|avoid|don['’]t|do not|without)\b/i;

/** What the guidance asks to show: "Warm. Show the people behind it. No prices." → the people behind it. */
export function wishesOf(guidance: string): string[] {
  return guidance.split(/[.;!?\n]+/)
    .filter((sentence) => SHOWS.test(sentence) && !REFUSES.test(sentence))
    .map((sentence) => sentence.split(SHOWS)[1]?.trim() ?? "")
    .filter((wish) => wish.length > 2 && wish.length <= LONGEST_SUBJECT);
}

/** Whether the guidance rules something out: `refuses("No hashtags, please", "hashtag")`. */
export function refuses(guidance: string, what: string): boolean {
  return guidance.split(/[.;!?\n,]+/).some((sentence) =>
    REFUSES.test(sentence) && sentence.toLowerCase().includes(what)
  );
}

/** Lowers a sentence's first capital, but leaves names in capitals (NASA, iPhone) as they are. */
function uncapitalized(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text;
}
