/** Settings: where alerts and the weekly digest are sent. */
import { changeKit, getUsage } from "../../../domain/operations/people.ts";
import { orNull, textOf } from "../form.ts";
import { Chip, Notice } from "../parts/chip.tsx";
import { Field } from "../parts/field.tsx";
import { Icon } from "../parts/icons.tsx";
import { Settings } from "../parts/settings_frame.tsx";
import { type Shown, type Studio, valueOf } from "../studio.ts";
import type { StateWords } from "../words.ts";

const ON: StateWords = { word: "On", icon: "check", tone: "good" };
const NONE: StateWords = { word: "Not set", icon: "dashed", tone: "calm" };
const OFF: StateWords = { word: "Switched off", icon: "alert", tone: "bad" };

/** What is sent, as people understand it. */
const SENT: [what: string, when: string][] = [
  ["The weekly digest", "Mondays at 8:00 UTC: the week's best posts, what changed, what comes."],
  ["A post could not be published", "With the reason and a link to the post."],
  ["A scheduled post waits for you", "When it is held until somebody decides."],
  ["An account has to be connected again", "Before and when its sign-in ends."],
  ["Credits are running out", "Before the month's credits are used up."],
];

export async function notificationsPage(studio: Studio, shown: Shown) {
  const webhook = studio.about.kit.discordWebhookUrl ?? "";
  const isOff = studio.may(getUsage) && (await studio.call(getUsage, {})).webhookIsOff;
  return (
    <Settings studio={studio} shown={shown} path="/settings/notifications">
      <form class="card form" method="post" action={studio.at("/settings/notifications")}>
        <header class="row">
          <h2 class="grow">Discord</h2>
          <Chip state={isOff ? OFF : webhook === "" ? NONE : ON} />
        </header>
        {isOff
          ? (
            <Notice tone="warn">
              Discord no longer knows this webhook. Save to switch it on again.
            </Notice>
          )
          : null}
        <Field
          id="discordWebhookUrl"
          label="Webhook"
          hint="In Discord: the channel's settings, Integrations, Webhooks, Copy URL. Empty: nothing is sent."
        >
          <input
            id="discordWebhookUrl"
            name="discordWebhookUrl"
            type="url"
            value={valueOf(shown, "discordWebhookUrl", webhook)}
            placeholder="https://discord.com/api/webhooks/…"
            autocomplete="off"
            aria-describedby="discordWebhookUrl-hint"
          />
        </Field>
        <button>Save</button>
      </form>
      <section class="card" aria-labelledby="sent">
        <h2 id="sent">What is sent there</h2>
        <ul class="list">
          {SENT.map(([what, when]) => (
            <li>
              <Icon name="send" />
              <span class="grow">
                <b>{what}</b>
                <div class="soft small">{when}</div>
              </span>
            </li>
          ))}
        </ul>
      </section>
    </Settings>
  );
}

export async function saveNotifications(studio: Studio, fields: FormData): Promise<string> {
  await studio.call(changeKit, { discordWebhookUrl: orNull(textOf(fields, "discordWebhookUrl")) });
  return "/settings/notifications?saved";
}
