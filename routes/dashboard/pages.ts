/** The dashboard's pages but the brand's: signing in, the brands, what came of connecting. */
import { html } from "hono/html";
import type { Brand } from "../../domain/brands.ts";
import { type Html, page } from "./page.ts";

/** @param given email of an attempt that failed */
export function signInPage(base: string, error?: string, given = ""): Html {
  return page(
    { base, title: "Sign in", signedIn: false, error },
    html`
      <section class="narrow">
        <h1>Sign in</h1>
        <form method="post" action="${base}/dashboard/sign-in">
          <label>Email <input type="email" name="email" value="${given}" autocomplete="username" required></label>
          <label>Password <input type="password" name="password" autocomplete="current-password" required></label>
          <button>Sign in</button>
        </form>
        <p class="soft">An operator makes accounts with <code>deno task admin account create</code>.</p>
      </section>
    `,
  );
}

export function brandsPage(base: string, brands: Brand[], error?: string): Html {
  return page(
    { base, title: "Brands", signedIn: true, error },
    html`
      <h1>Brands</h1>
      <section>
        ${brands.length === 0 ? html`<p class="soft">No brand yet.</p>` : brandTable(base, brands)}
      </section>
      <section>
        <h2>Add a brand</h2>
        <form method="post" action="${base}/dashboard/brands">
          <label>Name <input type="text" name="name" maxlength="120" required></label>
          <button>Add on the Free plan</button>
        </form>
      </section>
    `,
  );
}

function brandTable(base: string, brands: Brand[]): Html {
  return html`
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Plan</th>
          <th scope="col">Since</th>
        </tr>
      </thead>
      <tbody>
        ${brands.map(({ id, name, plan, createdAt }) =>
          html`
            <tr>
              <td class="name"><a href="${base}/dashboard/brands/${id}">${name}</a></td>
              <td>${planName(plan)}</td>
              <td>${createdAt.slice(0, 10)}</td>
            </tr>
          `
        )}
      </tbody>
    </table>
  `;
}

export const planName = (plan: string): string => plan[0]!.toUpperCase() + plan.slice(1);

/** What came of connecting. @param brandId where the person came from, as far as it is known */
export function connectPage(
  base: string,
  brandId: string | null,
  words: { title: string; text?: string; error?: string },
): Html {
  const back = brandId === null ? "/dashboard" : `/dashboard/brands/${brandId}`;
  const { title, text, error } = words;
  return page(
    // The address that led here holds a code, so the page sends no referrer; a form of such a page
    // comes without an origin and would be refused: it has none.
    { base, title, signedIn: false, error },
    html`
      <section>
        <h1>${title}</h1>
        ${text === undefined ? "" : html`<p>${text}</p>`}
        <p><a class="button" href="${base}${back}">Back to the ${brandId === null
          ? "dashboard"
          : "brand"}</a></p>
      </section>
    `,
  );
}
