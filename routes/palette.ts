/** Colours of every page for people, light and dark, as CSS variables. */
export const PALETTE = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1c1b22, #ece9f2);
  --soft: light-dark(#6b6778, #a09bb0);
  --paper: light-dark(#faf9fc, #16151b);
  --card: light-dark(#ffffff, #201e28);
  --line: light-dark(#e4e0ec, #35313f);
  --field: light-dark(#85809a, #7f7a94);
  --accent: light-dark(#5b3df5, #9c88ff);
  --bad: light-dark(#b3261e, #ff8a80);
  --good: light-dark(#1b6e3c, #7ddf9f);
}
`;
