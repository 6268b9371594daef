/** Settings: the connected accounts. */
import type { z } from "zod";
import { noSuch } from "../../../domain/foundation/errors.ts";
import { listAccounts } from "../../../domain/operations/accounts.ts";
import { disconnect } from "../../../domain/operations/people.ts";
import { AccountKind } from "../../../domain/platforms/contract/traits.ts";
import { ACCOUNT_KINDS, connectAddress } from "../../dashboard/account_kinds.ts";
import { Chip, Empty, Notice } from "../parts/chip.tsx";
import { Icon } from "../parts/icons.tsx";
import { Settings } from "../parts/settings_frame.tsx";
import { idOf, type Shown, type Studio } from "../studio.ts";
import { fromNow, whenWords } from "../when.ts";
import { ACCOUNT_STATES, plain } from "../words.ts";

export async function accountsPage(studio: Studio, shown: Shown) {
  const { data } = await studio.call(listAccounts, {});
  return (
    <Settings studio={studio} shown={shown} path="/settings/accounts">
      {data.length === 0
        ? (
          <Empty title="No account connected yet">
            <p>
              {studio.may(disconnect)
                ? "Connect one to publish, and to read what your posts earn."
                : "An owner of the brand connects one."}
            </p>
          </Empty>
        )
        : (
          <div class="card">
            <ul class="list">
              {data.map((account) => <Account studio={studio} account={account} />)}
            </ul>
          </div>
        )}
      {studio.may(disconnect) ? <Connect studio={studio} isFirst={data.length === 0} /> : null}
    </Settings>
  );
}

function Connect({ studio: { base, brand }, isFirst }: { studio: Studio; isFirst: boolean }) {
  return (
    <section class="card" aria-labelledby="connect">
      <h2 id="connect">{isFirst ? "Connect your first account" : "Connect another"}</h2>
      <div class="actions">
        {AccountKind.options.map((kind) => (
          <a class="button quiet" href={connectAddress(base, brand.id, kind)}>
            <Icon name="plus" />
            {ACCOUNT_KINDS[kind].name}
          </a>
        ))}
      </div>
      <p class="soft small">
        A LinkedIn Page belongs to a company, a profile to a person. For a profile, LinkedIn only
        reports on posts that were published through Marquee.
      </p>
    </section>
  );
}

type Account = z.output<typeof listAccounts.output>["data"][number];

function Account({ studio, account }: { studio: Studio; account: Account }) {
  const { id, kind, handle, status, error, lastReadAt, reads, publishes, expiresAt } = account;
  const { base, brand, now, zone } = studio;
  const does = [reads ? "reads posts" : "", publishes ? "publishes" : ""].filter((one) =>
    one !== ""
  );
  return (
    <li>
      <span class="grow">
        <b>{handle}</b>
        <div class="soft small">
          {ACCOUNT_KINDS[kind].name}
          {does.length === 0 ? "" : `, ${does.join(" and ")}`}
          {lastReadAt === null ? "" : `, last read ${fromNow(lastReadAt, now)}`}
        </div>
        {error === null ? null : <div class="small">{plain(error)}</div>}
        {expiresAt === null || status !== "expiring"
          ? null
          : <div class="small">Its sign-in ends {whenWords(expiresAt, zone)}.</div>}
      </span>
      <Chip state={ACCOUNT_STATES[status]} />
      {status === "connected" || !studio.may(disconnect)
        ? null
        : <a class="button" href={connectAddress(base, brand.id, kind)}>Connect again</a>}
      {studio.may(disconnect)
        ? (
          <a class="button plain" href={studio.at(`/settings/accounts/${id}/disconnect`)}>
            Disconnect…
          </a>
        )
        : null}
    </li>
  );
}

/** Asks before an account is disconnected. */
export async function disconnectPage(studio: Studio, shown: Shown) {
  const { data } = await studio.call(listAccounts, {});
  const account = data.find(({ id }) => id === idOf(studio));
  if (account === undefined) throw noSuch("account");
  return (
    <Settings studio={studio} shown={shown} path="/settings/accounts">
      <div class="card">
        <h2>Disconnect {account.handle}?</h2>
        <p>
          Nothing more is published there or read from there. Posts, series and their history stay,
          and the account can be connected again.
        </p>
        <form
          method="post"
          action={studio.at(`/settings/accounts/${idOf(studio)}/disconnect`)}
          class="actions"
        >
          <button class="danger sure">Disconnect</button>
          <a class="button plain" href={studio.at("/settings/accounts")}>Keep it</a>
        </form>
      </div>
    </Settings>
  );
}

export async function disconnectAccount(studio: Studio) {
  const { handle, note } = await studio.call(disconnect, { id: idOf(studio) });
  return (
    <Settings studio={studio} shown={{}} path="/settings/accounts">
      <Notice tone="good">
        {handle} is disconnected. {note === null ? "" : plain(note)}
      </Notice>
      <p>
        <a class="button quiet" href={studio.at("/settings/accounts")}>Back to the accounts</a>
      </p>
    </Settings>
  );
}
