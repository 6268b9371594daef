/** The image store in a folder: atomic writes, own signed links, files served at `/media`. */
import { joined } from "../../foundation/bytes.ts";
import { HOUR, type Now } from "../../foundation/calendar.ts";
import { ServiceError } from "../../foundation/errors.ts";
import type { Secrets } from "../../foundation/secrets.ts";
import { requireType, SIGNATURE_BYTES } from "../images/sniff.ts";
import {
  isFileKey,
  type LocalFile,
  type LocalFiles,
  type Storage,
  typeOfKey,
  type UploadLink,
} from "./storage.ts";

export interface DiskOptions {
  /** Created if it is missing. */
  dir: string;
  /** Public address of the service. */
  baseUrl: string;
  secrets: Secrets;
  now: Now;
}

/** Names that no key has, so that these files are never served as images. */
const DRAFTS = ".drafts";
const HIDDEN: Record<string, string> = { uploads: ".uploads", private: ".private" };

export function diskStorage({ dir, baseUrl, secrets, now }: DiskOptions): Storage {
  const pathOf = (key: string) => filePath(dir, key);
  const drafts = `${dir}/${DRAFTS}`;
  let swept = false;

  /** Writes a draft, which `place` then moves to its destination in one step. */
  async function write(
    key: string,
    fill: (draft: Deno.FsFile) => Promise<void>,
    place: (draft: string, path: string) => Promise<void>,
  ): Promise<void> {
    const path = pathOf(key);
    await Deno.mkdir(drafts, { recursive: true });
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    if (!swept) {
      swept = true;
      await removeOldDrafts(drafts);
    }
    const draft = `${drafts}/${crypto.randomUUID()}`;
    try {
      {
        using file = await Deno.open(draft, { createNew: true, write: true });
        await fill(file);
        await file.sync();
      }
      await place(draft, path);
    } finally {
      await Deno.remove(draft).catch(ignoreMissing);
    }
  }

  const local: LocalFiles = {
    open: (key) => openFile(dir, key),
    async readLink(url) {
      const link = linkOf(url);
      if (link === null || link.expiresAt <= now()) return null;
      const signature = url.searchParams.get("signature") ?? "";
      return await secrets.verify(signedText(link), signature) ? link : null;
    },
    isUsed: async (link) => await stat(pathOf(link.key)) !== null,
    receive: (link, body) =>
      write(link.key, (draft) => copyExactly(body, draft, link), async (draft, path) => {
        try {
          await Deno.link(draft, path); // fails if the file exists, so only one PUT succeeds
        } catch (error) {
          if (error instanceof Deno.errors.AlreadyExists) throw usedLink();
          throw error;
        }
      }),
  };

  return {
    local,
    put: (key, { bytes }) => write(key, (draft) => writeAll(draft, bytes), Deno.rename),
    async get(key) {
      try {
        return { bytes: await Deno.readFile(pathOf(key)), contentType: typeOfKey(key) };
      } catch (error) {
        return ignoreMissing(error);
      }
    },
    async head(key) {
      const info = await stat(pathOf(key));
      return info === null ? null : { size: info.size, contentType: typeOfKey(key) };
    },
    async delete(key) {
      await Deno.remove(pathOf(key)).catch(ignoreMissing);
    },
    url: (key) => Promise.resolve(`${baseUrl}/${key}`),
    async uploadUrl(link) {
      const url = new URL(`${baseUrl}/media/${link.key}`);
      url.searchParams.set("type", link.contentType);
      url.searchParams.set("size", String(link.size));
      url.searchParams.set("expires", String(link.expiresAt));
      url.searchParams.set("signature", await secrets.sign(signedText(link)));
      return url.href;
    },
  };
}

/** The refusal of a second PUT. */
export function usedLink(): ServiceError {
  return new ServiceError("conflict", "This upload link is used already. Start another upload.");
}

function filePath(dir: string, key: string): string {
  typeOfKey(key);
  const [area = "", ...rest] = key.split("/");
  const hidden = HIDDEN[area];
  return [dir, ...(hidden === undefined ? [] : [hidden]), ...rest].join("/");
}

async function openFile(dir: string, key: string): Promise<LocalFile | null> {
  if (!isFileKey(key)) return null;
  try {
    const file = await Deno.open(filePath(dir, key));
    const { size, mtime } = await file.stat();
    const etag = `"${(mtime?.getTime() ?? 0).toString(36)}-${size.toString(36)}"`;
    return { file, size, contentType: typeOfKey(key), etag };
  } catch (error) {
    return ignoreMissing(error);
  }
}

function signedText({ key, contentType, size, expiresAt }: UploadLink): string {
  return ["upload", key, contentType, size, expiresAt].join("\n");
}

function linkOf(url: URL): UploadLink | null {
  const key = /\/media\/(uploads\/[^/]+)$/.exec(url.pathname)?.[1] ?? "";
  const size = Number(url.searchParams.get("size") ?? NaN);
  const expiresAt = Number(url.searchParams.get("expires") ?? NaN);
  if (!isFileKey(key) || !Number.isSafeInteger(size) || !Number.isSafeInteger(expiresAt)) {
    return null;
  }
  return { key, contentType: url.searchParams.get("type") ?? "", size, expiresAt };
}

/** Copies a link's PUT. Stops at once when its first bytes are of another type, or when it is longer. */
async function copyExactly(
  body: ReadableStream<Uint8Array>,
  draft: Deno.FsFile,
  { size, contentType }: UploadLink,
): Promise<void> {
  const wrong = () =>
    new ServiceError(
      "validationError",
      `size: must be exactly ${size} bytes, as in the upload's start`,
    );
  let head = new Uint8Array();
  let received = 0;
  for await (const chunk of body) {
    received += chunk.length;
    if (received > size) throw wrong();
    if (head.length < SIGNATURE_BYTES) {
      head = joined([head, chunk.subarray(0, SIGNATURE_BYTES)]);
      if (head.length >= SIGNATURE_BYTES) requireType(head, contentType);
    }
    await writeAll(draft, chunk);
  }
  if (received !== size) throw wrong();
  requireType(head, contentType);
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  let rest = bytes;
  while (rest.length > 0) rest = rest.subarray(await file.write(rest));
}

/** Removes drafts that a killed process has left. */
async function removeOldDrafts(drafts: string): Promise<void> {
  for await (const { name } of Deno.readDir(drafts)) {
    const info = await stat(`${drafts}/${name}`);
    const age = performance.timeOrigin + performance.now() - (info?.mtime?.getTime() ?? Infinity);
    if (age > HOUR) await Deno.remove(`${drafts}/${name}`).catch(ignoreMissing);
  }
}

function stat(path: string): Promise<Deno.FileInfo | null> {
  return Deno.stat(path).catch(ignoreMissing);
}

function ignoreMissing(error: unknown): null {
  if (error instanceof Deno.errors.NotFound) return null;
  throw error;
}
