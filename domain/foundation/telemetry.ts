/** OpenTelemetry: spans and counters of our own, which Deno exports together with its own. */
import type { Counter, Span, Tracer } from "@opentelemetry/api";

/**
 * What may be said about a piece of work: names, ids, numbers and outcomes. Never a secret, and never
 * what people wrote: no prompt, caption or value of a query.
 */
export type Facts = Partial<Record<FactName, string | number | boolean>>;
type FactName =
  | "error.type"
  | "http.request.method"
  | "http.response.status_code"
  | "marquee.brand"
  | "marquee.checks"
  | "marquee.code"
  | "marquee.end"
  | "marquee.job"
  | "marquee.kind"
  | "marquee.pass"
  | "marquee.platform"
  | "marquee.replayed"
  | "marquee.rounds"
  | "marquee.writes";

/** What the counters count. */
const COUNTERS = {
  "marquee.refusals": "Requests refused, by code",
  "marquee.jobs": "Runs of jobs, by kind and end",
  "marquee.passes": "Scheduled passes, by name and end",
  "marquee.credits": "Image credits debited",
} as const;
type CounterName = keyof typeof COUNTERS;

interface Live {
  tracer: Tracer;
  counters: Record<CounterName, Counter>;
  /** The span around the code that runs now. */
  current(): Span | undefined;
  ERROR: number;
}

const NAME = "marquee";

/** Null while nobody listens: then every function here does next to nothing. */
let live: Live | null = null;

/** Under this name Deno offers its exporter to the OpenTelemetry API, when it has one. */
const CONNECTION = Symbol.for("opentelemetry.js.api.1");

/** Loads the API if Deno was started with an exporter (`OTEL_DENO=true`). */
export async function startTelemetry(): Promise<void> {
  if (!(CONNECTION in globalThis)) return;
  const { metrics, SpanStatusCode, trace } = await import("@opentelemetry/api");
  const meter = metrics.getMeter(NAME);
  const counters = Object.entries(COUNTERS)
    .map(([name, description]) => [name, meter.createCounter(name, { description })]);
  live = {
    tracer: trace.getTracer(NAME),
    counters: Object.fromEntries(counters),
    current: () => trace.getActiveSpan(),
    ERROR: SpanStatusCode.ERROR,
  };
}

/** Adds what turns out while the work runs. */
type Note = (facts: Facts) => void;

const ignore: Note = () => {};

/** Runs `work` inside a span. With `root` the span belongs to no request, whoever caused it. */
export function spanned<T>(
  name: string,
  facts: Facts,
  work: (note: Note) => Promise<T>,
  { root = false } = {},
): Promise<T> {
  if (live === null) return work(ignore);
  const { ERROR, tracer } = live;
  return tracer.startActiveSpan(name, { attributes: facts, root }, async (span) => {
    try {
      return await work((more) => span.setAttributes(more));
    } catch (error) {
      // Not its message, which may quote what was sent.
      span.setAttributes({ "error.type": typeOf(error) } satisfies Facts).setStatus({
        code: ERROR,
      });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Names the request's own span, which Deno calls only GET or POST, after its route. */
export function nameRequest(method: string, route: string): void {
  live?.current()?.updateName(`${method} ${route}`).setAttribute("http.route", route);
}

export function countUp(name: CounterName, facts: Facts, by = 1): void {
  live?.counters[name].add(by, facts);
}

/** The code of a refusal, or the class of any other fault. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
