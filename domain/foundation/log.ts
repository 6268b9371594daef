/** The log: a line for each event, written in batches so that requests don't wait for it. */

export type Level = "debug" | "info" | "warn" | "error";
export type Fields = Record<string, unknown>;

const LEVELS: Record<Level, number> = { debug: 0, info: 1, warn: 2, error: 3 };
const FLUSH_MS = 20;
/** The delay before a failed write is tried again. */
const RETRY_MS = 1_000;
/** Characters that are buffered behind a slow or failed write. Lines beyond that are dropped. */
const WAITING_MAX = 1_000_000;

/** Event names are our own plain words, so they are written without JSON escapes. */
export interface Log {
  debug(event: string, fields?: Fields): void;
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
  /** Resolves when everything is written or a write has failed. Pending while the sink blocks. */
  flush(): Promise<void>;
}

/** The line of an event, with its line break. `""` leaves the event out. */
export type Format = (time: string, level: Level, event: string, fields: Fields) => string;

const jsonLine: Format = (time, level, event, fields) => {
  const rest = JSON.stringify(fields).slice(1);
  return `{"time":"${time}","level":"${level}","event":"${event}"${
    rest === "}" ? rest : `,${rest}`
  }\n`;
};

/** Where lines are written, standard output for example. A failed write is repeated later. */
export interface Sink {
  write(bytes: Uint8Array): Promise<number>;
}

/** The log fields of a thrown value: its message, stack and cause. */
export function faultFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: String(error) };
  const cause = error.cause instanceof Error ? { cause: error.cause.message } : {};
  return { error: error.message, stack: error.stack, ...cause };
}

/**
 * A log that writes lines of `level` and above to `sink`. Callers never wait. While the sink blocks
 * or fails, lines are kept in bounded memory; a later line says how many had to be dropped.
 */
export function createLog(
  level: Level,
  sink: Sink,
  now: () => number,
  format: Format = jsonLine,
): Log {
  const encoder = new TextEncoder();
  let buffer = "";
  let dropped = 0;
  let unwritten = new Uint8Array();
  let writing: Promise<boolean> | undefined;
  // Many lines share a millisecond, so its formatted time is reused.
  let lastInstant = NaN;
  let time = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const append = (lineLevel: Level, event: string, fields: Fields) => {
    const instant = now();
    if (instant !== lastInstant) time = new Date(instant).toISOString();
    lastInstant = instant;
    buffer += format(time, lineLevel, event, fields);
  };
  const takeBuffer = () => {
    if (dropped > 0) append("error", "log.dropped", { lines: dropped });
    dropped = 0;
    const bytes = encoder.encode(buffer);
    buffer = "";
    return bytes;
  };
  /** Writes one batch and returns whether that succeeded. */
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
  const logAt = (lineLevel: Level) => (event: string, fields: Fields = {}) => {
    if (LEVELS[lineLevel] < LEVELS[level]) return;
    if (buffer.length > WAITING_MAX) {
      dropped++;
      return;
    }
    append(lineLevel, event, fields);
    if (buffer === "") return;
    timer ??= setTimeout(onTimer, FLUSH_MS);
  };
  return {
    debug: logAt("debug"),
    info: logAt("info"),
    warn: logAt("warn"),
    error: logAt("error"),
    flush,
  };
}

/** A log that writes nothing. */
export const silent: Log = createLog(
  "error",
  { write: (bytes) => Promise.resolve(bytes.length) },
  () => 0,
);
