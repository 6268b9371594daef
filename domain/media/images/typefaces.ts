/** The packages of the overlays' typefaces, all under the Open Font License. */

export interface Typeface {
  name: string;
  /** Imports the package. Deno only downloads packages that are imported by a literal name. */
  load: () => Promise<unknown>;
  /** WOFF files below `files/`, without `-normal.woff`. */
  files: string[];
}

const INTER_PARTS = [
  "latin",
  "latin-ext",
  "vietnamese",
  "greek",
  "greek-ext",
  "cyrillic",
  "cyrillic-ext",
];

export const TYPEFACES: Typeface[] = [
  {
    name: "@fontsource/inter",
    load: () => import("@fontsource/inter/package.json", { with: { type: "json" } }),
    files: INTER_PARTS.flatMap((part) => [500, 800].map((weight) => `inter-${part}-${weight}`)),
  },
  {
    name: "@fontsource/playfair-display",
    load: () => import("@fontsource/playfair-display/package.json", { with: { type: "json" } }),
    files: ["latin", "latin-ext", "vietnamese", "cyrillic"].flatMap((part) =>
      [500, 700].map((weight) => `playfair-display-${part}-${weight}`)
    ),
  },
  {
    name: "@fontsource/noto-sans-arabic",
    load: () => import("@fontsource/noto-sans-arabic/package.json", { with: { type: "json" } }),
    files: ["noto-sans-arabic-arabic-700"],
  },
  {
    name: "@fontsource/noto-sans-armenian",
    load: () => import("@fontsource/noto-sans-armenian/package.json", { with: { type: "json" } }),
    files: ["noto-sans-armenian-armenian-700"],
  },
  {
    name: "@fontsource/noto-sans-bengali",
    load: () => import("@fontsource/noto-sans-bengali/package.json", { with: { type: "json" } }),
    files: ["noto-sans-bengali-bengali-700"],
  },
  {
    name: "@fontsource/noto-sans-canadian-aboriginal",
    load: () =>
      import("@fontsource/noto-sans-canadian-aboriginal/package.json", { with: { type: "json" } }),
    files: ["noto-sans-canadian-aboriginal-canadian-aboriginal-700"],
  },
  {
    name: "@fontsource/noto-sans-cherokee",
    load: () => import("@fontsource/noto-sans-cherokee/package.json", { with: { type: "json" } }),
    files: ["noto-sans-cherokee-cherokee-700"],
  },
  {
    name: "@fontsource/noto-sans-devanagari",
    load: () => import("@fontsource/noto-sans-devanagari/package.json", { with: { type: "json" } }),
    files: ["noto-sans-devanagari-devanagari-700"],
  },
  {
    name: "@fontsource/noto-sans-ethiopic",
    load: () => import("@fontsource/noto-sans-ethiopic/package.json", { with: { type: "json" } }),
    files: ["noto-sans-ethiopic-ethiopic-700"],
  },
  {
    name: "@fontsource/noto-sans-georgian",
    load: () => import("@fontsource/noto-sans-georgian/package.json", { with: { type: "json" } }),
    files: ["noto-sans-georgian-georgian-700"],
  },
  {
    name: "@fontsource/noto-sans-gujarati",
    load: () => import("@fontsource/noto-sans-gujarati/package.json", { with: { type: "json" } }),
    files: ["noto-sans-gujarati-gujarati-700"],
  },
  {
    name: "@fontsource/noto-sans-gurmukhi",
    load: () => import("@fontsource/noto-sans-gurmukhi/package.json", { with: { type: "json" } }),
    files: ["noto-sans-gurmukhi-gurmukhi-700"],
  },
  {
    name: "@fontsource/noto-sans-hebrew",
    load: () => import("@fontsource/noto-sans-hebrew/package.json", { with: { type: "json" } }),
    files: ["noto-sans-hebrew-hebrew-700"],
  },
  {
    name: "@fontsource/noto-sans-kannada",
    load: () => import("@fontsource/noto-sans-kannada/package.json", { with: { type: "json" } }),
    files: ["noto-sans-kannada-kannada-700"],
  },
  {
    name: "@fontsource/noto-sans-khmer",
    load: () => import("@fontsource/noto-sans-khmer/package.json", { with: { type: "json" } }),
    files: ["noto-sans-khmer-khmer-700"],
  },
  {
    name: "@fontsource/noto-sans-lao",
    load: () => import("@fontsource/noto-sans-lao/package.json", { with: { type: "json" } }),
    files: ["noto-sans-lao-lao-700"],
  },
  {
    name: "@fontsource/noto-sans-malayalam",
    load: () => import("@fontsource/noto-sans-malayalam/package.json", { with: { type: "json" } }),
    files: ["noto-sans-malayalam-malayalam-700"],
  },
  {
    name: "@fontsource/noto-sans-mongolian",
    load: () => import("@fontsource/noto-sans-mongolian/package.json", { with: { type: "json" } }),
    files: ["noto-sans-mongolian-mongolian-400"],
  },
  {
    name: "@fontsource/noto-sans-myanmar",
    load: () => import("@fontsource/noto-sans-myanmar/package.json", { with: { type: "json" } }),
    files: ["noto-sans-myanmar-myanmar-700"],
  },
  {
    name: "@fontsource/noto-sans-sinhala",
    load: () => import("@fontsource/noto-sans-sinhala/package.json", { with: { type: "json" } }),
    files: ["noto-sans-sinhala-sinhala-700"],
  },
  {
    name: "@fontsource/noto-sans-tamil",
    load: () => import("@fontsource/noto-sans-tamil/package.json", { with: { type: "json" } }),
    files: ["noto-sans-tamil-tamil-700"],
  },
  {
    name: "@fontsource/noto-sans-telugu",
    load: () => import("@fontsource/noto-sans-telugu/package.json", { with: { type: "json" } }),
    files: ["noto-sans-telugu-telugu-700"],
  },
  {
    name: "@fontsource/noto-sans-thaana",
    load: () => import("@fontsource/noto-sans-thaana/package.json", { with: { type: "json" } }),
    files: ["noto-sans-thaana-thaana-700"],
  },
  {
    name: "@fontsource/noto-sans-thai",
    load: () => import("@fontsource/noto-sans-thai/package.json", { with: { type: "json" } }),
    files: ["noto-sans-thai-thai-700"],
  },
  {
    name: "@fontsource/noto-sans-tifinagh",
    load: () => import("@fontsource/noto-sans-tifinagh/package.json", { with: { type: "json" } }),
    files: ["noto-sans-tifinagh-tifinagh-400"],
  },
  {
    name: "@fontsource/noto-serif-tibetan",
    load: () => import("@fontsource/noto-serif-tibetan/package.json", { with: { type: "json" } }),
    files: ["noto-serif-tibetan-tibetan-700"],
  },
  {
    name: "@fontsource/noto-sans-math",
    load: () => import("@fontsource/noto-sans-math/package.json", { with: { type: "json" } }),
    files: ["noto-sans-math-latin-400"],
  },
  {
    name: "@fontsource/noto-sans-symbols",
    load: () => import("@fontsource/noto-sans-symbols/package.json", { with: { type: "json" } }),
    files: ["noto-sans-symbols-symbols-700"],
  },
  {
    name: "@fontsource/noto-sans-symbols-2",
    load: () => import("@fontsource/noto-sans-symbols-2/package.json", { with: { type: "json" } }),
    files: ["noto-sans-symbols-2-symbols-400"],
  },
  {
    name: "@fontsource/m-plus-1p",
    load: () => import("@fontsource/m-plus-1p/package.json", { with: { type: "json" } }),
    files: [500, 800].map((weight) => `m-plus-1p-japanese-${weight}`),
  },
  {
    name: "@fontsource/nanum-gothic",
    load: () => import("@fontsource/nanum-gothic/package.json", { with: { type: "json" } }),
    files: ["nanum-gothic-korean-800"],
  },
  {
    name: "@fontsource/noto-sans-sc",
    load: () => import("@fontsource/noto-sans-sc/package.json", { with: { type: "json" } }),
    files: ["noto-sans-sc-chinese-simplified-700"],
  },
  {
    name: "@fontsource/noto-color-emoji",
    load: () => import("@fontsource/noto-color-emoji/package.json", { with: { type: "json" } }),
    files: ["noto-color-emoji-emoji-400"],
  },
];
