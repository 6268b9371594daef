/** Writes a `.tar.gz`, whole or not at all; memory holds one file of it at most. */
import { createTarPacker } from "modern-tar";

export class Archive implements AsyncDisposable {
  readonly #path: string;
  readonly #draft: string;
  readonly #mtime: Date;
  readonly #packer = createTarPacker();
  readonly #written: Promise<void>;
  #closed = false;

  private constructor(path: string, draft: string, file: Deno.FsFile, at: number) {
    this.#path = path;
    this.#draft = draft;
    this.#mtime = new Date(at);
    const zipped = this.#packer.readable.pipeThrough(new CompressionStream("gzip"));
    this.#written = zipped.pipeTo(file.writable);
    // Prevents an unhandled rejection; the error surfaces when an entry is added, or in `close`.
    this.#written.catch(() => {});
  }

  /** @param at the instant that its files bear, ms */
  static async create(path: string, at: number): Promise<Archive> {
    const draft = `${path}.part`;
    const options = { create: true, truncate: true, write: true, mode: 0o600 };
    return new Archive(path, draft, await Deno.open(draft, options), at);
  }

  async add(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await new Response(bytes).body?.pipeTo(this.#entry(name, bytes.length));
  }

  /** Adds a JSON value a line, and returns how many. Their number need not be known before. */
  async addLines(name: string, values: AsyncIterable<unknown>): Promise<number> {
    // An entry begins with its size, so the lines are written to a file first.
    const path = await Deno.makeTempFile({ dir: this.#folder, prefix: ".export-" });
    try {
      const lines = await writeLines(path, values);
      const { size } = await Deno.stat(path);
      using file = await Deno.open(path);
      await file.readable.pipeTo(this.#entry(name, size));
      return lines;
    } finally {
      await Deno.remove(path);
    }
  }

  async close(): Promise<void> {
    this.#packer.controller.finalize();
    await this.#written;
    await Deno.rename(this.#draft, this.#path);
    this.#closed = true;
  }

  /** Removes the draft of an archive that was not closed. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#packer.controller.error(new Error("The archive was given up."));
    await this.#written.catch(() => {});
    await Deno.remove(this.#draft).catch(() => {});
  }

  get #folder(): string {
    return this.#draft.slice(0, this.#draft.lastIndexOf("/"));
  }

  #entry(name: string, size: number): WritableStream<Uint8Array> {
    return this.#packer.controller.add({ name, size, mtime: this.#mtime, mode: 0o600 });
  }
}

async function writeLines(path: string, values: AsyncIterable<unknown>): Promise<number> {
  const { writable } = await Deno.open(path, { write: true });
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  let lines = 0;
  for await (const value of values) {
    await writer.write(encoder.encode(JSON.stringify(value) + "\n"));
    lines++;
  }
  await writer.close();
  return lines;
}
