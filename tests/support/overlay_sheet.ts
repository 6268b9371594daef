/** Draws the contact sheet of overlays under `tests/data`; people look at it, tests read its cases. */
import { type AspectRatio, SIZES } from "../../domain/media/images/aspect.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { renderOverlay } from "../../domain/media/overlays/render.ts";
import { type Look, OverlayTemplate } from "../../domain/media/overlays/shape.ts";
import { painter } from "../../domain/models/painter/painter.ts";

export const RATIOS = Object.keys(SIZES) as AspectRatio[];

/** What a case is written in. */
export const WORDINGS = ["short", "long", "emoji", "arabic", "japanese", "german"] as const;
export type Wording = typeof WORDINGS[number];

interface Words {
  /** For layouts with a heading and its support. */
  title: string;
  offer: string;
  event: string;
  action: string;
  step: string;
}

const WORDS: Record<Wording, Words> = {
  short: {
    title: "Autumn menu\nFrom Tuesday",
    offer: "–20 %\nuntil Sunday",
    event: "12 Dec\nWine evening",
    action: "New: oat latte\nOrder now",
    step: "2/5\nWarm the cup",
  },
  long: {
    title: "Seven small habits that make every weekday morning in our coffee bar feel like the " +
      "first day of a long holiday\nWritten down by the people who open the door at six and " +
      "know each of our guests by name, by cup and by mood, in every season of the year",
    offer:
      "Two for one on every filter coffee and every slice of cake\nOn weekdays from three to " +
      "six, in both of our houses, as long as the kitchen is open, and not together with other offers",
    event:
      "Saturday, 14 November\nAn evening with the roasters from Antigua, Guatemala\nDoors at " +
      "seven, first cup at half past, at our house by the harbour; tickets at the bar and online",
    action:
      "Book your place for the long table in our courtyard before the season ends\nFourteen " +
      "seats, five courses, one evening in September\nReserve your seat",
    step: "3/7\nPour slowly and in circles until the scale shows three hundred grams\nWait for " +
      "thirty seconds between the pours so that the ground coffee can open and let the gas out",
  },
  emoji: {
    title: "Ready 🎉 set 🚀 go ❤️\n👩‍👩‍👧 Family Sunday 🇫🇷",
    offer: "2 for 1 ☕\nevery Monday 🥐",
    event: "24 Dec 🎄\nCarols in the shop 🎶\n6 pm, free entry ✨",
    action: "The pumpkin is back 🎃🍂\nTaste it today ☕",
    step: "4/5\nA pinch of cinnamon ✨\nNot more 😉",
  },
  arabic: {
    title: "الساعة الهادئة قبل أن تستيقظ المدينة\nملاحظات من نزهة الصباح",
    offer: "خصم ٢٠٪\nحتى يوم الأحد",
    event: "١٢ ديسمبر\nأمسية القهوة والموسيقى\nالسابعة مساءً، في المقهى",
    action: "قائمة الخريف وصلت\nاحجز طاولتك",
    step: "٢/٥\nسخّن الفنجان أولًا\nثم أضف القهوة ببطء",
  },
  japanese: {
    title: "静かな朝の光、街が目覚める前の時間\n散歩しながら書きとめた小さなことば",
    offer: "全品20%オフ\n日曜日まで",
    event: "12月24日(水)\nクリスマスの夜の朗読会\n午後6時から、本店二階にて",
    action: "かぼちゃのラテが今年も帰ってきました\n今すぐ予約する",
    step: "2/5\nカップをゆっくり温めておきます\nお湯は九十度くらいがちょうどいい",
  },
  german: {
    title: "Donaudampfschifffahrtsgesellschaftskapitän lädt zum Frühstück\n" +
      "Lebensmittelunverträglichkeiten berücksichtigen wir",
    offer: "Weihnachtsgeschenkgutscheine\nfür Stammkundschaft",
    event: "Freitag, 18. Dezember\nWeihnachtsbaumschmuckwerkstatt\nAnmeldung im Geschäft",
    action: "Geschwindigkeitsbegrenzung aufgehoben: Expresszustellung\nJetzt vorbestellen",
    step: "1/4\nSicherheitsvorkehrungen\nWasserstandsanzeige vor Inbetriebnahme prüfen",
  },
};

/** The words that suit a layout. */
export function wordsFor(template: OverlayTemplate, wording: Wording): string {
  const words = WORDS[wording];
  switch (template) {
    case "offerBadge":
    case "cornerTag":
      return words.offer;
    case "eventDate":
      return words.event;
    case "storyCta":
      return words.action;
    case "stepCard":
      return words.step;
    default:
      return words.title;
  }
}

/** Brands that ask different things of a layout: none, dark, pale, loud, deep, and one that is too light. */
export const LOOKS: Record<Wording, Look> = {
  short: {},
  long: { colors: ["#0b3d91", "#ff7a1a"] },
  emoji: { colors: ["#ff4f8b", "#ffe14d"], headingFont: "Playfair Display" },
  arabic: { colors: ["#0f5b46", "#e9c46a"], bodyFont: "Playfair Display" },
  japanese: {},
  german: { colors: ["#f7c600", "#111111"], headingFont: "Inter", language: "de" },
};

const PROMPTS: Record<Wording, string> = {
  short: "A bowl of pumpkin soup with fresh herbs",
  long: "A barista behind the counter",
  emoji: "A birthday party with balloons",
  arabic: "City skyline at dusk",
  japanese: "A quiet book shop",
  german: "A sailing boat on the sea, white clouds",
};

/** The picture of a wording, painted once. */
export function paintingFor(wording: Wording): Promise<Uint8Array> {
  const known = PAINTINGS.get(wording) ?? paint(PROMPTS[wording]);
  PAINTINGS.set(wording, known);
  return known;
}

const PAINTINGS = new Map<Wording, Promise<Uint8Array>>();

async function paint(prompt: string): Promise<Uint8Array> {
  const { signal } = new AbortController();
  const size = SIZES.portrait;
  return (await painter.paint({ prompt, size, references: [], seed: "overlays", signal })).bytes;
}

interface SheetOptions {
  templates?: readonly OverlayTemplate[];
  wordings?: readonly Wording[];
  ratios?: readonly AspectRatio[];
  /** Height of a tile, pixels. */
  tall: number;
  logo?: Uint8Array | null;
}

/** All cases side by side: a row for each layout, a group of ratios for each wording. */
export async function contactSheet({ tall, logo = null, ...only }: SheetOptions) {
  const { templates = OverlayTemplate.options, wordings = WORDINGS, ratios = RATIOS } = only;
  const sharp = await loadSharp();
  const gap = Math.round(tall / 30);
  const tiles = [];
  let top = gap;
  let width = 0;
  for (const template of templates) {
    let left = gap;
    for (const wording of wordings) {
      for (const aspectRatio of ratios) {
        const jpeg = await renderOverlay({
          image: await paintingFor(wording),
          overlay: { template, text: wordsFor(template, wording), showLogo: logo !== null },
          ...{ logo, aspectRatio, look: LOOKS[wording] },
        });
        const { data, info } = await sharp(jpeg).resize({ height: tall }).png()
          .toBuffer({ resolveWithObject: true });
        tiles.push({ input: data, left, top });
        left += info.width + gap;
      }
      left += gap * 2;
    }
    width = Math.max(width, left);
    top += tall + gap;
  }
  const create = { width, height: top, channels: 3, background: "#ffffff" } as const;
  return sharp({ create }).composite(tiles);
}

if (import.meta.main) {
  const sheet = await contactSheet({ tall: 165 });
  const jpeg = await sheet.jpeg({ quality: 72 }).toBuffer();
  await Deno.writeFile(new URL("../data/overlays.jpg", import.meta.url), jpeg);
}
