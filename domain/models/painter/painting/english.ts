/** Colours, hours, weather and landscape as other languages name them, by the English word. */

const SAME: Record<string, string> = {
  red:
    "rot rote roter rotes roten rouge rouges rojo roja rojos rojas rosso rossa rossi vermelho vermelha 赤 赤い",
  blue: "blau blaue blauer blaues blauen bleu bleue bleus azul azules blu azzurro azzurra 青 青い",
  green: "grun grune gruner grunes grunen vert verte verts verde verdes verdi 緑",
  yellow:
    "gelb gelbe gelber gelbes gelben jaune amarillo amarilla giallo gialla amarelo amarela 黄色",
  orange: "orangefarben arancione naranja laranja オレンジ",
  black:
    "schwarz schwarze schwarzer schwarzes schwarzen noir noire negro negra nero nera preto preta 黒 黒い",
  white:
    "weiss weisse weisser weisses weissen blanc blanche blanco blanca bianco bianca branco branca 白 白い",
  pink: "rosa rosafarben ピンク",
  purple: "lila violett violet violette morado morada viola roxo roxa 紫",
  brown: "braun braune brauner marron marrone marrom 茶色",
  grey: "grau graue grauer gris grigio grigia cinza 灰色",
  gold: "golden goldene goldenes dore dorado dorada dorato dourado 金色",
  beige: "sandfarben ベージュ",
  turquoise: "turkis turkise turquesa turchese",
};

const TIMES: Record<string, string> = {
  morning: "morgen morgens matin manana mattina manha 朝",
  evening: "abend abends feierabend soir soiree tarde sera noite_cedo 夕方 夕暮れ 夕日",
  night: "nacht nachts nuit noche notte noite 夜",
  autumn: "herbst* automne otono autunno outono 秋",
  summer: "sommer* ete verano estate verao 夏",
  spring: "fruhling* printemps primavera 春",
  winter: "winter* hiver invierno inverno 冬",
  snow: "schnee* neige nieve neve 雪",
  sea: "meer strand mer plage mar playa mare spiaggia praia ostsee nordsee 海 ビーチ 浜",
  water: "hafen bergsee fluss lac riviere lago rio fiume porto puerto 湖 川 港",
  forest: "wald* *wald foret bosque bosco floresta 森 林",
  rain: "rainy regen* pluie lluvia pioggia chuva 雨",
};

/** English colour words; their values are in `words.ts`. */
export const COLOUR_WORDS = new Set(
  ("red scarlet crimson burgundy coral terracotta orange rust copper brown amber ochre gold mustard yellow lemon olive lime sage green " +
    "emerald mint teal turquoise cyan azure blue navy indigo violet purple lavender lilac magenta pink blush peach beige cream sand ivory " +
    "white silver grey gray charcoal black").split(" "),
);

const lists = { ...SAME, ...TIMES };
const whole = new Map<string, string>();
const starts: [string, string][] = [];
const inside: [string, string][] = [];
for (const [english, list] of Object.entries(lists)) {
  for (const word of list.split(" ")) {
    if (/[\u3040-\u30ff\u4e00-\u9fff]/.test(word)) inside.push([word, english]);
    else if (word.endsWith("*")) starts.push([word.slice(0, -1), english]);
    else whole.set(word, english);
  }
}

/** The English word for a colour, a time or a landscape, where the word is another language's. */
export function englishOf(word: string): string[] {
  const same = whole.get(word) ?? starts.find(([head]) => word.startsWith(head))?.[1];
  if (same !== undefined) return [same];
  return inside.filter(([part]) => word.includes(part)).map(([, english]) => english);
}

/** Colours written as `#1e3a5f`, 0 to 255 each. */
export function hexColours(text: string): [number, number, number][] {
  return [...text.matchAll(/#([\da-f]{2})([\da-f]{2})([\da-f]{2})\b/gi)].map((
    [, red, green, blue],
  ) => [
    parseInt(red ?? "0", 16),
    parseInt(green ?? "0", 16),
    parseInt(blue ?? "0", 16),
  ]);
}
