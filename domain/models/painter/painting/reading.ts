/** What of a prompt is the idea and what is the brand's style: the idea gives the subject. */

export interface Parts {
  /** Sentences that may name the subject, those of the idea first. */
  subject: string[];
  /** What the brand says of its pictures: light, palette, mood. */
  style: string;
  /** The idea and its own light, palette and mood. */
  scene: string;
}

/** Begins the part of a composed prompt that the idea gave. */
const SCENE = /(?:^|\n)\s*Scene:\s*/g;

/** Sentences of a composed scene that say how, not what. */
const MANNER =
  /^(?:light|lens|palette|mood|style|camera|colou?rs?|no text|(?:off-centre|centred|layered) composition)\b/i;

/** Words of which a paragraph before the idea has one when it describes a style. */
const STYLE =
  /\b(?:style|look|palette|tones?|film|grain|photo\w*|colou?rs?|light\w*|mood|aesthetic|illustration|watercolou?r|minimal\w*|pastel|vintage|blues|greens|reds|browns|greys|grays|pinks|stil|farb\w*|licht\w*|palette|lumi\w+|couleurs?|estilo|colores|luz|stile|colori|luce|cores)\b|#[\da-f]{6}|スタイル|色|光/i;

export function partsOf(prompt: string): Parts {
  const at = [...prompt.matchAll(SCENE)].at(-1);
  if (at !== undefined) {
    const scene = prompt.slice(at.index + at[0].length);
    const style = prompt.slice(0, at.index);
    return { subject: sentencesOf(scene), style, scene };
  }
  const paragraphs = prompt.split(/\n\s*\n/).filter((part) => part.trim() !== "");
  const scene = paragraphs.at(-1) ?? "";
  const before = paragraphs.slice(0, -1);
  return {
    // Where the last paragraph only says how, the one before it says what is shown.
    subject: [scene, ...before.filter((part) => !STYLE.test(part) || STYLE.test(scene))]
      .flatMap(sentencesOf),
    style: before.join("\n"),
    scene,
  };
}

function sentencesOf(text: string): string[] {
  const sentences = text.split(/(?<=[.!?])\s+|[。！？\n]+/).map((part) => part.trim());
  return sentences.filter((part) => part !== "" && !MANNER.test(part));
}

/** Lower-case words without accents, a plural's singular beside it; commas stay as "," between. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFC")
    .replaceAll("ß", "ss").toLowerCase();
  return plain.match(/[\p{L}\p{M}\p{N}]+(?:[-&][\p{L}\p{N}]+)*|[,;:.]/gu) ?? [];
}
