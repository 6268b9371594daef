/** What was sent to a webhook, and sending it again. */
import type { Delivery, Webhook } from "../../../domain/events/webhooks/shape.ts";
import { MINUTE } from "../../../domain/foundation/calendar.ts";
import { queryOf, type Shown, type Studio, valueOf } from "../studio.ts";
import { answerWords, deliveryState, eventWords, webhookPath } from "../webhooks.ts";
import { fromNow, whenWords } from "../when.ts";
import { Chip, Notice } from "./chip.tsx";
import { TextField } from "./field.tsx";
import { Icon } from "./icons.tsx";

type Props = { studio: Studio; webhook: Webhook };

export function Deliveries(
  { studio, webhook, deliveries }: Props & { deliveries: Delivery[] },
) {
  const soon = deliveries.some(({ attempt, at }) =>
    attempt === 0 && studio.now - Date.parse(at) < MINUTE
  );
  return (
    <section
      class="card"
      id="sent"
      aria-labelledby="deliveries"
      {...again({ studio, webhook }, soon)}
    >
      <header>
        <h2 id="deliveries">What was sent</h2>
        {deliveries.length === 0
          ? null
          : <span class="soft small">The newest 100, for 30 days</span>}
      </header>
      {queryOf(studio, "again") === ""
        ? null
        : <Notice tone="good">Its events since then are on their way once more.</Notice>}
      {deliveries.length === 0
        ? <p class="soft">Nothing yet. Send a test to see whether it arrives.</p>
        : (
          <ul class="list">
            {deliveries.map((one) => <Line studio={studio} webhook={webhook} one={one} />)}
          </ul>
        )}
    </section>
  );
}

/** Has the list read again while something is on its way, so that a test's answer appears by itself. */
const again = ({ studio, webhook }: Props, soon: boolean) =>
  soon
    ? {
      "hx-get": studio.at(webhookPath(webhook.id)),
      "hx-trigger": "load delay:2s",
      "hx-select": "#sent",
      "hx-swap": "outerHTML",
    }
    : {};

/** When the next try is; its worker may be some seconds late. */
const nextWords = (nextAt: string, now: number): string =>
  Date.parse(nextAt) <= now ? " The next try is due." : ` The next try is ${fromNow(nextAt, now)}.`;

function Line({ studio, webhook, one }: Props & { one: Delivery }) {
  const { id, at, nextAt, attempt } = one;
  const what = eventWords(one);
  return (
    <li>
      <span class="grow">
        <b>{what}</b>
        <div class="soft small">
          <time datetime={at}>{whenWords(at, studio.zone)}</time>
        </div>
        <div class="small">
          {answerWords(one, studio.now)}
          {nextAt === null || attempt === 0 ? "" : nextWords(nextAt, studio.now)}
        </div>
      </span>
      <Chip state={deliveryState(one)} />
      {webhook.active && one.type !== null
        ? (
          <form
            method="post"
            action={studio.at(`${webhookPath(webhook.id)}/deliveries/${id}/replay`)}
          >
            <button class="quiet" aria-label={`Send again: ${what}, ${whenWords(at, studio.zone)}`}>
              <Icon name="redo" />
              Send again
            </button>
          </form>
        )
        : null}
    </li>
  );
}

export function ReplaySince({ studio, webhook, shown }: Props & { shown: Shown }) {
  return (
    <form class="card form" method="post" action={studio.at(`${webhookPath(webhook.id)}/replay`)}>
      <h2>Send again since…</h2>
      <p class="soft">
        After a failure of the receiver: all its events since then come once more, of at most 30
        days. An event has the same id each time, so the receiver knows what it has already.
      </p>
      <TextField
        name="since"
        label="Since"
        type="datetime-local"
        value={valueOf(shown, "since")}
        required
      />
      <button class="quiet">
        <Icon name="redo" />
        Send again
      </button>
    </form>
  );
}
