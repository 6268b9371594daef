/** The typefaces of overlays: taken from @fontsource packages, kept as TTF, the same on every machine. */
import { findPackageJSON } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inflateSync } from "node:zlib";
import { once } from "../once.ts";
import { hashOf } from "../random.ts";
import { TYPEFACES } from "./typefaces.ts";

/** Tells fontconfig where to look. Called once, before sharp is imported; the fonts may come later. */
export async function setUpFonts(): Promise<void> {
  Deno.env.set("FONTCONFIG_FILE", join(await fontFolder(), "fonts.conf"));
}

/** Puts the fonts in place: once a machine, at the first text that is drawn. */
export const prepareFonts: () => Promise<void> = once(prepare);

const fontFolder = once(ownFolder);

async function prepare(): Promise<void> {
  const dir = await fontFolder();
  const fonts = join(dir, "ttf");
  if (await exists(join(dir, "complete"))) return;
  await Deno.mkdir(fonts, { recursive: true });
  for (const { load, name, files } of TYPEFACES) {
    await load();
    const root = findPackageJSON(name, import.meta.url);
    if (root === undefined) throw new Error(`Cannot find the font package ${name}`);
    for (const file of files) {
      const woff = await Deno.readFile(join(dirname(root), "files", `${file}-normal.woff`));
      await place(join(fonts, `${file}.ttf`), ttfFromWoff(woff));
    }
  }
  await place(
    join(dir, "fonts.conf"),
    new TextEncoder().encode(fontConfig(fonts, join(dir, "cache"))),
  );
  await place(join(dir, "complete"), new Uint8Array());
}

/** A folder that only we can write; a stranger's folder under its name is not trusted. */
async function ownFolder(): Promise<string> {
  const path = join(tmpdir(), `marquee-fonts-${Deno.uid() ?? ""}-${edition()}`);
  await Deno.mkdir(path, { mode: 0o700 }).catch((error) => {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  });
  const found = await Deno.lstat(path);
  const isOurs = found.isDirectory && found.uid === Deno.uid() &&
    ((found.mode ?? 0o700) & 0o077) === 0;
  return isOurs ? path : await Deno.makeTempDir({ prefix: "marquee-fonts-" });
}

/** Part of the folder's name: other versions, files or settings make another folder. */
function edition(): string {
  const parts = TYPEFACES.map(({ name, files }) => [import.meta.resolve(name), ...files]);
  return hashOf(JSON.stringify([...parts, fontConfig("", "")])).toString(36);
}

/** Two processes may write the same file: each renames its own whole copy into place. */
async function place(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}`;
  await Deno.writeFile(draft, bytes);
  await Deno.rename(draft, path);
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Pango asks for emoji by the name "emoji", which to fontconfig alone could be any font. */
function fontConfig(fonts: string, cache: string): string {
  return `<?xml version="1.0"?>
<fontconfig>
  <dir>${fonts}</dir>
  <cachedir>${cache}</cachedir>
  <alias binding="same">
    <family>emoji</family>
    <prefer><family>Noto Color Emoji</family></prefer>
  </alias>
  <match target="font"><edit name="hinting" mode="assign"><bool>false</bool></edit></match>
</fontconfig>
`;
}

/** WOFF 1.0 is an sfnt with its tables compressed one by one (W3C WOFF 1.0, sections 3 to 5). */
export function ttfFromWoff(woff: Uint8Array): Uint8Array<ArrayBuffer> {
  const source = new DataView(woff.buffer, woff.byteOffset, woff.byteLength);
  const count = source.getUint16(12);
  const tables = Array.from({ length: count }, (_, index) => {
    const entry = 44 + index * 20;
    const [tag, offset, packed, size, checksum] = [0, 4, 8, 12, 16].map((at) =>
      source.getUint32(entry + at)
    ) as [number, number, number, number, number];
    const bytes = woff.subarray(offset, offset + packed);
    return { tag, size, checksum, bytes: packed < size ? inflateSync(bytes) : bytes };
  });
  const head = 12 + count * 16;
  const total = tables.reduce((sum, { size }) => sum + padded(size), head);
  const ttf = new Uint8Array(total);
  const target = new DataView(ttf.buffer);
  const power = Math.floor(Math.log2(count));
  target.setUint32(0, source.getUint32(4));
  target.setUint16(4, count);
  target.setUint16(6, 2 ** power * 16);
  target.setUint16(8, power);
  target.setUint16(10, count * 16 - 2 ** power * 16);
  let at = head;
  tables.forEach(({ tag, size, checksum, bytes }, index) => {
    [tag, checksum, at, size].forEach((value, field) =>
      target.setUint32(12 + index * 16 + field * 4, value)
    );
    ttf.set(bytes, at);
    at += padded(size);
  });
  return ttf;
}

function padded(size: number): number {
  return Math.ceil(size / 4) * 4;
}
