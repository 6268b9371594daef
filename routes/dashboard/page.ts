/** The frame of every page for people, and the headers it goes out with. */
import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

/** `html` escapes every value that is not one of these. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export const PAGE_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; style-src 'self'; img-src 'self' data:; " +
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

export interface Frame {
  /** Stands before our paths in a browser's address. */
  base: string;
  title: string;
  signedIn: boolean;
  /** Why what was asked for did not happen: named in the title, read out first. */
  error?: string | undefined;
}

export function page({ base, title, signedIn, error }: Frame, content: Html): Html {
  return html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>${error ? "Error: " : ""}${title} · Marquee</title>
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
          ${error ? html`<p class="box bad" role="alert" tabindex="-1" autofocus>${error}</p>` : ""}
          ${content}
        </main>
      </body>
    </html>
  `;
}
