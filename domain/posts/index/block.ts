/** A block of a saved index: the data of some of its posts, in columns as in memory. */
import { joined } from "../../foundation/bytes.ts";

/** The kinds of values that a filter must match as a whole. Hashtags are folded. */
export type Label = "platform" | "format" | "hashtag";

export type Bytes = Uint8Array<ArrayBuffer>;

/** UTF-8 texts one after the other, and the bytes of each. */
export interface Run {
  bytes: Bytes;
  lengths: Uint32Array<ArrayBuffer>;
}

/** Posts are numbered from 0 within their block. */
export interface Block {
  ids: string[];
  /** Each value with the posts that have it, ascending. */
  labels: [Label, string, number[]][];
  /** One column after the other, in the order of `Slots.columns`. */
  numbers: Float64Array<ArrayBuffer>;
  json: Run;
  /** What is searched, folded. */
  texts: Run;
}

/** Raise it with every change of what a block has or means: folding is part of that. */
export const FORMAT = 1;

const WORD = 4;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** How many parts there are and the length of each, as words of 4 bytes; then the parts. */
export function pack({ ids, labels, numbers, json, texts }: Block): Bytes {
  const parts = [
    encoder.encode(JSON.stringify({ ids, labels })),
    bytesOf(numbers),
    bytesOf(json.lengths),
    json.bytes,
    bytesOf(texts.lengths),
    texts.bytes,
  ];
  const head = Uint32Array.of(parts.length, ...parts.map(({ length }) => length));
  return joined([bytesOf(head), ...parts]);
}

/** @throws when the bytes are no block */
export function unpack(bytes: Bytes): Block {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = WORD * (1 + view.getUint32(0, true));
  // Each part is copied: numbers must be aligned, and what is kept must not keep all of the block.
  const parts = Array.from({ length: view.getUint32(0, true) }, (_, at) => {
    const end = start + view.getUint32(WORD * (1 + at), true);
    const part = bytes.slice(start, end);
    start = end;
    return part;
  });
  if (parts.length !== 6 || start !== bytes.length) throw new Error("Cannot read a saved index");
  const [meta, numbers, jsonLengths, json, textLengths, texts] = parts as SixParts;
  const { ids, labels }: Pick<Block, "ids" | "labels"> = JSON.parse(decoder.decode(meta));
  return {
    ids,
    labels,
    numbers: new Float64Array(numbers.buffer),
    json: { bytes: json, lengths: new Uint32Array(jsonLengths.buffer) },
    texts: { bytes: texts, lengths: new Uint32Array(textLengths.buffer) },
  };
}

type SixParts = [Bytes, Bytes, Bytes, Bytes, Bytes, Bytes];

/** The bytes of numbers as this machine has them. Deno runs on machines of one byte order only. */
function bytesOf(numbers: Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>): Bytes {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
