/** The dashboard's one style sheet. */
export const STYLE = `
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
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
a { color: var(--accent); }
header { display: flex; gap: 1rem; align-items: center; padding: 1rem clamp(1rem, 4vw, 2rem); border-bottom: 1px solid var(--line); }
header a { color: inherit; font-weight: 700; text-decoration: none; letter-spacing: .02em; }
header form { margin-left: auto; }
main {
  max-width: 60rem; margin: clamp(1rem, 4vw, 2rem) auto; padding: 0 clamp(1rem, 4vw, 1.5rem);
  display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem;
}
h1, h2, .name, .box { overflow-wrap: anywhere; }
.name { min-width: 8rem; }
h1 { font-size: 1.6rem; margin: 0; }
h2 { font-size: 1.05rem; margin: 0 0 .75rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .5rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem clamp(1rem, 4vw, 1.5rem); }
section > :last-child { margin-bottom: 0; }
.box { margin: 0; padding: .75rem 1rem; border: 1px solid; border-radius: .5rem; background: var(--card); }
section.narrow { max-width: 24rem; width: 100%; justify-self: center; }
p { margin: .25rem 0 .75rem; }
small, .soft { color: var(--soft); }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; color: var(--soft); font-weight: 500; font-size: .85rem; }
th, td { padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
tbody tr:last-child td { border-bottom: 0; }
th:last-child, td:last-child { padding-right: 0; }
.act { text-align: right; white-space: nowrap; }
fieldset { border: 0; margin: .75rem 0; padding: 0; }
legend { padding: 0; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: 1rem; }
label { display: block; margin: .5rem 0; }
label.inline { display: inline-flex; gap: .35rem; align-items: center; margin: .25rem 1rem .25rem 0; }
input[type=text], input[type=email], input[type=password], input[type=url], textarea {
  width: 100%; padding: .5rem .65rem; font: inherit; color: inherit; background: var(--paper);
  border: 1px solid var(--field); border-radius: .5rem;
}
button, .button {
  font: inherit; font-weight: 600; padding: .45rem .9rem; border-radius: .5rem; border: 1px solid var(--accent);
  background: var(--accent); color: light-dark(#fff, #16151b); cursor: pointer; text-decoration: none; display: inline-block;
}
button.quiet { background: none; color: var(--accent); border-color: var(--field); }
code { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere; }
.secret { display: block; user-select: all; padding: .75rem; border: 1px dashed var(--accent); border-radius: .5rem; margin: .75rem 0; }
.status { font-size: .85rem; font-weight: 600; }
.good { color: var(--good); }
.bad { color: var(--bad); }
meter { width: 100%; height: .6rem; }
.numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: 1.5rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;
