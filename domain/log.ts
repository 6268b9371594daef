/** Structured log lines: one JSON object a line, written in batches off the hot path. */

export type Level = "debug" | "info" | "warn" | "error";
export type Fields = Record<string, unknown>;

const LEVELS: Record<Level, number> = { debug: 0, info: 1, warn: 2, error: 3 };
const FLUSH_MS = 20;
/** A failed write is tried again this much later. */
const RETRY_MS = 1_000;
/** Characters that may wait behind a slow or failed write; lines past them are dropped. */
const WAITING_MAX = 1_000_000;

/** Events are named by us, in plain words that need no quoting. */
export interface Log {
  debug(event: string, fields?: Fields): void;
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
  /** Resolves once all is written or a write failed: never, while nobody reads the sink. */
  flush(): Promise<void>;
}

/** Where lines go; standard output, say. What it fails to write is offered again. */
export interface Sink {
  write(bytes: Uint8Array): Promise<number>;
}

/** What a log line says of a thrown value: its words and where it came from. */
export function faultFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: String(error) };
  const cause = error.cause instanceof Error ? { cause: error.cause.message } : {};
  return { error: error.message, stack: error.stack, ...cause };
}

/**
 * A log that writes to `sink`, dropping what lies below `level`. Nobody waits for its lines: while
 * they can't be written they wait in bounded memory, and a line says how many found no room.
 */
export function createLog(level: Level, sink: Sink, now: () => number): Log {
  const encoder = new TextEncoder();
  let buffer = "";
  let dropped = 0;
  let unwritten = new Uint8Array();
  let writing: Promise<boolean> | undefined;
  // Many lines fall into one millisecond.
  let lastInstant = NaN;
  let time = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const append = (lineLevel: Level, event: string, fields: Fields) => {
    const instant = now();
    if (instant !== lastInstant) time = new Date(instant).toISOString();
    lastInstant = instant;
    const rest = JSON.stringify(fields).slice(1);
    buffer += `{"time":"${time}","level":"${lineLevel}","event":"${event}"${
      rest === "}" ? rest : `,${rest}`
    }\n`;
  };
  const takeBuffer = () => {
    if (dropped > 0) append("error", "log.dropped", { lines: dropped });
    dropped = 0;
    const bytes = encoder.encode(buffer);
    buffer = "";
    return bytes;
  };
  /** Writes one batch; answers whether it could. */
  const writeBatch = async () => {
    try {
      if (unwritten.length === 0) unwritten = takeBuffer();
      while (unwritten.length > 0) unwritten = unwritten.subarray(await sink.write(unwritten));
      return true;
    } catch {
      return false;
    }
  };
  const isWaiting = () => buffer !== "" || unwritten.length > 0;
  const start = () =>
    writing ??= writeBatch().then((written) => {
      writing = undefined;
      if (isWaiting()) timer ??= setTimeout(onTimer, written ? FLUSH_MS : RETRY_MS);
      return written;
    });
  const onTimer = () => {
    timer = undefined;
    void start();
  };
  const flush = async () => {
    while (isWaiting() && await start());
  };
  const at = (lineLevel: Level) => (event: string, fields: Fields = {}) => {
    if (LEVELS[lineLevel] < LEVELS[level]) return;
    if (buffer.length > WAITING_MAX) {
      dropped++;
      return;
    }
    append(lineLevel, event, fields);
    timer ??= setTimeout(onTimer, FLUSH_MS);
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), flush };
}

/** A log that says nothing. */
export const silent: Log = createLog(
  "error",
  { write: (bytes) => Promise.resolve(bytes.length) },
  () => 0,
);
