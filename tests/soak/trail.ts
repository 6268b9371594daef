/** Compares what the clients were told with what the store keeps: audit rows, counts, keys, refusals. */
import { readMonth } from "../../domain/brands/meter/meter.ts";
import { PLANS } from "../../domain/brands/plans.ts";
import { SECOND } from "../../domain/foundation/calendar.ts";
import type { AuditRow } from "../../domain/kv/audit.ts";
import { listValues } from "../../domain/kv/transact.ts";
import type { Books, Finding, Owner } from "./books.ts";
import type { Trouble } from "./chaos.ts";
import type { Attempt, Deed, Journal } from "./journal.ts";

/**
 * How long after a trouble requests may still fail for it. The balancer needs two looks, a second
 * apart, and a process that has lost its store asks each second whether it is back.
 */
const GRACE_MS = 4 * SECOND;

export async function checkTrail(
  books: Books,
  owners: Owner[],
  journal: Journal,
  troubles: readonly Trouble[],
): Promise<Finding[]> {
  const findings = [
    await checkAudit(books, owners, journal),
    checkRepeated(books, journal),
    await checkMeter(books, owners, journal),
    checkFailures(books, journal, troubles),
  ];
  return findings.map((finding) => ({ ...finding, name: `${books.name}: ${finding.name}` }));
}

/** Each write that was answered has left its row, and none is there that nobody asked for. */
async function checkAudit(books: Books, owners: Owner[], journal: Journal): Promise<Finding> {
  const wrong: string[] = [];
  let looked = 0;
  for (const { known: { brandId } } of owners) {
    const deeds = journal.deeds.filter((deed) => deed.brandId === brandId);
    const rows = (await listValues<AuditRow>(books.service.kv, ["audit", brandId]))
      .filter(({ actor }) => actor.kind === "key" || actor.kind === "account");
    for (const action of new Set(deeds.map((deed) => deed.action))) {
      const of = deeds.filter((deed) => deed.action === action);
      const left = rows.filter((row) => row.action === action);
      looked += left.length;
      wrong.push(...compare(action, of, left));
    }
  }
  return { name: "audit rows, one for each write that was answered", looked, wrong };
}

function compare(action: string, deeds: Deed[], rows: AuditRow[]): string[] {
  const wrong: string[] = [];
  const named = new Set(deeds.flatMap(({ subject }) => subject ?? []));
  for (const subject of named) {
    const own = deeds.filter((deed) => deed.subject === subject);
    const answered = own.filter(({ done }) => done === "yes");
    const strict = answered.filter(({ again }) => again === null).length;
    const least = strict + (answered.some(({ again }) => again === "again") ? 1 : 0);
    const most = own.filter(({ done }) => done !== "no").length;
    const left = rows.filter((row) => row.subject === subject);
    if (left.length < least || left.length > most) {
      const words = `${left.length} rows ${action} of ${subject}, must be ${least} to ${most}`;
      wrong.push(`${words}: ${story(left, own)}`);
    }
  }
  // What was made without an answer that names it.
  const rest = rows.filter(({ subject }) => !named.has(subject));
  const unnamed = deeds.filter(({ subject }) => subject === null);
  const least = unnamed.filter(({ done }) => done === "yes").length;
  const most = unnamed.filter(({ done }) => done !== "no").length;
  if (rest.length < least || rest.length > most) {
    const words = `${rest.length} rows ${action} that no answer names, must be ${least} to ${most}`;
    wrong.push(`${words}: ${story(rest, unnamed)}`);
  }
  return wrong;
}

/** The rows beside what the clients were told, for whoever looks for the cause. */
function story(rows: AuditRow[], deeds: Deed[]): string {
  const left = rows.map(({ id, at, actor, subject }) => `${id} of ${subject} ${at} ${actor.kind}`);
  return `${left.join(", ")}; ${deeds.flatMap(({ told }) => told).join(", ")}`;
}

/** A request with an Idempotency-Key has made one thing, however often it was sent. */
function checkRepeated({ name }: Books, { repeated }: Journal): Finding {
  const own = repeated.filter(({ site, made }) => site === name && made.length > 0);
  const wrong = own.filter(({ made }) => new Set(made).size > 1)
    .map(({ act, made }) => `${act} made ${made.join(" and ")}`);
  const twice = own.filter(({ made }) => made.length > 1).length;
  return {
    name: "requests with an Idempotency-Key, each done once",
    looked: own.length,
    wrong,
    note: `${twice} sent again after the answer`,
  };
}

/** The month's count is what was answered, and at most what else was sent. */
async function checkMeter(books: Books, owners: Owner[], journal: Journal): Promise<Finding> {
  const wrong: string[] = [];
  let looked = 0;
  let open = 0;
  for (const { known: { brandId }, secret, counted: before } of owners) {
    const own = journal.attempts.filter((attempt) => attempt.brandId === brandId);
    const sure = own.filter(({ metered }) => metered === "yes").length;
    const maybe = own.filter(({ metered }) => metered === "maybe").length;
    const answer = await books.ask("/v1/credits", secret);
    await answer.body?.cancel();
    const { requestsPerMonth } = PLANS.studio;
    const told = requestsPerMonth - Number(answer.headers.get("x-quota-remaining"));
    const kept = await readMonth(books.service.kv, brandId, books.service.now());
    // This look is counted, and so is that of the books.
    const counted = told - LOOKS - before;
    looked += counted;
    open += maybe;
    if (told !== kept) wrong.push(`${brandId}: the API tells ${told}, the store keeps ${kept}`);
    if (counted < sure || counted > sure + maybe) {
      wrong.push(`${brandId}: ${counted} counted, must be ${sure} to ${sure + maybe}`);
    }
  }
  const note = `${open} were not answered, or with 5xx`;
  return { name: "requests counted, each answered one once", looked, wrong, note };
}
/** Requests of the checks themselves for each brand, the one of `checkMeter` included. */
const LOOKS = 2;

/** Each failure happened while something was wrong that explains it. */
function checkFailures(
  { name }: Books,
  { attempts }: Journal,
  troubles: readonly Trouble[],
): Finding {
  const own = attempts.filter(({ site }) => site === name);
  const failed = own.filter(({ status }) => status === 0 || status >= 500);
  const wrong = failed.filter((attempt) => !troubles.some((trouble) => explains(trouble, attempt)))
    .map(({ role, act, status, served, sentAt, endedAt, message }) =>
      `${act} of ${role} sent at ${seconds(sentAt)} got ${status} at ${seconds(endedAt)}` +
      `${served ? "" : ", not from the service"}: ${message}; before it ${
        before(name, sentAt, troubles)
      }`
    );
  return {
    name: "requests failed (5xx, no answer), each explained by a fault",
    looked: failed.length,
    wrong,
    note: `of ${own.length} sent`,
  };
}

/** The last faults that had begun by then. */
function before(site: Books["name"], at: number, troubles: readonly Trouble[]): string {
  return troubles.filter((trouble) => trouble.site === site && trouble.from <= at).slice(-3)
    .map(({ kind, from, to }) => `${kind} from ${seconds(from)} to ${seconds(to)}`).join(", ");
}

const seconds = (ms: number) => `${(ms / SECOND).toFixed(1)} s`;

function explains({ site, kind, from, to }: Trouble, attempt: Attempt): boolean {
  const grace = kind === "lost" ? Math.max(GRACE_MS, to - from) : GRACE_MS;
  if (attempt.endedAt < from || attempt.sentAt > to + grace) return false;
  // One stand-in is the model of both sites.
  if (kind === "model") return attempt.needs === "model";
  if (site !== attempt.site) return false;
  if (!attempt.served) return ENDS_PROCESSES.has(kind);
  // A platform's stand-in lives in the processes, so it goes away with them.
  if (attempt.needs === "platform" && kind !== "lost") return true;
  return attempt.status === 503 &&
    (kind === "lost" ? to - from > LONG_LOSS_MS : STOPS_STORE.has(kind));
}

/** Ends a process or makes it wait; a full disk may end one, too. */
const ENDS_PROCESSES: ReadonlySet<Trouble["kind"]> = new Set(
  ["kill", "stop", "stall", "clock", "disk"] as const,
);
/**
 * When the answers of all commits are lost for longer, one commit may lose the answers of its repeats,
 * too. The KV client waits longer before each, in the end as long as the loss lasted, and the request
 * runs out of time. Shorter losses must fail no request, because the commit's outcome is looked up.
 */
const LONG_LOSS_MS = 2 * SECOND;

/** Makes the service refuse: its store is away, or its calls ran out of time while its process stood still. */
const STOPS_STORE: ReadonlySet<Trouble["kind"]> = new Set(
  ["frozen", "away", "disk", "stall", "slow"] as const,
);
