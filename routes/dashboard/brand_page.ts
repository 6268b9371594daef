/** A brand's page: the month, its keys, its accounts, its kit. */
import { html } from "hono/html";
import { Scope, type ShownKey } from "../../domain/access.ts";
import type { Brand } from "../../domain/brands.ts";
import type { Credits } from "../../domain/credits.ts";
import type { StoredKit } from "../../domain/kit.ts";
import { PLANS } from "../../domain/plans.ts";
import { AccountKind, type SocialAccount, type SocialStatus } from "../../domain/social.ts";
import { ACCOUNT_KINDS, connectAddress } from "./account_kinds.ts";
import { type Html, page } from "./page.ts";
import { planName } from "./pages.ts";

/** What the brand's page shows. */
export interface BrandView {
  /** Stands before our paths in a browser's address. */
  base: string;
  brand: Brand;
  keys: ShownKey[];
  accounts: SocialAccount[];
  kit: StoredKit;
  credits: Credits;
  /** Requests counted in the current month. */
  requestsThisMonth: number;
  /** A key made a moment ago: shown once. */
  fresh?: { name: string; secret: string } | undefined;
  /** Fields of a form that was refused: nobody should have to type them again. */
  refused?: FormData | undefined;
}

const SCOPE_WORDS: Record<Scope, string> = {
  postsRead: "read posts and metrics",
  createRead: "read creations, assets, series",
  createWrite: "make and change them",
  publishWrite: "publish to accounts",
  brandsWrite: "manage brands",
};

const STATUS_WORDS: Record<SocialStatus, string> = {
  connected: "connected",
  expiring: "expires soon",
  reconnect: "not connected any more",
};

export function brandPage(view: BrandView, error?: string): Html {
  const { base, brand, fresh } = view;
  const sections = [month(view), keys(view), accounts(view), kit(view)];
  if (fresh !== undefined) sections.unshift(freshKey(fresh));
  return page(
    { base, title: brand.name, signedIn: true, error },
    html`<h1>${brand.name} <small>${planName(brand.plan)} plan</small></h1>${sections}`,
  );
}

function freshKey({ name, secret }: { name: string; secret: string }): Html {
  return html`
    <section class="fresh" tabindex="-1" autofocus aria-labelledby="fresh">
      <h2 id="fresh">Key “${name}”</h2>
      <p>Copy it now: it is shown this once and can't be shown again.</p>
      <code class="secret">${secret}</code>
    </section>
  `;
}

function month({ brand, credits, requestsThisMonth }: BrandView): Html {
  const { requestsPerMonth, requestsPerSecond } = PLANS[brand.plan];
  return html`
    <section>
      <h2>This month</h2>
      <div class="numbers">
        <div>
          ${used("requests", requestsThisMonth, requestsPerMonth)}
          <small>at most ${requestsPerSecond} a second</small>
        </div>
        <div>${used("image credits", credits.used, credits.allowance)}</div>
      </div>
    </section>
  `;
}

function used(what: string, count: number, most: number): Html {
  const words = `${count.toLocaleString("en-US")} of ${most.toLocaleString("en-US")} ${what}`;
  return html`
    <p>${words}</p>
    <meter max="${most}" value="${count}" aria-label="${what}">${words}</meter>
  `;
}

function keys({ base, brand, keys, refused }: BrandView): Html {
  const address = `${base}/dashboard/brands/${brand.id}/keys`;
  const chosen = refused?.getAll("scopes") ?? [];
  const box = (scope: Scope) => {
    const state = chosen.includes(scope) ? "checked" : "";
    return html`
      <label class="inline"><input type="checkbox" name="scopes" value="${scope}" ${state}>
        ${scope} <small>${SCOPE_WORDS[scope]}</small></label>
    `;
  };
  const name = refused?.get("name") ?? "";
  return html`
    <section>
      <h2>API keys</h2>
      ${keys.length === 0 ? html`<p class="soft">None yet.</p>` : keyTable(address, keys)}
      <h3>New key</h3>
      <form method="post" action="${address}">
        <label>Name <input type="text" name="name" value="${name}" maxlength="120" required></label>
        <fieldset><legend>What it may do</legend>${Scope.options.map(box)}</fieldset>
        <button>Create key</button>
      </form>
    </section>
  `;
}

function keyTable(address: string, keys: ShownKey[]): Html {
  const row = ({ id, name, prefix, scopes, lastUsedAt, revokedAt }: ShownKey) =>
    html`
      <tr>
        <td class="name">${name} <code>${prefix}…</code><br><small>${scopes.join(", ")}</small></td>
        <td>${lastUsedAt ?? "never"}</td>
        <td class="act">${revokedAt === null
          ? revokeForm(`${address}/${id}/revoke`, name)
          : html`<span class="soft">revoked</span>`}</td>
      </tr>
    `;
  return html`
    <table>
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Last used</th>
          <td></td>
        </tr>
      </thead>
      <tbody>${keys.map(row)}</tbody>
    </table>
  `;
}

function revokeForm(address: string, name: string): Html {
  return html`
    <form method="post" action="${address}">
      <button class="quiet" aria-label="Revoke ${name}">Revoke</button>
    </form>
  `;
}

function accounts(view: BrandView): Html {
  const { base, brand, accounts } = view;
  const door = (kind: AccountKind) => {
    const { name } = ACCOUNT_KINDS[kind];
    const address = connectAddress(base, brand.id, kind);
    return html`<a class="button" href="${address}">Connect ${name}</a>`;
  };
  return html`
    <section>
      <h2>Connected accounts</h2>
      ${accounts.length === 0 ? html`<p class="soft">None yet.</p>` : accountTable(view)}
      <p class="actions">${AccountKind.options.map(door)}</p>
      <p class="soft">A LinkedIn Page is a company's, a profile is your own. Of a profile LinkedIn
      tells only how the posts do that Marquee published.</p>
    </section>
  `;
}

function accountTable({ base, brand, accounts }: BrandView): Html {
  const again = ({ kind, handle }: SocialAccount) => {
    const address = connectAddress(base, brand.id, kind);
    return html`<a href="${address}" aria-label="Connect again: ${handle}">Connect again</a>`;
  };
  const row = (account: SocialAccount) => {
    const { kind, handle, status, error } = account;
    const isWell = status === "connected";
    return html`
      <tr>
        <td class="name">${handle}<br><small>${ACCOUNT_KINDS[kind].name}</small></td>
        <td>
          <span class="status ${isWell ? "good" : "bad"}">${STATUS_WORDS[status]}</span>
          ${isWell ? "" : again(account)}
          ${error === null ? "" : html`<br><small>${error}</small>`}
        </td>
      </tr>
    `;
  };
  return html`
    <table>
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>${accounts.map(row)}</tbody>
    </table>
  `;
}

function kit({ base, brand, kit, refused }: BrandView): Html {
  const isOff = kit.discordWebhookUrl !== null && kit.webhookStatus === "off";
  const style = refused?.get("baseStylePrompt") ?? kit.baseStylePrompt;
  const webhook = refused?.get("discordWebhookUrl") ?? kit.discordWebhookUrl ?? "";
  return html`
    <section>
      <h2>Brand kit</h2>
      <form method="post" action="${base}/dashboard/brands/${brand.id}/kit">
        <label>Base style, prepended to every composed prompt
          <textarea name="baseStylePrompt" rows="4" maxlength="4000">${style}</textarea></label>
        <label>Discord webhook for digests and alerts
          <input type="url" name="discordWebhookUrl" value="${webhook}"></label>
        ${isOff
          ? html`<p class="bad">Switched off: Discord no longer knows this webhook. Save to switch it on again.</p>`
          : ""}
        <button>Save</button>
      </form>
    </section>
  `;
}
