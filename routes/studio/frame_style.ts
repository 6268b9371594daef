/** Styles of the frame: the page, the left rail, the bar at the bottom of a phone. */
export const FRAME_STYLE = `
* { box-sizing: border-box; }
@view-transition { navigation: auto; }
html { scroll-padding: 5rem 0; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100dvh; background: var(--paper); color: var(--ink);
  font: var(--body)/1.55 Inter, "As wide as Inter", system-ui, sans-serif; font-feature-settings: "cv11", "ss03";
}
h1, h2, h3 { line-height: 1.25; font-weight: 600; margin: 0; overflow-wrap: anywhere; letter-spacing: -.01em; }
h1 { font-size: var(--title); letter-spacing: -.02em; }
h2 { font-size: var(--large); }
h3 { font-size: var(--body); }
p { margin: 0; max-width: 42rem; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px; }
img { display: block; max-width: 100%; }
svg { flex: none; }
[hidden] { display: none !important; }
small, .small { font-size: var(--small); }
.soft { color: var(--soft); }
.block { display: block; }
.out { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: var(--4); top: -5rem; z-index: 9; padding: var(--3) var(--4); background: var(--card); border-radius: var(--round-small); }
.skip:focus { top: var(--4); }
main { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--5); align-content: start; padding: var(--5) var(--4) 7rem; max-width: 72rem; width: 100%; margin: 0 auto; }
main:focus { outline: 0; }
.top { display: flex; align-items: center; gap: var(--3); padding: var(--2) var(--4); border-bottom: 1px solid var(--line); background: var(--card); }
.head { display: flex; flex-wrap: wrap; gap: var(--3) var(--4); align-items: center; }
.head > :first-child { flex: 1 1 16rem; }
.head p { margin-top: var(--1); }
.rail { display: none; }
.brand { position: relative; min-width: 0; }
.brand > summary { display: flex; align-items: center; gap: var(--2); min-height: var(--touch); padding: 0 var(--2); margin-left: calc(-1 * var(--2)); border-radius: var(--round-small); cursor: pointer; list-style: none; font-weight: 600; }
.brand > summary::-webkit-details-marker { display: none; }
.brand > summary span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.brand > summary:hover { background: var(--sunk); }
.mono { display: grid; place-items: center; flex: none; width: 1.75rem; height: 1.75rem; border-radius: .5rem; background: var(--accent); color: var(--on-accent); font-size: var(--small); font-weight: 600; }
.menu { position: absolute; z-index: 5; left: 0; top: 100%; min-width: 14rem; max-width: calc(100vw - 2rem); max-height: 70dvh; overflow: auto; padding: var(--2); border: 1px solid var(--line); border-radius: var(--round); background: var(--card); box-shadow: var(--shadow); }
.menu a, .menu button, .bar a, .bar summary, .rail nav a { display: flex; align-items: center; gap: var(--3); min-height: var(--touch); padding: 0 var(--3); border-radius: var(--round-small); color: inherit; text-decoration: none; }
.menu a:hover, .menu button:hover, .rail nav a:hover { background: var(--sunk); }
.menu hr { border: 0; border-top: 1px solid var(--line); margin: var(--2) 0; }
.menu form, .menu button { width: 100%; }
.menu button { border: 0; background: none; font: inherit; cursor: pointer; color: inherit; text-align: left; }
.bar { position: fixed; inset: auto 0 0; z-index: 4; display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); padding: var(--1) var(--1) max(var(--1), env(safe-area-inset-bottom)); border-top: 1px solid var(--line); background: var(--card); }
.bar a, .bar summary { flex-direction: column; justify-content: center; gap: 2px; min-height: 3.25rem; padding: 0; font-size: .6875rem; color: var(--soft); cursor: pointer; list-style: none; }
.bar summary::-webkit-details-marker { display: none; }
.bar [aria-current] { color: var(--accent); font-weight: 600; }
.bar details { position: relative; }
.bar .menu { inset: auto 0 100% auto; top: auto; }
.bar .menu a { flex-direction: row; justify-content: start; font-size: var(--body); padding: 0 var(--3); color: var(--ink); }
@media (min-width: 900px) {
  body.framed { display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
  .top, .bar { display: none; }
  .rail { position: sticky; top: 0; height: 100dvh; display: flex; flex-direction: column; gap: var(--4); padding: var(--4); border-right: 1px solid var(--line); background: var(--card); }
  .rail nav { display: grid; gap: 2px; }
  .rail nav a { min-height: 2.5rem; color: var(--soft); }
  .rail nav a[aria-current] { background: var(--accent-tint); color: var(--accent); font-weight: 600; }
  .rail footer { margin-top: auto; display: grid; gap: var(--3); }
  main { padding: var(--6) var(--6) var(--7); }
}
@media (prefers-reduced-motion: no-preference) {
  a, button, .button, summary, .tile { transition: background-color .12s, border-color .12s, color .12s; }
}
@media (prefers-reduced-motion: reduce) {
  @view-transition { navigation: none; }
  *, ::before, ::after { animation-duration: 1ms !important; transition: none !important; scroll-behavior: auto !important; }
}
`;
