/** Topics of scheduled posts: asked from the text model, or dealt from the deck; none comes back soon. */
import { z } from "zod";
import { sharedOf, shinglesOf } from "../../foundation/shingles.ts";
import { cutAtWord } from "../../foundation/text.ts";
import { isRefusal, isUnusable, write } from "../../models/write.ts";
import { loadStopWords } from "../../models/writer/language.ts";
import type { Service } from "../../service/service.ts";
import { Topic, type UsedTopic } from "../story.ts";
import { type LocalFacts, LocalWriter } from "./local_text.ts";

export interface TopicsBrief extends LocalFacts {
  style: string;
  timeZone: string | null;
  /** One for each topic that is wanted. */
  posts: PostFacts[];
  /** The series' last topics, oldest first. */
  used: UsedTopic[];
  /** Its last captions. */
  captions: string[];
  seed: string;
}

interface PostFacts {
  direction: string;
  format: string;
  /** The weekday and date where the brand is. */
  when: string;
}

/** Topics and captions that the model is shown, and that no new topic may repeat. */
export const REMEMBERED = 30;
const MOST_ON_IMAGE = 8;
/** More of the word runs of two scenes in common, and they show the same. */
const ALIKE = 0.5;

const Topics = z.strictObject({ topics: z.array(Topic) });

const INSTRUCTIONS =
  "Plan the topics of a brand's next social media posts: one for each entry of `posts`, in order. " +
  "Serve `goal`, `theme` and `guidance`, and take each post's `direction` as the kind of post, never " +
  "as its words. Mind the weekday and the season of `when`. State nothing as fact that the facts don't " +
  "say. A topic must not repeat or resemble any of `usedTopics`, `usedCaptions` or the others. `topic`: " +
  "what the post tells, in a few words. `scene`: what its picture shows, one or two sentences, no text " +
  "in it. `onImage`: a headline of at most 8 words for the picture, empty if it needs none; never the " +
  "direction. `captionAngle`: how the caption begins and what it tells. Write in `language`, or in that " +
  "of the theme or goal, and in the brand's `voice`.";

/**
 * Topics for the posts. A model that declines, or answers with something else, gets the deck's in
 * place of its own, because nothing is made before a post has a topic.
 * @throws ServiceError `serviceUnavailable` when the text model does not answer
 */
export async function writeTopics(
  service: Pick<Service, "textModel">,
  brief: TopicsBrief,
): Promise<(Topic & { isLocal: boolean })[]> {
  const local = new LocalWriter(brief, await loadStopWords());
  const isLocal = service.textModel.isLocal === true;
  const taken: UsedTopic[] = [...brief.used];
  const topics: (Topic | null)[] = brief.posts.map(() => null);
  // A model gets one more try for those that were missing or told already.
  for (let tries = 0; tries < 2; tries++) {
    const open = topics.flatMap((topic, index) => topic === null ? [index] : []);
    if (open.length === 0 || (isLocal && tries > 0)) break;
    const posts = open.flatMap((index) => brief.posts[index] ?? []);
    const directions = posts.map(({ direction }) => direction);
    const written = await write(service, {
      name: "topics",
      instructions: INSTRUCTIONS,
      facts: factsOf({ ...brief, posts }, taken),
      schema: Topics,
      local: () => ({ topics: local.topics(directions, taken, brief.seed) }),
    }).catch((error) => without(error, { topics: [] }));
    for (const [place, index] of open.entries()) {
      const offered = written.topics[place];
      if (offered === undefined) continue;
      const topic = fitted(offered, directions[place] ?? "");
      if (topic.topic === "" || (!isLocal && isKnown(topic, taken))) continue;
      topics[index] = topic;
      taken.push(topic);
    }
  }
  return topics.map((topic, index) => {
    if (topic !== null) return { ...topic, isLocal };
    const [dealt] = local.topics([brief.posts[index]?.direction ?? ""], taken, brief.seed);
    if (dealt === undefined) throw new Error("The deck dealt no topic.");
    taken.push(dealt);
    return { ...dealt, isLocal: true };
  });
}

/** `instead`, if the model declined or answered with something else. @throws any other error */
function without<T>(error: unknown, instead: T): T {
  if (isUnusable(error) || isRefusal(error)) return instead;
  throw error;
}

function factsOf(brief: TopicsBrief, taken: readonly UsedTopic[]) {
  const { theme, goal, guidance, language, voice, style, timeZone, posts, captions } = brief;
  return {
    theme,
    goal,
    guidance,
    language,
    voice,
    brandStyle: style,
    timeZone,
    posts,
    usedTopics: taken.slice(-REMEMBERED).map(({ topic }) => topic),
    usedCaptions: captions.slice(-REMEMBERED),
  };
}

/** Within its limits, and without the direction's label on the picture. */
function fitted({ topic, scene, onImage, captionAngle }: Topic, direction: string): Topic {
  const words = onImage.trim().split(/\s+/).slice(0, MOST_ON_IMAGE).join(" ");
  return {
    topic: cutAtWord(topic.trim(), 200),
    scene: cutAtWord(scene.trim(), 1_500),
    onImage: folded(words) === folded(direction) ? "" : cutAtWord(words, 100),
    captionAngle: cutAtWord(captionAngle.trim(), 600),
  };
}

function isKnown({ topic, scene }: Topic, taken: readonly UsedTopic[]): boolean {
  const shown = shinglesOf(scene);
  return taken.slice(-REMEMBERED).some((other) =>
    folded(other.topic) === folded(topic) || sharedOf(shinglesOf(other.scene), shown) > ALIKE
  );
}

const folded = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();

const Slides = z.strictObject({ slides: z.array(z.string()) });

const SLIDES =
  "Write the words on the images of one carousel that tells `topic`: exactly `count` texts of at most " +
  "8 words, each different. The first is a hook, the last a close, and those between are the steps. " +
  "State nothing as fact that the facts don't say. Write in the language of `topic` and in the " +
  "brand's `voice`.";

/** The words on each image of a carousel. @throws ServiceError `serviceUnavailable` */
export async function writeSlides(
  service: Pick<Service, "textModel">,
  brief: TopicsBrief,
  { topic, onImage, captionAngle }: Pick<Topic, "topic" | "onImage" | "captionAngle">,
  count: number,
): Promise<string[]> {
  const own = new LocalWriter(brief, await loadStopWords()).slides(count, onImage);
  const { slides } = await write(service, {
    name: "slides",
    instructions: SLIDES,
    facts: { topic, captionAngle, count, voice: brief.voice, guidance: brief.guidance },
    schema: Slides,
    local: () => ({ slides: own }),
  }).catch((error) => without(error, { slides: own }));
  const words = slides.map((text) => text.trim().split(/\s+/).slice(0, MOST_ON_IMAGE).join(" "));
  const isStory = words.length === count && new Set(words.map(folded)).size === count;
  return isStory ? words : own;
}
