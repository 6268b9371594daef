/** The design system's tokens: space, type, colour in light and dark, as CSS variables. */
export const TOKENS = `
@font-face { font-family: Inter; font-weight: 400; font-display: swap; src: url(inter-400.woff2) format("woff2"); }
@font-face { font-family: Inter; font-weight: 600; font-display: swap; src: url(inter-600.woff2) format("woff2"); }
@font-face { font-family: "As wide as Inter"; src: local("Arial"), local("Liberation Sans"); size-adjust: 107.1%; ascent-override: 90.4%; descent-override: 22.5%; line-gap-override: 0%; }
:root {
  color-scheme: light dark;
  --paper: light-dark(#faf9f7, #121116);
  --card: light-dark(#ffffff, #1a191f);
  --sunk: light-dark(#f3f1ed, #232129);
  --line: light-dark(#e8e5df, #2d2b34);
  --field: light-dark(#8b8693, #77727f);
  --ink: light-dark(#1e1c22, #eeecf1);
  --soft: light-dark(#625e6a, #a9a5b2);
  --accent: light-dark(#4b3bd6, #a99cff);
  --on-accent: light-dark(#ffffff, #17132e);
  --accent-tint: light-dark(#efedfd, #262240);
  --good: light-dark(#17693a, #7fd8a0);
  --good-tint: light-dark(#e6f4ea, #15291d);
  --warn: light-dark(#8a4b00, #f1b765);
  --warn-tint: light-dark(#fdf1dd, #2e2413);
  --bad: light-dark(#b0251d, #ff968d);
  --bad-tint: light-dark(#fdebe9, #351b19);
  --1: .25rem; --2: .5rem; --3: .75rem; --4: 1rem; --5: 1.5rem; --6: 2rem; --7: 3rem;
  --small: .8125rem; --body: .9375rem; --large: 1.125rem; --title: 1.5rem;
  --round: .75rem; --round-small: .5rem;
  --touch: 2.75rem;
  --shadow: 0 1px 2px light-dark(#1e1c220a, #0006), 0 8px 24px light-dark(#1e1c220a, #0003);
}
`;
