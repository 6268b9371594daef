/** People in Studio: pages are opened and forms are sent as a browser does. */
import { DAY, iso, MINUTE } from "../../domain/foundation/calendar.ts";
import type { Action } from "../../domain/kv/audit.ts";
import { PNG } from "./acts.ts";
import { choose, type Hand, handOf } from "./wishes.ts";
import { send } from "./clients.ts";
import { type Journal, toldOf } from "./journal.ts";
import type { Known } from "./known.ts";
import type { SiteName, Step } from "./schedule.ts";

/** Somebody who is signed in and owns the brand. */
export interface Person {
  site: SiteName;
  url: string;
  known: Known;
  cookie: string;
}

/** A page, or a form with its fields. */
interface Move {
  path: string;
  form?: Record<string, string> | FormData;
  leaves?: Action;
  subject?: string;
  again?: "again" | "idle";
  refusedLate?: true;
  needs?: "model" | "platform";
  /** @param next where the form leads to, or the page */
  learn?: (next: string, known: Known) => void;
}

type Deal = (hand: Hand) => Move | null;

const page = (path: string): Deal => () => ({ path });
const localTime = (at: number) => iso(at).slice(0, 16);
const lastOf = (address: string) => address.split("/").at(-1) ?? "";

const onItem = (deal: (id: string, hand: Hand) => Move): Deal => (hand) => {
  const id = choose(hand.known.items, hand.roll(0));
  return id === undefined ? null : deal(id, hand);
};
const verb = (name: string, leaves: Action, more: Partial<Move> = {}): Deal =>
  onItem((id) => ({ path: `/posts/${id}/${name}`, form: {}, leaves, subject: id, ...more }));

const DEALS: Record<string, Deal> = {
  openToday: page(""),
  openCalendar: page("/calendar"),
  openLibrary: page("/library"),
  openSeries: page("/series"),
  openKeys: page("/settings/keys"),
  openPost: onItem((id) => ({ path: `/posts/${id}` })),
  orderPicture: ({ text }) => ({
    path: "/create",
    form: {
      ...{ idea: text(6), prompt: text(12), variants: "1", aspectRatio: "square" },
      once: crypto.randomUUID(),
    },
    leaves: "creation.created",
    learn: (next, known) => {
      known.add("pictures", new URL(next, "http://x").searchParams.get("ids"));
    },
  }),
  schedulePicture: ({ known, roll, text, now }) => {
    const id = choose(known.pictures, roll(0));
    if (id === undefined) return null;
    return {
      path: `/pictures/${id}/schedule`,
      form: {
        scheduledFor: localTime(now + 3 * MINUTE + Math.floor(roll(3) * 2 * DAY)),
        caption: text(9),
        socialAccountId: choose(known.accounts, roll(2)) ?? "",
        once: crypto.randomUUID(),
      },
      leaves: "item.created",
      learn: (next, known) => known.add("items", lastOf(next)),
    };
  },
  savePost: onItem((id, { known, roll, text, now }) => ({
    path: `/posts/${id}`,
    form: {
      ...{ caption: text(8), hashtags: text(2), altText: text(3) },
      scheduledFor: localTime(now + 5 * MINUTE + Math.floor(roll(3) * DAY)),
      socialAccountId: choose(known.accounts, roll(2)) ?? "",
    },
    leaves: "item.changed",
    subject: id,
    needs: "model",
  })),
  approvePost: verb("approve", "item.approved", { again: "again" }),
  publishPost: verb("publish", "item.publishing", { refusedLate: true, needs: "platform" }),
  skipPost: verb("skip", "item.skipped", { again: "again" }),
  saveBrand: ({ text, known }) => ({
    path: "/settings",
    form: { name: text(2), baseStylePrompt: text(4), discordWebhookUrl: "" },
    leaves: "kit.changed",
    subject: known.brandId,
  }),
  addMember: ({ text }) => ({
    path: "/cast/new",
    form: { name: text(1), lookPrompt: text(4), lifestylePrompt: "" },
    leaves: "castMember.created",
  }),
  uploadLogo: ({ text }) => {
    const form = new FormData();
    form.set("kind", "logo");
    form.append("files", new File([PNG], `${text(1)}.png`, { type: "image/png" }));
    return { path: "/library", form, leaves: "asset.created" };
  },
  addKey: ({ text }) => ({
    path: "/settings/keys",
    form: { name: text(1), scopes: "postsRead" },
    leaves: "key.created",
  }),
};

/** Performs a step of a person. */
export async function deal(
  journal: Journal,
  person: Person,
  step: Step,
  now: number,
): Promise<void> {
  const { site, url, known, cookie } = person;
  const move = DEALS[step.act]?.(handOf(step, known, now)) ?? null;
  if (move === null) return;
  const { path, form, leaves, needs = null } = move;
  const headers = { cookie, origin: new URL(url).origin };
  const body = form instanceof FormData ? form : new URLSearchParams(form);
  const init = form === undefined ? { headers } : { method: "POST", headers, body };
  const sentAt = journal.at;
  const { status, served, text, location } = await send(
    `${url}/studio/${known.brandId}${path}`,
    init,
  );
  const of = { site, brandId: known.brandId, act: step.act };
  journal.attempts.push({
    ...{ ...of, role: step.role, sentAt, endedAt: journal.at, status, served, code: null, needs },
    message: status < 400 ? null : /(?:role="alert"[^>]*|<p)>([^<]+)</.exec(text)?.[1] ?? null,
    metered: "no",
  });
  const isDone = status >= 200 && status < 400;
  if (isDone) move.learn?.(location, known);
  if (leaves === undefined) return;
  const isUnknown = status === 0 || status >= 500 || (move.refusedLate === true && !isDone);
  journal.deeds.push({
    ...{ ...of, action: leaves, subject: move.subject ?? null, again: move.again ?? null },
    told: [toldOf(journal.attempts.at(-1)!)],
    done: isDone ? "yes" : isUnknown ? "maybe" : "no",
  });
}
