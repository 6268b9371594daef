/** Approves, skips or moves all chosen posts, and asks before it skips. */
import { invalid, ServiceError } from "../../../domain/foundation/errors.ts";
import { iso } from "../../../domain/foundation/calendar.ts";
import { batchItems } from "../../../domain/operations/approval.ts";
import { getItem, updateItem } from "../../../domain/operations/calendar.ts";
import { calendarAt } from "../back.ts";
import { textOf, textsOf } from "../form.ts";
import { Head, Page } from "../parts/frame.tsx";
import { SKIP_WORDS } from "../skip_words.ts";
import type { Studio } from "../studio.ts";
import { dayAfter, dayIn, instantOf, timeWords } from "../when.ts";
import { counted, plain } from "../words.ts";

const VERBS = ["approve", "skip", "regenerate", "move"] as const;
/** How many posts are changed at once, and by how many days at most. */
const MOST_IDS = 50;
const MOST_DAYS = 60;

interface Outcome {
  done: number;
  /** Why others were refused. */
  refusals: string[];
}

/** Does one thing to all chosen posts, and says what was refused. */
export async function changeChosen(studio: Studio, fields: FormData) {
  const verb = VERBS.find((one) => one === textOf(fields, "verb"));
  const ids = [...new Set(textsOf(fields, "ids"))].slice(0, MOST_IDS);
  if (ids.length === 0 || verb === undefined) throw invalid("posts", "choose at least one");
  const back = textOf(fields, "back");
  if (verb === "skip" && !fields.has("sure")) {
    return <SureToSkip studio={studio} ids={ids} back={back} />;
  }
  const { done, refusals } = verb === "move"
    ? await moveAll(studio, ids, textOf(fields, "days"))
    : await batch(studio, ids, verb);
  const words = plain([...new Set(refusals)].join(" ")).slice(0, 300);
  const [changed = ""] = ids;
  const refused = words === "" ? {} : { refused: words };
  const news = { did: verb, done: String(done), changed, ...refused };
  return calendarAt(back, news);
}

async function batch(
  { call }: Studio,
  ids: string[],
  verb: "approve" | "skip" | "regenerate",
): Promise<Outcome> {
  const { data } = await call(batchItems, { ids, verb });
  const refusals = data.flatMap(({ error }) => error === null ? [] : [error.message]);
  return { done: data.filter(({ ok }) => ok).length, refusals };
}

/** Moves each by whole days; the time of day stays, also where summer time begins or ends. */
async function moveAll({ call, zone }: Studio, ids: string[], days: string): Promise<Outcome> {
  const by = /^-?\d{1,2}$/.test(days) ? Number(days) : 0;
  if (by === 0 || Math.abs(by) > MOST_DAYS) {
    throw invalid("days", `must be 1 to ${MOST_DAYS} days earlier or later`);
  }
  const refusals: string[] = [];
  for (const id of ids) {
    try {
      const { scheduledFor } = await call(getItem, { id });
      const day = dayAfter(dayIn(scheduledFor, zone), by);
      const at = instantOf(`${day}T${timeWords(scheduledFor, zone)}`, zone);
      if (at === null) throw invalid("scheduledFor", "must be a day and a time");
      await call(updateItem, { id, scheduledFor: iso(at) });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === "forbidden") throw error;
      refusals.push(error.message);
    }
  }
  return { done: ids.length - refusals.length, refusals };
}

function SureToSkip({ studio, ids, back }: { studio: Studio; ids: string[]; back: string }) {
  const many = counted(ids.length, "post");
  return (
    <Page studio={studio} place="calendar" title={`Skip ${many}`}>
      <Head title={`Skip ${many}?`} text={SKIP_WORDS} />
      <form method="post" action={studio.at("/calendar/chosen")} class="actions">
        {ids.map((id) => <input type="hidden" name="ids" value={id} />)}
        <input type="hidden" name="verb" value="skip" />
        <input type="hidden" name="back" value={back} />
        <button class="danger sure" name="sure" value="yes">Skip {many}</button>
        <a class="button plain" href={studio.at(calendarAt(back))}>
          Keep {ids.length === 1 ? "it" : "them"}
        </a>
      </form>
    </Page>
  );
}
