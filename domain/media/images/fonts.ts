/** Installs the fonts of overlays as TTF, from @fontsource packages, so that all machines draw the same. */
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { inflateSync } from "node:zlib";
import { DEPLOY_ENVIRON, isOnDeploy } from "../../foundation/deploy.ts";
import { once } from "../../foundation/once.ts";
import { hashOf } from "../../foundation/chance.ts";
import { TYPEFACES } from "./typefaces.ts";

/** Tells fontconfig the folder of the fonts. Must run before sharp is imported; the fonts may follow. */
export async function setUpFonts(): Promise<void> {
  Deno.env.set("FONTCONFIG_FILE", join(await fontFolder(), "fonts.conf"));
}

/** Installs the fonts, once per machine, before the first text is drawn. */
export const prepareFonts: () => Promise<void> = once(prepare);

const fontFolder = once(ownFolder);

async function prepare(): Promise<void> {
  const dir = await fontFolder();
  const fonts = join(dir, "ttf");
  if (await exists(join(dir, "complete"))) return;
  await Deno.mkdir(fonts, { recursive: true });
  for (const { load, name, files } of TYPEFACES) {
    await load();
    // A file's address once the package is loaded. Node's findPackageJSON is missing in Deno 2.5.
    const root = import.meta.resolve(`${name}/package.json`);
    for (const file of files) {
      // Placed whole by a process that was killed before it had placed all.
      if (await exists(join(fonts, `${file}.ttf`))) continue;
      const woff = await Deno.readFile(new URL(`files/${file}-normal.woff`, root));
      await place(join(fonts, `${file}.ttf`), ttfFromWoff(woff));
    }
  }
  await place(
    join(dir, "fonts.conf"),
    new TextEncoder().encode(fontConfig(fonts, join(dir, "cache"))),
  );
  await place(join(dir, "complete"), new Uint8Array());
}

/**
 * A folder in DATA_DIR, because the tasks may write nowhere else. The painter's thread has no settings,
 * so this asks the environment, which belongs to the whole process.
 */
async function ownFolder(): Promise<string> {
  const names = [...DEPLOY_ENVIRON, "DATA_DIR"];
  const environ = Object.fromEntries(names.map((name) => [name, Deno.env.get(name)]));
  const { DATA_DIR = "" } = environ;
  if (DATA_DIR === "" || isOnDeploy(environ)) return await temporaryFolder();
  const path = join(resolve(DATA_DIR), "fonts", edition());
  await Deno.mkdir(path, { recursive: true });
  return path;
}

/** A folder that only this user can write. If somebody else owns its name, a new one is made. */
async function temporaryFolder(): Promise<string> {
  const path = join(tmpdir(), `marquee-fonts-${Deno.uid() ?? ""}-${edition()}`);
  await Deno.mkdir(path, { mode: 0o700 }).catch((error) => {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  });
  const found = await Deno.lstat(path);
  const isOurs = found.isDirectory && found.uid === Deno.uid() &&
    ((found.mode ?? 0o700) & 0o077) === 0;
  return isOurs ? path : await Deno.makeTempDir({ prefix: "marquee-fonts-" });
}

/** Part of the folder's name, so that other versions, files or settings get another folder. */
function edition(): string {
  const parts = TYPEFACES.map(({ name, files }) => [import.meta.resolve(name), ...files]);
  return hashOf(JSON.stringify([...parts, fontConfig("", "")])).toString(36);
}

/** Writes a file by renaming a complete copy, because two processes may write it at the same time. */
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

/** The alias is needed because Pango asks for a family "emoji", which fontconfig does not know. */
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
function ttfFromWoff(woff: Uint8Array): Uint8Array<ArrayBuffer> {
  const source = new DataView(woff.buffer, woff.byteOffset, woff.byteLength);
  const count = source.getUint16(12);
  const tables = Array.from({ length: count }, (_, index) => {
    const entry = 44 + index * 20;
    const field = (position: number) => source.getUint32(entry + position);
    const [tag, offset, packed] = [field(0), field(4), field(8)];
    const [size, checksum] = [field(12), field(16)];
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
  let end = head;
  tables.forEach(({ tag, size, checksum, bytes }, index) => {
    [tag, checksum, end, size].forEach((value, field) =>
      target.setUint32(12 + index * 16 + field * 4, value)
    );
    ttf.set(bytes, end);
    end += padded(size);
  });
  return ttf;
}

function padded(size: number): number {
  return Math.ceil(size / 4) * 4;
}
