/** The dashboard's pages as HTML; `html` escapes every value. */
import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { ShownKey } from "../../domain/access.ts";
import { Scope } from "../../domain/access.ts";
import type { Brand } from "../../domain/brands.ts";
import type { Credits } from "../../domain/credits.ts";
import type { StoredKit } from "../../domain/kit.ts";
import { PLANS } from "../../domain/plans.ts";
import { AccountKind, type SocialAccount } from "../../domain/social.ts";
import { ACCOUNT_KINDS, connectAddress } from "./account_kinds.ts";

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

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
}

const SCOPE_WORDS: Record<Scope, string> = {
  postsRead: "read posts and metrics",
  createRead: "read creations, assets, series",
  createWrite: "make and change them",
  publishWrite: "publish to accounts",
  brandsWrite: "manage brands",
};

/** @param base stands before our paths in a browser's address */
function page(
  base: string,
  title: string,
  signedIn: boolean,
  content: Html,
  error?: string,
): Html {
  return html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>${title} · Marquee</title>
        <link rel="stylesheet" href="${base}/dashboard/style.css">
      </head>
      <body>
        <header>
    <a href="${base}/dashboard">Marquee</a>
    ${signedIn
      ? html`
        <form method="post"
          action="${base}/dashboard/sign-out"><button class="quiet">Sign out</button></form>
      `
      : ""}
        </header>
        <main>
    ${error ? html`<p class="bad" role="alert">${error}</p>` : ""}
    ${content}
        </main>
      </body>
    </html>
  `;
}

export function signInPage(base: string, error?: string): Html {
  return page(
    base,
    "Sign in",
    false,
    html`
      <section class="narrow">
        <h1>Sign in</h1>
        <form method="post" action="${base}/dashboard/sign-in">
          <label>Email <input type="email" name="email" autocomplete="username" required></label>
          <label>Password <input type="password" name="password" autocomplete="current-password" required></label>
          <button>Sign in</button>
        </form>
        <p class="soft">An operator makes accounts with <code>deno task admin account create</code>.</p>
      </section>
    `,
    error,
  );
}

export function brandsPage(base: string, brands: Brand[], error?: string): Html {
  return page(
    base,
    "Brands",
    true,
    html`
      <h1>Brands</h1>
      <section>
      <table>
      <thead><tr><th>Name</th><th>Plan</th><th>Since</th></tr></thead>
      <tbody>
      ${brands.map((brand) =>
        html`
          <tr>
            <td><a href="${base}/dashboard/brands/${brand.id}">${brand.name}</a></td>
            <td>${brand.plan}</td>
            <td>${brand.createdAt.slice(0, 10)}</td>
          </tr>
        `
      )}
      </tbody>
      </table>
      ${brands.length === 0 ? html`<p class="soft">No brand yet.</p>` : ""}
      </section>
      <section>
        <h2>Add a brand</h2>
        <form method="post" action="${base}/dashboard/brands">
          <label>Name <input type="text" name="name" maxlength="120" required></label>
          <button>Add on the Free plan</button>
        </form>
      </section>
    `,
    error,
  );
}

export function brandPage(view: BrandView, error?: string): Html {
  const { base, brand, fresh } = view;
  return page(
    base,
    brand.name,
    true,
    html`<h1>${brand.name} <small>${brand.plan}</small></h1>
${
      fresh
        ? html`
          <section>
            <h2>Key “${fresh.name}”</h2>
            <p>Copy it now: it is shown this once and can't be shown again.</p>
            <code class="secret">${fresh.secret}</code>
          </section>
        `
        : ""
    }
${usage(view)}
${keys(view)}
${accounts(view)}
${kit(view)}`,
    error,
  );
}

function usage({ brand, credits, requestsThisMonth }: BrandView): Html {
  const { requestsPerMonth, requestsPerSecond } = PLANS[brand.plan];
  return html`
    <section>
      <h2>This month</h2>
      <div class="numbers">
        <div><p>${requestsThisMonth.toLocaleString("en-US")} of ${requestsPerMonth.toLocaleString(
          "en-US",
        )} requests</p>
    <meter max="${requestsPerMonth}" value="${requestsThisMonth}">${requestsThisMonth}</meter>
    <small>${requestsPerSecond} a second</small></div>
        <div><p>${credits.used.toLocaleString("en-US")} of ${credits.allowance.toLocaleString(
          "en-US",
        )} image credits</p>
    <meter max="${credits.allowance}" value="${credits.used}">${credits.used}</meter></div>
      </div>
    </section>
  `;
}

function keys({ base, brand, keys }: BrandView): Html {
  return html`
    <section>
      <h2>API keys</h2>
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Begins with</th>
            <th>Scopes</th>
            <th>Last used</th>
            <th></th>
          </tr>
        </thead>
        <tbody>
    ${keys.map((key) =>
      html`
        <tr>
          <td>${key.name}</td>
          <td><code>${key.prefix}</code></td>
          <td>${key.scopes.join(", ")}</td>
          <td>${key.lastUsedAt ?? "never"}</td>
          <td>${key.revokedAt ? html`<span class="soft">revoked</span>` : html`
            <form method="post"
              action="${base}/dashboard/brands/${brand.id}/keys/${key
                .id}/revoke"><button class="quiet">Revoke</button></form>
          `}</td>
        </tr>
      `
    )}
        </tbody>
      </table>
      <form method="post" action="${base}/dashboard/brands/${brand.id}/keys">
    <label>Name <input type="text" name="name" maxlength="120" required></label>
    ${Scope.options.map((scope) =>
      html`
        <label
          class="inline"><input type="checkbox" name="scopes" value="${scope}"> ${scope} <small>${SCOPE_WORDS[
            scope
          ]}</small></label>
      `
    )}
    <p><button>Create key</button></p>
      </form>
    </section>
  `;
}

function accounts({ base, brand, accounts }: BrandView): Html {
  return html`
    <section>
      <h2>Connected accounts</h2>
      <table>
        <tbody>
    ${accounts.map((account) =>
      html`
        <tr>
          <td>${ACCOUNT_KINDS[account.kind].name}</td>
          <td>${account.handle}</td>
          <td><span class="status ${account.status === "connected" ? "good" : "bad"}">${account
            .status}</span> <small>${account.error ?? ""}</small></td>
        </tr>
      `
    )}
        </tbody>
      </table>
      <p>
    ${AccountKind.options.map((kind) =>
      html`
        <a class="button" href="${connectAddress(base, brand.id, kind)}">Connect ${ACCOUNT_KINDS[
          kind
        ].name}</a>
      `
    )}
      </p>
      <p class="soft">A LinkedIn Page is a company's, a profile is your own. Of a profile LinkedIn tells
      only how the posts do that Marquee published.</p>
    </section>
  `;
}

function kit({ base, brand, kit }: BrandView): Html {
  const off = kit.discordWebhookUrl !== null && kit.webhookStatus === "off";
  return html`
    <section>
      <h2>Brand kit</h2>
      <form method="post" action="${base}/dashboard/brands/${brand.id}/kit">
    <label>Base style, prepended to every composed prompt
    <textarea name="baseStylePrompt" rows="4" maxlength="4000">${kit
      .baseStylePrompt}</textarea></label>
    <label>Discord webhook for digests and alerts
    <input type="url" name="discordWebhookUrl" value="${kit.discordWebhookUrl ?? ""}"></label>
    ${off
      ? html`<p class="bad">Switched off: Discord no longer knows this webhook. Save to switch it on again.</p>`
      : ""}
    <button>Save</button>
      </form>
    </section>
  `;
}
