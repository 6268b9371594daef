/** The guide's one style sheet. */
import { PALETTE } from "../palette.ts";

export const STYLE = `${PALETTE}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
a { color: var(--accent); text-underline-offset: .15em; }
header { padding: 1rem max(clamp(1rem, 4vw, 2rem), 50% - 36rem); border-bottom: 1px solid var(--line); }
header a { color: inherit; font-weight: 700; text-decoration: none; letter-spacing: .02em; }
.frame {
  max-width: 76rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2rem) 4rem;
  display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 3rem;
}
nav { padding-top: 2rem; }
nav ul { list-style: none; margin: 0 0 1.5rem; padding: 0; }
nav li { margin: 0; }
nav h2 { margin: 0 0 .35rem; font-size: .8rem; font-weight: 600; color: var(--soft); border: 0; padding: 0; }
nav a { display: block; padding: .3rem .75rem; margin-left: -.75rem; border-radius: .5rem; color: inherit; text-decoration: none; }
nav a:hover { background: var(--card); }
nav a[aria-current] { background: var(--card); color: var(--accent); font-weight: 600; box-shadow: inset 0 0 0 1px var(--line); }
main { padding-top: 2rem; }
h1 { font-size: 1.9rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.5rem 0 .75rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
p, li, blockquote { max-width: 44rem; overflow-wrap: break-word; }
p, ul, ol, pre, .wide { margin: 0 0 1.1rem; }
li { margin: .3rem 0; }
code { font: .875em/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
:not(pre) > code { padding: .1em .3em; border-radius: .3rem; background: light-dark(#efecf6, #2a2735); }
p code, li code { overflow-wrap: anywhere; }
pre {
  overflow-x: auto; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card);
}
details.code { margin: 0 0 1.1rem; }
details.code summary { cursor: pointer; color: var(--soft); font-size: .9rem; padding: .15rem 0; }
details.code[open] summary { color: var(--accent); }
details.code pre { margin: .35rem 0 0; }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); }
table { width: 100%; border-collapse: collapse; font-size: .925rem; }
th { text-align: left; color: var(--soft); font-weight: 500; font-size: .85rem; white-space: nowrap; }
th, td { padding: .55rem 1rem; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody tr:last-child td { border-bottom: 0; }
td { min-width: 6rem; }
td:first-child code { white-space: nowrap; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (max-width: 52rem) {
  .frame { grid-template-columns: minmax(0, 1fr); gap: 0; }
  nav { padding: 1rem 0; border-bottom: 1px solid var(--line); }
  /* One line each, which is swiped: the page begins on the first screen. */
  nav ul { display: flex; gap: 1.25rem; margin: 0 0 .5rem; overflow-x: auto; scrollbar-width: none; }
  nav ul:last-child { margin: 0; }
  nav a { margin: 0; padding: .6rem 0; white-space: nowrap; }
  nav a[aria-current] { background: none; box-shadow: none; }
  th, td { padding: .5rem .75rem; }
}
`;
