/** Structured log lines: one JSON object a line, written in batches off the hot path. */

export type Level = "debug" | "info" | "warn" | "error";
export type Fields = Record<string, unknown>;

const LEVELS: Record<Level, number> = { debug: 0, info: 1, warn: 2, error: 3 };
const FLUSH_MS = 20;

/** Events are named by us, in plain words that need no quoting. */
export interface Log {
  debug(event: string, fields?: Fields): void;
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
  /** Writes what is still buffered. */
  flush(): void;
}

/** What a log line says of a thrown value: its words and where it came from. */
export function faultFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: String(error) };
  const cause = error.cause instanceof Error ? { cause: error.cause.message } : {};
  return { error: error.message, stack: error.stack, ...cause };
}

/** A log that writes to `sink` (standard output, say), dropping what lies below `level`. */
export function createLog(
  level: Level,
  sink: { writeSync(bytes: Uint8Array): number },
  now: () => number,
): Log {
  const encoder = new TextEncoder();
  let buffer = "";
  // Many lines fall into one millisecond.
  let lastInstant = NaN;
  let time = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    let rest = encoder.encode(buffer);
    buffer = "";
    while (rest.length > 0) rest = rest.subarray(sink.writeSync(rest));
  };
  const at = (lineLevel: Level) => (event: string, fields: Fields = {}) => {
    if (LEVELS[lineLevel] < LEVELS[level]) return;
    const instant = now();
    if (instant !== lastInstant) time = new Date(instant).toISOString();
    lastInstant = instant;
    const rest = JSON.stringify(fields).slice(1);
    buffer += `{"time":"${time}","level":"${lineLevel}","event":"${event}"${
      rest === "}" ? rest : `,${rest}`
    }\n`;
    timer ??= setTimeout(flush, FLUSH_MS);
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), flush };
}

/** A log that says nothing. */
export const silent: Log = createLog("error", { writeSync: (bytes) => bytes.length }, () => 0);
