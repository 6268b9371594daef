/** Markdown → HTML for the guide: headings get ids, links fit the address, wide tables scroll. */
import { Marked, Renderer, type Tokens } from "marked";
import { slug } from "./slug.ts";

/** @param base precedes our paths in a browser's address */
export function toHtml(markdown: string, base: string): string {
  return new Marked({ async: false }).parse(markdown, {
    async: false,
    renderer: new PageRenderer(base),
  });
}

/** Languages of which a sample is folded away, because curl says the same. */
const FOLDED: Record<string, string> = { typescript: "TypeScript", python: "Python" };

class PageRenderer extends Renderer {
  readonly #base: string;

  constructor(base: string) {
    super();
    this.#base = base;
  }

  override heading({ tokens, depth, text }: Tokens.Heading): string {
    return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
  }

  /** The files name each other, so that their links work in the repository as well. */
  override link(token: Tokens.Link): string {
    const href = token.href.startsWith("/")
      ? this.#base + token.href
      : token.href.replace(/^([a-z]+)\.md(?=#|$)/, "$1");
    return super.link({ ...token, href });
  }

  /** Focusable, so that a keyboard can scroll it. */
  override table(token: Tokens.Table): string {
    return `<div class="wide" tabindex="0">${super.table(token)}</div>\n`;
  }

  override code(token: Tokens.Code): string {
    const block = super.code(token).replace("<pre>", '<pre tabindex="0">');
    const folded = FOLDED[token.lang ?? ""];
    if (folded === undefined) return block;
    return `<details class="code"><summary>${folded}</summary>\n${block}</details>\n`;
  }

  /** Comments mark places for programs; the pages hold no other HTML. */
  override html(): string {
    return "";
  }
}
