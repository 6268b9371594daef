/** Streams the lines of a file, gzipped or not, so that memory stays small for any size of file. */
import { joined } from "../foundation/bytes.ts";
import { invalid } from "../foundation/errors.ts";

export interface Line {
  /** From 1, blank lines counted. */
  line: number;
  /** Null for a line of more than `MAX_LINE` bytes. */
  bytes: Uint8Array | null;
}

/** A line is one post. Longer lines are not read into memory. */
export const MAX_LINE = 1024 * 1024;
const NEWLINE = 0x0a;
/** Bytes that gunzip returns at a time. */
const CHUNK = 64 * 1024;

/**
 * The lines of a file, one at a time.
 * @throws ServiceError `validationError` if the file can't be read to its end
 */
export async function* linesOf(path: string): AsyncGenerator<Line> {
  let line = 0;
  let pieces: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array) => {
    length += piece.length;
    if (length <= MAX_LINE) pieces.push(piece);
  };
  const take = (): Line => {
    const [first, second] = pieces;
    const whole = first !== undefined && second === undefined ? first : joined(pieces);
    const bytes = length > MAX_LINE ? null : whole;
    [pieces, length] = [[], 0];
    return { line: ++line, bytes };
  };
  for await (const chunk of chunksOf(path)) {
    let start = 0;
    for (let end; (end = chunk.indexOf(NEWLINE, start)) >= 0; start = end + 1) {
      add(chunk.subarray(start, end));
      yield take();
    }
    add(chunk.subarray(start));
  }
  if (length > 0) yield take();
}

async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    const file = await Deno.open(path);
    yield* path.endsWith(".gz") ? gunzip(file.readable) : file.readable;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalid("--file", `cannot be read: ${reason}`);
  }
}

/** Reads all members of a gzip file (RFC 1952, 2.2); `DecompressionStream` reads only the first. */
async function* gunzip(bytes: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  // Imported here, because no other command needs them.
  const [{ pipeline }, { createGunzip }] = await Promise.all([
    import("node:stream"),
    import("node:zlib"),
  ]);
  // A fault of either stream ends both and is thrown by the iteration.
  yield* pipeline(bytes, createGunzip({ chunkSize: CHUNK }), () => {});
}
