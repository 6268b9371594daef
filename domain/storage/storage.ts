/** Where images lie: S3 or a folder. Bytes never live in KV. */

export interface StoredFile {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
}

export interface UploadLink {
  /** Unguessable, below `uploads/` or `media/`. */
  key: string;
  contentType: string;
  /** The exact number of bytes that will be accepted. */
  size: number;
  /** Instant, ms. */
  expiresAt: number;
}

export interface Storage {
  put(key: string, file: StoredFile): Promise<void>;
  get(key: string): Promise<StoredFile | null>;
  head(key: string): Promise<{ size: number; contentType: string } | null>;
  /** Deleting what isn't there is no error. */
  delete(key: string): Promise<void>;
  /** An address at which the public (a browser, Instagram) gets the file. */
  url(key: string): Promise<string>;
  /** An address that takes one PUT of exactly this type and size. */
  uploadUrl(link: UploadLink): Promise<string>;
  /** Every key below `prefix` with the instant it was stored, ms. */
  list(prefix: string): AsyncIterable<{ key: string; storedAt: number }>;
}
