/** What needs a person: one sentence and one button each, from what the operations say. */
import { TRAITS } from "../../../domain/platforms/contract/traits.ts";
import type { z } from "zod";
import { approveItem } from "../../../domain/operations/approval.ts";
import { disconnect, getUsage } from "../../../domain/operations/people.ts";
import type { listAccounts } from "../../../domain/operations/accounts.ts";
import type { Slot } from "../../../domain/series/shape.ts";
import type { Studio } from "../studio.ts";
import { fromNow, whenWords } from "../when.ts";
import { counted, plain, type Tone } from "../words.ts";
import { Icon, type IconName } from "./icons.tsx";

type Accounts = z.output<typeof listAccounts.output>["data"];
type Risk = Accounts[number]["atRisk"][number]["reason"];

interface Need {
  icon: IconName;
  tone: Tone;
  title: string;
  words: string;
  button: string;
  address: string;
}

const RISKS: Record<Exclude<Risk, "approval">, string> = {
  token: "its account's sign-in ends before its time",
  quota: "the platform takes no more posts that day",
  credits: "the credits run out before its pictures are made",
  paused: "its series is paused",
};

export function needsOf(
  studio: Studio,
  held: Slot[],
  coming: Slot[],
  accounts: Accounts,
): Need[] {
  const at = (post: { id: string }) => studio.at(`/posts/${post.id}`);
  const when = (instant: string) => whenWords(instant, studio.zone);
  const needs: Need[] = held.map((post) => ({
    icon: "hand",
    tone: "warn",
    title: `The post of ${when(post.scheduledFor)}`,
    words: plain(post.error ?? "It waits for you."),
    button: "Have a look",
    address: at(post),
  }));
  const risks = accounts.flatMap(({ atRisk }) => atRisk);
  const unapproved = risks.filter(({ reason }) => reason === "approval");
  const [first] = unapproved;
  if (first !== undefined) {
    const post = coming.find(({ id }) => id === first.itemId);
    needs.push({
      icon: "check",
      tone: "accent",
      title: `${counted(unapproved.length, "post")} to approve`,
      words: `The first is due ${fromNow(first.scheduledFor, studio.now)}.`,
      button: studio.may(approveItem) ? "Approve" : "Have a look",
      address: unapproved.length === 1 && post !== undefined
        ? at(post)
        : studio.at("/calendar?view=list&state=ready"),
    });
  }
  for (const { handle, platform, status, error, expiresAt } of accounts) {
    if (status === "connected") continue;
    const ends = expiresAt === null ? "" : ` Its sign-in ends ${fromNow(expiresAt, studio.now)}.`;
    needs.push({
      icon: "alert",
      tone: status === "expiring" ? "warn" : "bad",
      title: `Connect ${handle} again`,
      words: error === null ? `${TRAITS[platform].name} needs a new sign-in.${ends}` : plain(error),
      button: studio.may(disconnect) ? "Connect" : "Have a look",
      address: studio.at("/settings/accounts"),
    });
  }
  const { credits } = studio.about;
  if (credits.used >= credits.allowance * 0.8) {
    needs.push({
      icon: "create",
      tone: credits.remaining === 0 ? "bad" : "warn",
      title: `${counted(credits.remaining, "credit")} left this month`,
      words: "New pictures need a credit each. They come back on the 1st.",
      button: studio.may(getUsage) ? "See the plan" : "See who can help",
      address: studio.at(studio.may(getUsage) ? "/settings/plan" : "/settings/people"),
    });
  }
  for (const { itemId, scheduledFor, reason } of risks) {
    if (reason === "approval") continue;
    needs.push({
      icon: "clock",
      tone: "warn",
      title: `The post of ${when(scheduledFor)} is at risk`,
      words: `It may not be published, because ${RISKS[reason]}.`,
      button: "Have a look",
      address: at({ id: itemId }),
    });
  }
  return needs;
}

const MOST_SHOWN = 6;

export function NeedsYou({ needs, isNew }: { needs: Need[]; isNew: boolean }) {
  if (needs.length === 0 && isNew) return null;
  return (
    <section class="card" aria-labelledby="needs">
      <header>
        <h2 id="needs">Needs you</h2>
        {needs.length > MOST_SHOWN
          ? <span class="soft">the first {MOST_SHOWN} of {needs.length}</span>
          : null}
      </header>
      {needs.length === 0
        ? <p class="soft">Nothing. Everything goes on by itself.</p>
        : (
          <ul class="list">
            {needs.slice(0, MOST_SHOWN).map(({ icon, tone, title, words, button, address }) => (
              <li>
                <span class={`chip ${tone}`}>
                  <Icon name={icon} size={18} />
                </span>
                <span class="grow">
                  <b>{title}</b>
                  <span class="soft small clip2">{words}</span>
                </span>
                <a class="button quiet" href={address} aria-label={`${button}: ${title}`}>
                  {button}
                </a>
              </li>
            ))}
          </ul>
        )}
    </section>
  );
}
