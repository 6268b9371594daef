/** The image store: S3 or a folder. KV never holds image bytes. */
import { ServiceError } from "../../foundation/errors.ts";
import { faultFields, type Log } from "../../foundation/log.ts";
import { FILE_TYPES, type FileType } from "../images/types.ts";

export interface StoredFile {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
}

export interface UploadLink {
  /** Unguessable, below `uploads/`. */
  key: string;
  contentType: string;
  /** The exact number of bytes that is accepted. */
  size: number;
  /** Instant, ms. */
  expiresAt: number;
}

export interface Storage {
  /** The file's type must be that of the key's ending. */
  put(key: string, file: StoredFile): Promise<void>;
  get(key: string): Promise<StoredFile | null>;
  head(key: string): Promise<{ size: number; contentType: string } | null>;
  /** Does nothing if there is no such file. */
  delete(key: string): Promise<void>;
  /** A public address of the file, for browsers and platforms. */
  url(key: string): Promise<string>;
  /** An address for one PUT of exactly this type and size. */
  uploadUrl(link: UploadLink): Promise<string>;
  /** Given if the service itself serves the files, at `/media`; null if the store does. */
  readonly local: LocalFiles | null;
}

/** What the `/media` route needs of a folder. */
export interface LocalFiles {
  /** Opens a file; null if there is none. */
  open(key: string): Promise<LocalFile | null>;
  /** The upload link of an address; null if it has expired or its signature is wrong. */
  readLink(url: URL): Promise<UploadLink | null>;
  /** Whether the link has taken its one PUT. */
  isUsed(link: UploadLink): Promise<boolean>;
  /**
   * Stores the bytes of a link's one PUT.
   * @throws ServiceError if the size differs from the link's, or the link was used meanwhile
   */
  receive(link: UploadLink, body: ReadableStream<Uint8Array>): Promise<void>;
}

export interface LocalFile {
  /** The caller closes it. */
  readonly file: Deno.FsFile;
  readonly size: number;
  readonly contentType: string;
  readonly etag: string;
}

/** A failure of the image store, for whatever reason. */
export class StorageError extends ServiceError {
  constructor(cause?: unknown, message = "The image store did not answer. Try again shortly.") {
    super("serviceUnavailable", message, { cause });
  }
}

/**
 * Wraps a store so that its faults become StorageErrors, with their cause in the log. Refusals of a
 * client's mistakes pass through.
 */
export function namingFaults(store: Storage, log: Log): Storage {
  const { local } = store;
  async function asking<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      const fault = new StorageError(error);
      log.error("storage.failed", faultFields(fault));
      throw fault;
    }
  }
  return {
    async put(key, file) {
      const { contentType } = file;
      if (typeOfKey(key) !== contentType) throw new Error(`Cannot store ${contentType} as ${key}`);
      await asking(() => store.put(key, file));
    },
    get: (key) => asking(() => store.get(key)),
    head: (key) => asking(() => store.head(key)),
    delete: (key) => asking(() => store.delete(key)),
    url: (key) => asking(() => store.url(key)),
    uploadUrl: (link) => asking(() => store.uploadUrl(link)),
    local: local && {
      open: (key) => asking(() => local.open(key)),
      readLink: (url) => local.readLink(url),
      isUsed: (link) => asking(() => local.isUsed(link)),
      receive: (link, body) => asking(() => local.receive(link, body)),
    },
  };
}

/** Random bytes in a file's name: 160 bits, so that nobody can guess it. */
const NAME_BYTES = 20;
const KEY = /^(media|uploads)((?:\/[A-Za-z0-9_-]{1,128}){1,4})\.(jpg|png|webp)$/;
const PRIVATE_KEY = /^private\/[0-9a-f]{40}-\d{1,4}\.bin$/;
export const PRIVATE_TYPE = "application/octet-stream";

/** A new, unguessable key. A key's bytes never change, because its address is cached for ever. */
export function newFileKey(area: "media" | "uploads", contentType: FileType): string {
  const name = crypto.getRandomValues(new Uint8Array(NAME_BYTES)).toHex();
  return `${area}/${name}.${FILE_TYPES[contentType]}`;
}

/** The key of a part of something that the service keeps for itself. @param name from `newPrivateName` */
export function privateKey(name: string, part: number): string {
  return `private/${name}-${part}.bin`;
}

export function newPrivateName(): string {
  return crypto.getRandomValues(new Uint8Array(NAME_BYTES)).toHex();
}

/** Whether `key` has the form of our images' keys, so it can't lead out of the folder. */
export function isFileKey(key: string): boolean {
  return KEY.test(key);
}

/** Whether nobody outside may have the file. */
export function isPrivateKey(key: string): boolean {
  return PRIVATE_KEY.test(key);
}

/** The type of a key's ending. */
export function typeOfKey(key: string): FileType | typeof PRIVATE_TYPE {
  if (isPrivateKey(key)) return PRIVATE_TYPE;
  const ending = key.slice(key.lastIndexOf(".") + 1);
  const found = Object.entries(FILE_TYPES).find(([, known]) => known === ending);
  if (!isFileKey(key) || found === undefined) throw new Error(`Cannot use the file key ${key}`);
  return found[0] as FileType;
}
