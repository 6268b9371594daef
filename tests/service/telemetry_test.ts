/** OpenTelemetry: a real process tells a collector what it does, and nothing that people wrote. */
import { assert, assertEquals } from "@std/assert";
import { Collector, type SpanRecord } from "../support/collector.ts";
import { BODY } from "../support/creations.ts";
import { startProcess } from "../support/process.ts";

/** Words that must never be seen outside of the request that carries them. */
const PROMPT_WORD = "swordfish4711";
const OVERLAY_WORD = "Plugh0815";
const SEARCHED_WORD = "xyzzy1234";

Deno.test("a request, its operation, commits, jobs and platform calls are spans of one tree", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-telemetry-" });
  await using collector = new Collector();
  const { secret, caption } = await work(dataDir, collector);
  const { spans, counters } = collector;
  const parentOf = ({ parentSpanId }: SpanRecord) =>
    spans.find(({ spanId }) => spanId === parentSpanId);
  const named = (name: string) => {
    const found = spans.find((span) => span.name === name);
    assert(found, `no span ${name} in ${[...new Set(spans.map(({ name }) => name))].join(", ")}`);
    return found;
  };

  const operation = named("createCreation");
  const request = parentOf(operation);
  assertEquals([request?.name, request?.scope], ["POST /v1/creations", "deno"]);
  assertEquals(request?.attributes["http.route"], "/v1/creations");
  const commits = spans.filter(({ name }) => name === "commit");
  assert(commits.some((commit) => parentOf(commit) === operation));
  const job = named("job generate");
  assertEquals([parentOf(job), job.attributes["marquee.end"]], [undefined, "done"]);
  assert(commits.some((commit) => parentOf(commit) === job));
  const call = named("platform instagram");
  assertEquals(parentOf(call)?.name.split(" ")[0], "job");
  assertEquals(call.attributes["http.response.status_code"], 200);

  const counted = (name: string, attributes: Record<string, unknown>) =>
    counters.findLast((point) =>
      point.name === name && JSON.stringify(point.attributes) === JSON.stringify(attributes)
    )?.value;
  assertEquals(counted("marquee.refusals", { "marquee.code": "notFound" }), 1);
  assertEquals(counted("marquee.credits", {}), 1);
  assertEquals(
    counters.find(({ name }) => name === "marquee.jobs")?.attributes["marquee.end"],
    "done",
  );
  assert(counters.some(({ name }) => name === "marquee.passes"));

  for (const word of [secret, PROMPT_WORD, OVERLAY_WORD, caption]) {
    assert(!collector.bodies.some((body) => body.includes(word)), `${word} was told`);
  }
  // Deno's own spans have the whole address, which it offers no way to leave out.
  const own = spans.filter(({ scope }) => scope === "marquee");
  assert(own.length > 0 && !JSON.stringify(own).includes(SEARCHED_WORD));
  const told = spans.flatMap(({ attributes }) =>
    Object.keys(attributes).filter((name) => `${attributes[name]}`.includes(SEARCHED_WORD))
  );
  assertEquals(new Set(told), new Set(await attributesDroppedByTheGuide()));
  await Deno.remove(dataDir, { recursive: true });
});

/** What is asked of a service with the demo, from its start to its end. */
async function work(dataDir: string, collector: Collector) {
  await using service = await startProcess({ dataDir, mode: "dev", environ: collector.environ });
  let secret: string | undefined;
  while (secret === undefined) {
    [secret] = /mq_[0-9A-Za-z]{49}/.exec(service.printed) ?? [];
    await new Promise((done) => setTimeout(done, 20));
  }
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const ask = async (path: string, init: RequestInit = {}) =>
    await (await fetch(`${service.url}/v1/${path}`, { headers, ...init })).json();
  const { data: posts } = await ask("posts?perPage=20&sort=views");
  await ask(`posts?q=${SEARCHED_WORD}`);
  await ask(`posts/pst_${SEARCHED_WORD}`);
  const overlay = { template: "quoteCard", text: OVERLAY_WORD };
  const prompt = `A ${PROMPT_WORD} in the rain`;
  const body = JSON.stringify({ ...BODY, prompt, overlay });
  const { id } = await ask("creations", { method: "POST", body });
  assertEquals((await ask(`creations/${id}?wait=60`)).status, "complete");
  await service.stop("SIGTERM");
  const captions: string[] = posts.map(({ caption }: { caption: string | null }) => caption ?? "");
  return { secret, caption: captions.find((text) => text !== "") ?? "none" };
}

/** What the collector's configuration in the guide deletes. */
async function attributesDroppedByTheGuide(): Promise<string[]> {
  const guide = await Deno.readTextFile(new URL("../../routes/docs/growing.md", import.meta.url));
  return [...guide.matchAll(/\{ key: (\S+), action: delete \}/g)].map(([, key]) => key ?? "");
}
