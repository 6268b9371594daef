/** What a backup is: a folder with the store, the images, a list of them, and `backup.json` last. */
import { createHash } from "node:crypto";
import { z } from "zod";

/** Changes when an earlier version could not restore the backup. */
export const FORMAT = 1;

const Described = z.object({ size: z.int(), sha256: z.string() });
export type Described = z.output<typeof Described>;

/** Written last: without it the backup is not complete. */
export const Manifest = z.object({
  format: z.literal(FORMAT),
  createdAt: z.iso.datetime(),
  /** Entries of the store. */
  entries: z.int(),
  images: z.int(),
  imageBytes: z.int(),
  /** Storage keys that the store names but that had no file. */
  missing: z.array(z.string()),
  store: Described,
  list: Described,
});
export type Manifest = z.output<typeof Manifest>;

/** A line of the list of images. */
export const ListedImage = Described.extend({ key: z.string(), contentType: z.string() });
export type ListedImage = z.output<typeof ListedImage>;

/** Paths in the folder of a backup. Images have their storage keys as paths. */
export const pathsIn = (dir: string) => ({
  manifest: `${dir}/backup.json`,
  store: `${dir}/kv.sqlite3`,
  list: `${dir}/images.jsonl`,
  secret: `${dir}/secret.key`,
  image: (key: string) => `${dir}/${key}`,
});

/** Size and hash of a file, which may be large. */
export async function describe(path: string): Promise<Described> {
  const hash = createHash("sha256");
  let size = 0;
  using file = await Deno.open(path);
  for await (const chunk of file.readable) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest("hex") };
}

export function describeBytes(bytes: Uint8Array): Described {
  return { size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}
