/** An OpenTelemetry collector: takes spans and metrics over OTLP/HTTP as JSON, and keeps all it got. */
import type { Json } from "./json.ts";

export interface SpanRecord {
  scope: string;
  name: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, unknown>;
}

interface CounterPoint {
  name: string;
  attributes: Record<string, unknown>;
  value: number;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

const toRecord = (attributes: Attribute[] = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

export class Collector implements AsyncDisposable {
  /** Every body, as it was sent. */
  readonly bodies: string[] = [];
  readonly #server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) =>
      request.text().then((text) => {
        this.bodies.push(text);
        return Response.json({});
      }),
  );

  /** For the environment of a process. */
  get environ(): Record<string, string> {
    return {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${this.#server.addr.port}`,
    };
  }

  get spans(): SpanRecord[] {
    return this.#each("resourceSpans", "scopeSpans", "spans")
      .map(({ scope, record }) => ({
        ...record,
        scope,
        attributes: toRecord(record.attributes),
      }));
  }

  /** The points of our own counters. */
  get counters(): CounterPoint[] {
    return this.#each("resourceMetrics", "scopeMetrics", "metrics")
      .filter(({ scope }) => scope === "marquee")
      .flatMap(({ record }) => record.sum.dataPoints.map((point: Json) => ({ record, point })))
      .map(({ record, point }) => ({
        name: record.name,
        attributes: toRecord(point.attributes),
        value: Number(point.asInt ?? point.asDouble),
      }));
  }

  #each(resources: string, scopes: string, records: string): { scope: string; record: Json }[] {
    const parsed: Json[] = this.bodies.map((body) => JSON.parse(body));
    return parsed.flatMap((body) => body[resources] ?? [])
      .flatMap((resource) => resource[scopes])
      .flatMap((each) => each[records].map((record: Json) => ({ scope: each.scope.name, record })));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
