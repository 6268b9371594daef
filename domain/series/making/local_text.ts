/** What the local writer says: the brand's own words as written, sentences from the deck, one wish. */
import {
  isLanguage,
  type Language,
  languageOf,
  nounsOf,
  type StopWords,
} from "../../models/writer/language.ts";
import { PHRASEBOOKS } from "../../models/writer/cards.ts";
import type { Phrasebook } from "../../models/writer/phrasebook.ts";
import { deal, type Used } from "../../models/writer/deal.ts";
import {
  offersIn,
  refuses,
  sentencesOf,
  subjectOf,
  wishesOf,
} from "../../models/writer/phrases.ts";
import { pick, seededRandom } from "../../foundation/chance.ts";
import type { Voice } from "../../brands/kit_fields.ts";
import { capitalized } from "../../foundation/text.ts";
import type { Topic } from "../story.ts";

/** What the local writer knows of a series and its brand. */
export interface LocalFacts {
  theme: string | null;
  goal: string | null;
  guidance: string | null;
  /** The kit's language; null: that of the series' texts. */
  language: string | null;
  voice: Voice | null;
}

/** Longer themes are told a sentence at a time. */
const WHOLE = 160;
/** The part of a theme that names it in a topic, and that its scenes share. */
const SUBJECT = 48;

/** Reads facts once: the language, what may be said in it, and the brand's own words. */
export class LocalWriter {
  readonly book: Phrasebook | null;
  readonly #language: Language | null;
  readonly #theme: string;
  readonly #goal: string;
  readonly #guidance: string;

  constructor(readonly facts: LocalFacts, readonly stopWords: StopWords) {
    const { theme, goal, guidance, language } = facts;
    const named = language?.toLowerCase().split("-")[0] ?? "";
    const texts = [theme, goal, guidance].filter((text) => text !== null).join(" ");
    this.#language = isLanguage(named) ? named : named === "" ? languageOf(texts, stopWords) : null;
    this.#theme = theme ?? "";
    this.#goal = goal ?? "";
    this.#guidance = [guidance, facts.voice?.tone].filter((text) => text).join("\n");
    // Nothing of the brand's own to say: then English is better than silence.
    this.book = PHRASEBOOKS[this.#language ?? ""] ??
      (this.#ownWords(0) === "" && this.#wishes().length === 0 ? PHRASEBOOKS["en"] : null) ?? null;
  }

  /** The next topics, one for each direction. */
  topics(directions: readonly string[], used: readonly Used[], seed: string): Topic[] {
    const dealt: Topic[] = [];
    for (const direction of directions) {
      const { name, scene, text } = deal(this.book, {
        used: [...used, ...dealt],
        direction,
        seed,
        avoid: this.facts.voice?.avoid ?? [],
      });
      const subject = this.subject();
      dealt.push({
        topic: subject === "" ? name : `${name}: ${subject}`,
        scene: subject === "" ? `${scene}.` : `${subject}. ${scene}.`,
        onImage: this.book === null ? "" : name,
        captionAngle: text,
      });
    }
    return dealt;
  }

  /** What the pictures show, in a few of the brand's own words. */
  subject(): string {
    const about = this.#theme === "" ? this.#subjectOfGoal() ?? this.#goal : this.#theme;
    const [first = ""] = about.split(/\n/u);
    const plain = first.trim().replace(/[\s.!?。！？]+$/u, "");
    if (plain.length <= SUBJECT) return plain;
    const head = plain.slice(0, SUBJECT + 1);
    const end = head.search(/\s\S*$/);
    return [...(end > 0 ? head.slice(0, end) : head)].join("").replace(/[\s:,;-]+$/u, "");
  }

  /** Words for `count` images: a hook, steps, a close. Empty where no words are known. */
  slides(count: number, hook: string): string[] {
    const own = this.#theme.split(/[:,;\n]+/u).map((part) =>
      part.replace(/[.!?。！？]+$/u, "").trim()
    )
      .filter((part) => part !== "" && part.length <= SUBJECT);
    const steps = own.length > 2 ? own.slice(1) : [];
    const all = [...steps, ...this.book?.steps ?? []].slice(0, Math.max(0, count - 2));
    const words = [hook, ...all];
    return Array.from(
      { length: count },
      (_, index) => index === count - 1 ? this.book?.closing ?? "" : words[index] ?? "",
    );
  }

  /** @param text the topic's own sentences; null: from the deck, by the seed */
  caption(
    { text, seed, questions }: {
      text: string | null;
      seed: string;
      /** Whether the first sentence had better be a question. */
      questions: boolean;
    },
  ): string {
    const random = seededRandom(seed);
    const place = Math.floor(random() * 1_000);
    const own = this.#ownWords(place);
    const { book } = this;
    if (book === null) return this.#steered([own, ...this.#wishes()]);
    const [, anyHook] = pick(random, book.cards);
    const [given, rest] = (text ?? "").split("\n");
    const asked = book.cards.filter(([, line]) => line.endsWith("?"));
    const hook = questions && given?.endsWith("?") !== true
      ? pick(random, asked)[1]
      : given || anyHook;
    const body = rest ?? `${pick(random, book.thoughts)} ${pick(random, book.remarks)}`;
    const calls = book.calls.find(({ goal }) => goal.test(`${this.#goal} ${this.#theme}`));
    const call = pick(random, calls?.lines ?? [book.closing]);
    const wishes = this.#wishes().join(" ");
    const first = [own, hook].filter((part) => part !== "").join(" ");
    const second = [body, wishes].filter((part) => part !== "").join(" ");
    return this.#steered([first, second, call]);
  }

  hashtags(): string[] {
    if (refuses(this.#guidance, ["hashtag"])) return [];
    const about = this.#theme === "" ? this.#subjectOfGoal() ?? "" : this.#theme;
    return nounsOf(about, this.#language, this.stopWords);
  }

  /** The theme as it is written; of a long one a sentence at a time, and always its offers. */
  #ownWords(place: number): string {
    const theme = this.#theme.trim();
    if (theme === "") {
      const subject = this.#subjectOfGoal();
      return subject === null ? "" : ended(capitalized(subject));
    }
    if (theme.length <= WHOLE) return ended(theme);
    const sentences = sentencesOf(theme);
    const one = sentences[place % sentences.length] ?? theme;
    return [...new Set([one, ...offersIn(theme).slice(0, 2)])].map(ended).join(" ");
  }

  /** What an English goal is about, where it says so in two words or more. */
  #subjectOfGoal(): string | null {
    if (this.#language !== "en") return null;
    const subject = subjectOf(this.#goal);
    return subject?.includes(" ") === true ? subject : null;
  }

  /** The lines that the guidance asks for. */
  #wishes(): string[] {
    const { mentioned, shown } = wishesOf(this.#guidance);
    const line = (opening: string | undefined, wishes: string[]) =>
      wishes.length === 0
        ? []
        : [ended(opening === undefined ? wishes.join(", ") : `${opening}${wishes.join(", ")}`)];
    const book = PHRASEBOOKS[this.#language ?? ""];
    return [
      ...line(book?.shown, shown.slice(0, 1)),
      ...line(book?.mentioned, mentioned),
      ...offersIn(this.#guidance).filter((offer) => wishesOf(offer).mentioned.length === 0)
        .map(ended),
    ];
  }

  #steered(paragraphs: string[]): string {
    const caption = paragraphs.filter((part) => part.trim() !== "").join("\n\n");
    return steered(caption, this.#guidance);
  }
}

/** A text as the guidance wants its punctuation, whoever wrote it. */
export function steered(text: string, guidance: string | null): string {
  if (!refuses(guidance ?? "", ["exclamation", "ausrufezeichen"])) return text;
  return text.replace(/\?[!?]+/gu, "?").replace(/[!！]+/gu, ".");
}

function ended(text: string): string {
  const plain = text.trim();
  return plain === "" || /[.!?…。！？]["'”’)]*$/u.test(plain) ? plain : `${plain}.`;
}
