/** The service in processes of its own, under what anonymous clients can send. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { OWNER } from "../support/door.ts";
import { admin, type ServiceProcess, startProcess } from "../support/process.ts";

/** The owner waits at most this long (ms), or for a few hashes where other work holds the cores. */
const MUST_MS = 3_000;
const MOST_HASHES = 6;

async function trySignIn(
  { url }: ServiceProcess,
  { email, password }: typeof OWNER,
  headers: Record<string, string>,
) {
  const started = performance.now();
  const answer = await fetch(`${url}/dashboard/sign-in`, {
    method: "POST",
    headers: { origin: url, ...headers },
    body: new URLSearchParams({ email, password }),
    redirect: "manual",
  });
  await answer.body?.cancel();
  const cookie = answer.headers.getSetCookie().map((set) => set.split(";")[0]).join("; ");
  return { status: answer.status, ms: performance.now() - started, cookie };
}

Deno.test("while 600 anonymous forms arrive at two processes, the owner signs in within 3 s", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-flood-" });
  const { id } = await admin(dataDir, [
    ...["account", "create", "--email", OWNER.email, "--password", OWNER.password],
  ]);
  assertMatch(id, /^acc_/);
  const environ = { TRUST_PROXY: "on" };
  await using one = await startProcess({ dataDir, environ });
  await using two = await startProcess({ dataDir, environ });
  const home = { "x-forwarded-for": "198.51.100.1" };
  const first = await trySignIn(one, OWNER, home);
  assertEquals(first.status, 303);
  const most = Math.max(MUST_MS, MOST_HASHES * first.ms);

  const flood = Array.from(
    { length: 600 },
    (_, n) =>
      trySignIn(n % 2 === 0 ? one : two, { ...OWNER, password: `guess ${n}` }, {
        "x-forwarded-for": "203.0.113.9",
      }),
  );
  await Promise.race(flood);
  const [known, stranger] = await Promise.all([
    trySignIn(one, OWNER, { "x-forwarded-for": "203.0.113.9", cookie: first.cookie }),
    trySignIn(two, OWNER, home),
  ]);
  assertEquals([known.status, stranger.status], [303, 303]);
  assert(
    known.ms < most && stranger.ms < most,
    `${known.ms} and ${stranger.ms} ms, without a flood ${first.ms} ms`,
  );
  const statuses = new Set((await Promise.all(flood)).map(({ status }) => status));
  assert(!statuses.has(303));
  await Promise.all([one.stop(), two.stop()]);
  await Deno.remove(dataDir, { recursive: true });
});
