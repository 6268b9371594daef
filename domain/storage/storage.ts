/** Where images lie: S3 or a folder. Bytes never live in KV. */
import { ServiceError } from "../errors.ts";
import { faultFields, type Log } from "../log.ts";

export interface StoredFile {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
}

export interface UploadLink {
  /** Unguessable, below `uploads/`. */
  key: string;
  contentType: string;
  /** The exact number of bytes that will be accepted. */
  size: number;
  /** Instant, ms. */
  expiresAt: number;
}

export interface Storage {
  /** The file must be of the type that the key's ending stands for. */
  put(key: string, file: StoredFile): Promise<void>;
  get(key: string): Promise<StoredFile | null>;
  head(key: string): Promise<{ size: number; contentType: string } | null>;
  /** Deleting what isn't there is no error. */
  delete(key: string): Promise<void>;
  /** An address at which the public (a browser, Instagram) gets the file. */
  url(key: string): Promise<string>;
  /** An address that takes one PUT of exactly this type and size. */
  uploadUrl(link: UploadLink): Promise<string>;
  /** Where we serve the files ourselves, at `/media`; null where the store does. */
  readonly local: LocalFiles | null;
}

/** What the `/media` route needs of a folder. */
export interface LocalFiles {
  /** An open file, or null where there is none. */
  open(key: string): Promise<LocalFile | null>;
  /** Checks an upload link's signature and expiry; null when it doesn't hold. */
  readLink(url: URL): Promise<UploadLink | null>;
  /** Whether the link has taken its one PUT. */
  isUsed(link: UploadLink): Promise<boolean>;
  /**
   * Stores the bytes of a link's one PUT.
   * @throws ServiceError when they are more or fewer than agreed, or the link was used meanwhile
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

/** The image store failed: an upstream that did not answer, whatever the reason. */
export class StorageError extends ServiceError {
  constructor(cause?: unknown, message = "The image store did not answer; try again shortly.") {
    super("serviceUnavailable", message, { cause });
  }
}

/**
 * A store whose every fault is a StorageError, a folder's as a bucket's, with its reason in the log.
 * Of what a client did wrong the store's own refusal stands.
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

/** The types that are kept, with the ending of their files. */
export const FILE_TYPES = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
} as const;

export type FileType = keyof typeof FILE_TYPES;

/** Random bytes in a file's name: 160 bits, beyond guessing. */
const NAME_BYTES = 20;
const KEY = /^(media|uploads)((?:\/[A-Za-z0-9_-]{1,128}){1,4})\.(jpg|png|webp)$/;

/** A fresh, unguessable key. Keys are never written twice with other bytes: addresses are cached. */
export function newFileKey(area: "media" | "uploads", contentType: FileType): string {
  const name = crypto.getRandomValues(new Uint8Array(NAME_BYTES)).toHex();
  return `${area}/${name}.${FILE_TYPES[contentType]}`;
}

/** Whether `key` is one that we could have made: no traversal, no odd names. */
export function isFileKey(key: string): boolean {
  return KEY.test(key);
}

/** The type that a key's ending stands for. */
export function typeOfKey(key: string): FileType {
  const ending = key.slice(key.lastIndexOf(".") + 1);
  const found = Object.entries(FILE_TYPES).find(([, known]) => known === ending);
  if (!isFileKey(key) || found === undefined) throw new Error(`Cannot use the file key ${key}`);
  return found[0] as FileType;
}
