/** Topics: thirty posts of a series say and show thirty things, with the local writer and with a model. */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { writer } from "../../domain/models/choose.ts";
import { SCENES } from "../../domain/models/writer/cards.ts";
import { ENGLISH } from "../../domain/models/writer/english.ts";
import { GERMAN } from "../../domain/models/writer/german.ts";
import { languageOf, loadStopWords, nounsOf } from "../../domain/models/writer/language.ts";
import { offersIn, wishesOf } from "../../domain/models/writer/phrases.ts";
import type { TextModel, WritingTask } from "../../domain/models/model.ts";
import { subjectOf } from "../../domain/models/painter/painting/subject.ts";
import { type TopicsBrief, writeTopics } from "../../domain/series/making/topic_writing.ts";
import { writeCaption } from "../../domain/series/making/writing.ts";
import { proposeDirections } from "../../domain/series/strategist/directions.ts";
import type { UsedTopic } from "../../domain/series/story.ts";
import { MANUAL } from "../support/series.ts";

const COUNT = 30;
const FACTS = {
  goal: null,
  theme: null,
  guidance: null,
  language: null,
  voice: null,
  style: "",
  timeZone: null,
  captions: [],
};

type Facts = Partial<Pick<TopicsBrief, "goal" | "theme" | "guidance" | "language" | "voice">>;

/** The topics and captions of `COUNT` posts, planned a week at a time as a pass does. */
async function posts(textModel: TextModel, facts: Facts, directions: string[]) {
  const used: UsedTopic[] = [];
  const told = [];
  for (let from = 0; from < COUNT; from += 7) {
    const week = Array.from({ length: Math.min(7, COUNT - from) }, (_, day) => ({
      direction: directions[(from + day) % directions.length]!,
      format: "post",
      when: `day ${from + day}`,
    }));
    const brief = { ...FACTS, ...facts, posts: week, used, seed: "ser_1" };
    for (const [day, topic] of (await writeTopics({ textModel }, brief)).entries()) {
      used.push(topic);
      const { caption, hashtags, draft } = await writeCaption({ textModel }, {
        ...FACTS,
        ...facts,
        platform: "instagram",
        format: "post",
        kit: { baseStylePrompt: "", voice: facts.voice ?? null, language: facts.language ?? null },
        topic,
        workedWell: [],
        seed: `slot ${from + day}`,
      });
      told.push({ ...topic, caption, hashtags, draft, direction: week[day]!.direction });
    }
  }
  return told;
}

function trigrams(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.slice(2).map((word, at) => `${words[at]} ${words[at + 1]} ${word}`));
}

function assertUnlike(texts: string[]): void {
  const sets = texts.map(trigrams);
  for (const [at, one] of sets.entries()) {
    for (const [place, other] of sets.slice(0, at).entries()) {
      const shared = one.intersection(other).size;
      assert(
        shared * 2 <= Math.min(one.size, other.size),
        `${texts[at]}\n--- and ---\n${texts[place]}`,
      );
    }
  }
}

/** A text model with an idea for each post, which says the first one again and again at the end. */
function inventive(): TextModel & { asked: WritingTask<unknown>[] } {
  const asked: WritingTask<unknown>[] = [];
  let count = 0;
  const word = (at: number, place: number) => `w${at}x${place}`;
  const words = (at: number) => Array.from({ length: 9 }, (_, place) => word(at, place)).join(" ");
  return {
    name: "inventive",
    asked,
    write<T>(task: WritingTask<T>): Promise<T> {
      asked.push(task);
      const facts = task.facts as { posts: { direction: string }[]; topic?: string };
      if (task.name === "caption") {
        return Promise.resolve(
          { caption: `${facts.topic}: ${words(++count)}.`, hashtags: [] } as T,
        );
      }
      const topics = facts.posts.map(({ direction }) => {
        const at = count++ % 9 === 8 ? 0 : count;
        return { topic: words(at), scene: words(at), onImage: direction, captionAngle: words(at) };
      });
      return Promise.resolve({ topics } as T);
    },
  };
}

const GOAL = "Fill weekday lunch tables";
const SERIES: [name: string, facts: Facts, directions: string[]][] = [
  ["a daily series", { theme: MANUAL.theme }, [MANUAL.theme]],
  ["a daily series in German", { theme: "Unser Herbstmenü: Ahorn-Latte, Kürbisbrot" }, [
    "Angebot der Woche",
  ]],
  ["an autopilot", { goal: GOAL }, proposeDirections(GOAL, null, [], 4)],
  ["an autopilot with guidance", { goal: GOAL, guidance: "Warm. Mention the new terrace." }, [
    GOAL,
  ]],
];

for (const [name, facts, directions] of SERIES) {
  Deno.test(`30 posts of ${name} have 30 topics, and no two say or show the same`, async () => {
    for (const textModel of [writer, inventive()]) {
      const told = await posts(textModel, facts, directions);
      assertEquals(new Set(told.map(({ topic }) => topic.toLowerCase())).size, COUNT);
      assertUnlike(told.map(({ scene }) => scene));
      assertUnlike(told.map(({ caption }) => caption));
      for (const { onImage, caption, direction, draft } of told) {
        assertNotEquals(onImage.toLowerCase(), direction.toLowerCase());
        assert(onImage.split(" ").length <= 8, onImage);
        if (direction !== facts.theme) assert(!caption.includes(direction), caption);
        assertEquals(draft, textModel === writer);
      }
    }
  });
}

Deno.test("a model that repeats itself is asked once more, and shown what was used", async () => {
  const model = inventive();
  const told = await posts(model, { theme: "Bread" }, ["Bread"]);
  const weeks = model.asked.filter(({ name }) => name === "topics");
  assert(weeks.length > Math.ceil(COUNT / 7), `${weeks.length} calls`);
  const { usedTopics } = weeks.at(-1)!.facts as { usedTopics: string[] };
  for (const topic of usedTopics) assert(told.some((each) => each.topic === topic), topic);
});

Deno.test("guidance shows in each caption: what to mention, and what to leave out", async () => {
  const guidance = "Friendly, no exclamation marks, mention test rides in Bremen";
  const told = await posts(writer, { goal: "Sell more e-bikes! Now!", guidance }, ["How to: ride"]);
  for (const { caption } of told) {
    assertStringIncludes(caption, "test rides in Bremen");
    assert(!/[!！]|friendly|exclamation/i.test(caption), caption);
  }
  assertEquals(wishesOf("Erwähne Probefahrten in Bremen, keine Preise. Zeig das Team."), {
    mentioned: ["Probefahrten in Bremen"],
    shown: ["das Team"],
  });
  const voice = { tone: "no exclamation marks", use: [], avoid: ["care", "guests"], examples: [] };
  for (const { caption } of await posts(writer, { theme: "Fresh! Today!", voice }, ["Fresh"])) {
    assert(!/!|\bguests\b|\bcare\b/i.test(caption), caption);
  }
});

Deno.test("a theme is printed as written, with its offer, price and date, in its own language only", async () => {
  const theme = "Probefahrten am 12.12. in Bremen: 20 % Rabatt auf alle E-Bikes, ab 1.999 €";
  const english = new Set([...ENGLISH.cards.flat(), ...ENGLISH.thoughts, ...ENGLISH.remarks]);
  for (const { caption, hashtags } of await posts(writer, { theme }, [theme])) {
    assertStringIncludes(caption, theme);
    for (const line of english) assert(!caption.includes(line), caption);
    assertEquals(hashtags, ["probefahrten", "bremen", "rabatt", "ebikes"]);
  }
  const [turkish] = await posts(writer, { theme: "Her gün taze ekmek ve çörek" }, ["x"]);
  assertEquals([turkish!.caption, turkish!.hashtags], ["Her gün taze ekmek ve çörek.", []]);
  assertEquals(offersIn("Show our team. 20 % off until Friday. No prices."), [
    "20 % off until Friday.",
  ]);
});

Deno.test("languages and nouns are told by stop words, and where they don't tell, there are none", async () => {
  const stopWords = await loadStopWords();
  const language = (text: string) => languageOf(text, stopWords);
  assertEquals(language("Our autumn menu: maple latte, pumpkin loaf"), "en");
  assertEquals(language("Mehr Gäste unter der Woche"), "de");
  assertEquals(language("Más clientes para nuestra panadería"), "es");
  assertEquals(language("毎日焼きたてのパン"), "ja");
  assertEquals(language("Ψωμί"), null);
  const nouns = (text: string) => nounsOf(text, language(text), stopWords);
  assertEquals(nouns("Our autumn menu: maple latte, pumpkin loaf"), [
    ...["autumnmenu", "menu", "maplelatte", "latte", "pumpkinloaf", "loaf"],
  ]);
  assertEquals(nouns("Loaves fresh from the oven"), ["loaves", "oven"]);
  assertEquals(nouns("Learn to throw your first mug").includes("learn"), false);
  assertEquals(nouns("Más clientes para nuestra panadería"), []);
});

Deno.test("the deck is whole in both languages, and its scenes leave the subject to the theme", () => {
  for (const { cards, thoughts, remarks } of [ENGLISH, GERMAN]) {
    assertEquals(cards.length, SCENES.length);
    for (const lines of [cards.map(([name]) => name), cards.map(([, hook]) => hook)]) {
      assertEquals(new Set(lines).size, cards.length);
    }
    // More than 30 and coprime: the same two sentences meet again after 992 posts.
    assertEquals([thoughts.length, remarks.length], [31, 32]);
    assertEquals(new Set([...thoughts, ...remarks]).size, 63);
    for (const [name, hook] of cards) assert(name.split(" ").length <= 8 && !hook.includes("!"));
  }
  const themes = [
    "Bread fresh from the oven",
    "Weekend pottery classes",
    "E-bikes",
    "Yoga at noon",
  ];
  for (const theme of themes) {
    for (const scene of SCENES) {
      assertEquals(subjectOf([theme, scene]), subjectOf([theme]), `${theme}. ${scene}`);
    }
  }
});
