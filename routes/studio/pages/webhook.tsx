/** One webhook: whether it works, what was sent to it, and all that can be changed of it. */
import type { Delivery, Webhook } from "../../../domain/events/webhooks/shape.ts";
import {
  getWebhook,
  listWebhookDeliveries,
  removeWebhook,
  replayWebhook,
  replayWebhookDelivery,
  rotateWebhook,
  testWebhook,
  updateWebhook,
} from "../../../domain/operations/webhooks.ts";
import { iso } from "../../../domain/foundation/calendar.ts";
import { invalid } from "../../../domain/foundation/errors.ts";
import { textOf } from "../form.ts";
import { Ask } from "../parts/ask.tsx";
import { Chip, Notice } from "../parts/chip.tsx";
import { Icon } from "../parts/icons.tsx";
import { Settings } from "../parts/settings_frame.tsx";
import { Deliveries, ReplaySince } from "../parts/webhook_deliveries.tsx";
import { WebhookFields, webhookOf } from "../parts/webhook_fields.tsx";
import { idOf, type Shown, type Studio } from "../studio.ts";
import { answerWords, lastTry, webhookPath, WEBHOOKS, webhookState } from "../webhooks.ts";
import { fromNow, instantOf, whenWords } from "../when.ts";
import { plain } from "../words.ts";
import { FreshSecret } from "./settings_webhooks.tsx";

type Props = { studio: Studio; webhook: Webhook };

export const webhookPage = (studio: Studio, shown: Shown) => show(studio, shown);

async function show(studio: Studio, shown: Shown, secret?: string) {
  const id = idOf(studio);
  const [webhook, { data }] = await Promise.all([
    studio.call(getWebhook, { id }),
    studio.call(listWebhookDeliveries, { id }),
  ]);
  const until = untilWords(studio, webhook);
  return (
    <Settings studio={studio} shown={shown} path={WEBHOOKS}>
      {secret === undefined ? null : <FreshSecret secret={secret} until={until} />}
      <State studio={studio} webhook={webhook} last={lastTry(data)} />
      <Deliveries studio={studio} webhook={webhook} deliveries={data} />
      {webhook.active ? <ReplaySince studio={studio} webhook={webhook} shown={shown} /> : null}
      <form class="card form" method="post" action={studio.at(webhookPath(id))}>
        <h2>Change</h2>
        <WebhookFields shown={shown} stored={webhook} />
        <button>Save</button>
      </form>
      <Secret studio={studio} webhook={webhook} until={until} />
      <p>
        <a class="button plain" href={studio.at(WEBHOOKS)}>
          <Icon name="left" />
          All webhooks
        </a>
      </p>
    </Settings>
  );
}

/** Until when the secret before signs, too; undefined: it does not. */
function untilWords({ now, zone }: Studio, { formerSecretUntil: until }: Webhook) {
  return until !== null && Date.parse(until) > now ? whenWords(until, zone) : undefined;
}

function State({ studio, webhook, last }: Props & { last: Delivery | null }) {
  const { id, url, description, active, disabledAt, disabledReason } = webhook;
  const at = studio.at(webhookPath(id));
  return (
    <section class="card" aria-labelledby="state">
      <header>
        <h2 id="state">{url}</h2>
        <Chip state={webhookState(webhook, last)} />
      </header>
      {description === "" ? null : <p dir="auto">{description}</p>}
      {disabledAt === null || disabledReason === null ? null : (
        <Notice tone="bad">
          {plain(disabledReason)} It was switched off{" "}
          {fromNow(disabledAt, studio.now)}. Mend the receiver, switch the webhook on, then send
          again what it has missed.
        </Notice>
      )}
      {last === null || !active ? null : <p class="soft">{answerWords(last, studio.now)}</p>}
      <div class="actions">
        {active
          ? (
            <>
              <form method="post" action={`${at}/test`}>
                <button>
                  <Icon name="send" />
                  Send a test
                </button>
              </form>
              <form method="post" action={`${at}/pause`}>
                <button class="quiet">
                  <Icon name="pause" />
                  Pause
                </button>
              </form>
            </>
          )
          : (
            <form method="post" action={`${at}/resume`}>
              <button>
                <Icon name="play" />
                Switch on
              </button>
            </form>
          )}
        <a class="button plain" href={`${at}/delete`}>Delete…</a>
      </div>
    </section>
  );
}

function Secret({ studio, webhook, until }: Props & { until: string | undefined }) {
  return (
    <form class="card form" method="post" action={studio.at(`${webhookPath(webhook.id)}/rotate`)}>
      <h2>Signing secret</h2>
      <p>
        {until === undefined
          ? "With a new secret, messages are signed by the one before as well for 24 hours, so that nothing is lost while you change over."
          : `The secret before the present one signs as well until ${until}. A new one ends that.`}
      </p>
      <button class="quiet">
        <Icon name="key" />
        Make a new secret
      </button>
    </form>
  );
}

/** Asks, because what is under way to it is lost with it. */
export async function deletePage(studio: Studio, shown: Shown) {
  const { id, url } = await studio.call(getWebhook, { id: idOf(studio) });
  return (
    <Ask
      {...{ studio, shown }}
      tab={WEBHOOKS}
      title="Delete this webhook?"
      words={`Nothing more is sent to ${url}, also what waits for another try. Its secret is of no use any more.`}
      button="Delete"
      action={`${webhookPath(id)}/delete`}
      back={webhookPath(id)}
    />
  );
}

export async function changeOne(studio: Studio, fields: FormData): Promise<string> {
  const id = idOf(studio);
  await studio.call(updateWebhook, { id, ...webhookOf(fields) });
  return `${webhookPath(id)}?saved`;
}

const switchTo = (active: boolean) => async (studio: Studio): Promise<string> => {
  const id = idOf(studio);
  await studio.call(updateWebhook, { id, active });
  return webhookPath(id);
};
export const pauseOne = switchTo(false);
export const resumeOne = switchTo(true);

export async function deleteOne(studio: Studio): Promise<string> {
  await studio.call(removeWebhook, { id: idOf(studio) });
  return WEBHOOKS;
}

export async function rotateOne(studio: Studio) {
  const { secret } = await studio.call(rotateWebhook, { id: idOf(studio) });
  return await show(studio, {}, secret);
}

export async function testOne(studio: Studio): Promise<string> {
  const id = idOf(studio);
  await studio.call(testWebhook, { id });
  return `${webhookPath(id)}#sent`;
}

export async function replayOne(studio: Studio): Promise<string> {
  const id = idOf(studio);
  const deliveryId = studio.c.req.param("delivery") ?? "";
  await studio.call(replayWebhookDelivery, { id, deliveryId });
  return `${webhookPath(id)}#sent`;
}

export async function replayAll(studio: Studio, fields: FormData): Promise<string> {
  const at = instantOf(textOf(fields, "since"), studio.zone);
  if (at === null) throw invalid("since", "must be a day and a time");
  const id = idOf(studio);
  await studio.call(replayWebhook, { id, since: iso(at) });
  return `${webhookPath(id)}?again=yes#sent`;
}
