/** Settings: webhooks, the addresses of other systems to which events are sent. */
import type { Webhook } from "../../../domain/events/webhooks/shape.ts";
import {
  addWebhook,
  listAllWebhooks,
  listWebhookDeliveries,
} from "../../../domain/operations/webhooks.ts";
import { Chip, Empty } from "../parts/chip.tsx";
import { Copyable } from "../parts/copyable.tsx";
import { Icon } from "../parts/icons.tsx";
import { Settings } from "../parts/settings_frame.tsx";
import { WebhookFields, webhookOf } from "../parts/webhook_fields.tsx";
import type { Shown, Studio } from "../studio.ts";
import {
  answerWords,
  lastTry,
  typesWords,
  webhookPath,
  WEBHOOKS,
  webhookState,
} from "../webhooks.ts";
import { plain } from "../words.ts";

type Props = { studio: Studio; shown: Shown };

export const webhooksPage = (studio: Studio, shown: Shown) => show(studio, shown);

async function show(studio: Studio, shown: Shown, secret?: string) {
  const { data } = await studio.call(listAllWebhooks, {});
  const lines = await Promise.all(data.map((one) => lineOf(studio, one)));
  return (
    <Settings studio={studio} shown={shown} path={WEBHOOKS}>
      {secret === undefined ? null : <FreshSecret secret={secret} />}
      {lines.length === 0
        ? (
          <Empty title="No webhook yet">
            <p>
              With a webhook, your shop, your chat or your own program hears at once when a post is
              published, a picture is made or something needs you.
            </p>
          </Empty>
        )
        : (
          <section class="card" aria-labelledby="webhooks">
            <h2 id="webhooks">Webhooks</h2>
            <ul class="list">{lines}</ul>
          </section>
        )}
      <NewWebhook studio={studio} shown={shown} />
      <Asking studio={studio} />
    </Settings>
  );
}

async function lineOf(studio: Studio, webhook: Webhook) {
  const { id, url, description, disabledReason } = webhook;
  const { data } = await studio.call(listWebhookDeliveries, { id });
  const last = lastTry(data);
  return (
    <li>
      <span class="grow">
        <a href={studio.at(webhookPath(id))}>{url}</a>
        {description === "" ? null : <div dir="auto">{description}</div>}
        <div class="soft small">{typesWords(webhook)}</div>
        <div class="small">
          {disabledReason !== null
            ? plain(disabledReason)
            : last === null
            ? "Nothing was sent yet."
            : answerWords(last, studio.now)}
        </div>
      </span>
      <Chip state={webhookState(webhook, last)} />
    </li>
  );
}

/** The secret that is only shown now. */
export function FreshSecret({ secret, until }: { secret: string; until?: string | undefined }) {
  return (
    <section class="card" tabindex={-1} autofocus aria-labelledby="fresh">
      <h2 id="fresh">The signing secret</h2>
      <p>
        Copy it now. It is only shown this once. By it the receiver knows that a message is from
        Marquee.{until === undefined ? "" : ` The secret before signs as well until ${until}.`}
      </p>
      <Copyable text={secret} what="the secret" />
    </section>
  );
}

function NewWebhook({ studio, shown }: Props) {
  return (
    <form class="card form" method="post" action={studio.at(WEBHOOKS)}>
      <h2>New webhook</h2>
      <WebhookFields shown={shown} />
      <div class="actions">
        <button>
          <Icon name="plus" />
          Add the webhook
        </button>
      </div>
    </form>
  );
}

/** For those whom no webhook reaches. */
function Asking({ studio: { address } }: { studio: Studio }) {
  return (
    <section class="card" aria-labelledby="asking">
      <header>
        <h2 id="asking">Behind a firewall?</h2>
        <a href={`${address}/docs/events`}>The guide to events</a>
      </header>
      <p>
        A program that nothing reaches from outside can ask for the same events with a key:{" "}
        <code>GET /v1/events</code>. With <code>wait</code> it hears of them at once.
      </p>
    </section>
  );
}

export async function addOne(studio: Studio, fields: FormData) {
  const { secret } = await studio.call(addWebhook, webhookOf(fields));
  return await show(studio, {}, secret);
}
