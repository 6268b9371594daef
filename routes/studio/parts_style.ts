/** Styles of the components: cards, buttons, fields, chips, tables, pictures, time lines. */
export const PARTS_STYLE = `
.card { background: var(--card); border: 1px solid var(--line); border-radius: var(--round); padding: var(--5); display: grid; gap: var(--4); grid-template-columns: minmax(0, 1fr); align-content: start; }
.card.later { content-visibility: auto; contain-intrinsic-block-size: auto 40rem; }
.card > header { display: flex; flex-wrap: wrap; gap: var(--2) var(--4); align-items: baseline; }
.card > header > :first-child { flex: 1; }
.stack { display: grid; gap: var(--4); grid-template-columns: minmax(0, 1fr); align-content: start; }
.tight { gap: var(--2); }
.row { display: flex; flex-wrap: wrap; gap: var(--2) var(--3); align-items: center; }
.split { display: grid; gap: var(--5); grid-template-columns: minmax(0, 1fr); align-items: start; }
@media (min-width: 1100px) { .split { grid-template-columns: minmax(0, 1fr) minmax(0, 22rem); } .split.even { grid-template-columns: repeat(2, minmax(0, 1fr)); } .split.picture-first { grid-template-columns: minmax(0, 26rem) minmax(0, 1fr); } }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; gap: var(--2); min-height: var(--touch); padding: 0 var(--4);
  font: inherit; font-weight: 600; border-radius: var(--round-small); border: 1px solid transparent; cursor: pointer; text-decoration: none;
  background: var(--accent); color: var(--on-accent); white-space: nowrap;
}
button:hover, .button:hover { background: color-mix(in oklab, var(--accent), var(--ink) 14%); }
button:disabled { opacity: .5; cursor: default; }
.quiet { background: var(--card); color: var(--ink); border-color: var(--line); }
.quiet:hover { background: var(--sunk); }
.plain { background: none; color: var(--ink); padding: 0 var(--3); }
.plain:hover { background: var(--sunk); }
.danger { background: var(--card); color: var(--bad); border-color: color-mix(in oklab, var(--bad), transparent 60%); }
.danger:hover { background: var(--bad-tint); }
.danger.sure { background: var(--bad); color: light-dark(#fff, #2a0d0b); }
.actions { display: flex; flex-wrap: wrap; gap: var(--2); align-items: center; }
form { margin: 0; }
.form { display: grid; gap: var(--4); grid-template-columns: minmax(0, 1fr); }
.form > button, .form > .actions { justify-self: start; }
.field { display: grid; gap: var(--1); grid-template-columns: minmax(0, 1fr); border: 0; margin: 0; padding: 0; min-width: 0; }
.field > label:not(.check), .field > legend, .field > .label { font-weight: 600; padding: 0; display: flex; justify-content: space-between; gap: var(--3); }
.field .hint { color: var(--soft); font-size: var(--small); text-wrap: pretty; }
.field .wrong { color: var(--bad); font-size: var(--small); font-weight: 600; }
input, select, textarea { font: inherit; color: inherit; }
input:not([type=checkbox], [type=radio], [type=file]), select, textarea {
  width: 100%; min-height: var(--touch); padding: var(--2) var(--3); border: 1px solid var(--field); border-radius: var(--round-small); background: var(--card);
}
textarea { line-height: 1.5; resize: vertical; min-height: 6rem; field-sizing: content; max-height: 24rem; }
input[type=file] { width: 100%; min-height: var(--touch); padding: var(--2); border: 1px dashed var(--field); border-radius: var(--round-small); background: var(--sunk); }
input[type=file]::file-selector-button { font: inherit; font-weight: 600; margin-right: var(--3); padding: var(--1) var(--3); border: 1px solid var(--field); border-radius: var(--round-small); background: var(--card); color: var(--ink); }
input[type=checkbox], input[type=radio] { width: 1.15rem; height: 1.15rem; accent-color: var(--accent); margin: 0; flex: none; }
.bare { border: 0; margin: 0; padding: 0; min-width: 0; }
.bare > legend { padding: 0; }
.bare:disabled :is(input, select, textarea) { background: var(--sunk); color: var(--ink); opacity: 1; }
.check, .field > .check { display: flex; justify-content: start; gap: var(--3); align-items: center; min-height: var(--touch); cursor: pointer; }
.check small { color: var(--soft); display: block; text-wrap: pretty; }
.field > .check + .check, .field > legend + :is(.check, .colours) { margin-top: var(--1); }
.tile + :is(.actions, .button) { margin-top: var(--2); }
.filters select, .insights-filters select { width: auto; max-width: 13rem; }
.options { margin-top: var(--1); display: flex; flex-wrap: wrap; gap: var(--2); }
.option { display: flex; gap: var(--2); align-items: center; min-height: var(--touch); padding: 0 var(--3); border: 1px solid var(--field); border-radius: var(--round-small); background: var(--card); cursor: pointer; }
.option:has(:checked) { border-color: var(--accent); background: var(--accent-tint); color: var(--accent); font-weight: 600; }
.option:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.option input { position: absolute; opacity: 0; }
.layouts { margin-top: var(--1); display: grid; gap: var(--3); grid-template-columns: repeat(auto-fill, minmax(5.5rem, 1fr)); align-items: start; }
.layout { position: relative; display: grid; gap: var(--1); padding: var(--1); border: 2px solid transparent; border-radius: var(--round); font-size: var(--small); line-height: 1.3; text-align: center; cursor: pointer; min-width: 0; }
.layout:hover { background: var(--sunk); }
.layout:has(:checked) { border-color: var(--accent); background: var(--accent-tint); color: var(--accent); font-weight: 600; }
.layout:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.layout input { position: absolute; opacity: 0; }
.shape { border: 2px solid currentColor; border-radius: 3px; height: 1.1rem; }
.two { display: grid; gap: var(--4); grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); align-items: start; }
.notice { display: flex; gap: var(--3); align-items: flex-start; padding: var(--3) var(--4); border-radius: var(--round); background: var(--sunk); }
.notice svg { margin-top: .15rem; }
.notice.good { background: var(--good-tint); color: var(--good); }
.notice.warn { background: var(--warn-tint); color: var(--warn); }
.notice.bad { background: var(--bad-tint); color: var(--bad); }
.notice:focus-visible, .card:focus-visible { outline-width: 1px; outline-offset: -1px; border-radius: var(--round); }
.notice:focus-visible { outline-color: currentColor; }
.notice > div { min-width: 0; overflow-wrap: anywhere; }
.notice a { color: inherit; font-weight: 600; }
.chip { display: inline-flex; align-items: center; gap: .3rem; padding: .1rem .5rem; border-radius: 1rem; font-size: var(--small); font-weight: 600; background: var(--sunk); color: var(--soft); white-space: nowrap; }
.chip.good { background: var(--good-tint); color: var(--good); }
.chip.warn { background: var(--warn-tint); color: var(--warn); }
.chip.bad { background: var(--bad-tint); color: var(--bad); }
.chip.accent { background: var(--accent-tint); color: var(--accent); }
.tabs { position: relative; display: flex; gap: var(--1); overflow-x: auto; border-bottom: 1px solid var(--line); scrollbar-width: none; }
.tabs a { flex: none; display: flex; align-items: center; gap: var(--2); min-height: var(--touch); padding: 0 var(--3); color: var(--soft); text-decoration: none; border-bottom: 2px solid transparent; margin-bottom: -1px; }
.tabs a:hover { color: var(--ink); }
.tabs a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--accent); }
.switch { display: inline-flex; justify-self: start; padding: 3px; border-radius: var(--round-small); background: var(--sunk); }
.switch a { display: flex; align-items: center; min-height: 2.375rem; padding: 0 var(--4); border-radius: .375rem; color: var(--soft); text-decoration: none; }
.switch a[aria-current] { background: var(--card); color: var(--ink); font-weight: 600; box-shadow: var(--shadow); }
.grid { display: grid; gap: var(--4); grid-template-columns: repeat(auto-fill, minmax(min(100%, 10.5rem), 1fr)); list-style: none; margin: 0; padding: 0; align-items: start; }
.grid.wide { grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); }
.tile { display: grid; gap: var(--2); color: inherit; text-decoration: none; min-width: 0; grid-template-columns: minmax(0, 1fr); }
a.tile:hover .picture { border-color: var(--field); }
.tile b, .clip { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.clip2 { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
.picture { position: relative; display: grid; place-items: center; overflow: hidden; border: 1px solid var(--line); border-radius: var(--round); background: var(--sunk); color: var(--soft); aspect-ratio: 4 / 5; text-align: center; font-size: var(--small); }
.picture img { width: 100%; height: 100%; object-fit: cover; }
.picture.square { aspect-ratio: 1; } .picture.landscape { aspect-ratio: 3 / 2; } .picture.story { aspect-ratio: 9 / 16; } .picture.logo img { object-fit: contain; padding: var(--4); }
.picture.any { aspect-ratio: auto; } .picture.any img { height: auto; }
.picture .waits { display: grid; justify-items: center; gap: var(--2); padding: var(--3); }
.picture .corner { position: absolute; right: var(--2); top: var(--2); }
.spin { width: 1.5rem; height: 1.5rem; border: 3px solid var(--line); border-top-color: var(--accent); border-radius: 50%; animation: spin 1s linear infinite; }
@keyframes spin { to { rotate: 1turn; } }
@media (min-width: 1100px) { .picture-first > :first-child { position: sticky; top: var(--6); } }
.strip { display: flex; gap: var(--3); overflow-x: auto; scroll-snap-type: x mandatory; padding-bottom: var(--2); }
.strip > * { flex: 0 0 100%; scroll-snap-align: center; }
.versions { position: relative; list-style: none; margin: 0; padding: 2px; display: flex; gap: var(--4); overflow-x: auto; }
.versions > li { flex: 0 0 min(100%, 18.5rem); display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: var(--2) var(--3); align-content: start; }
.versions > li > :first-child { grid-row: span 2; }
.list { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: minmax(0, 1fr); }
.list > li { display: flex; flex-wrap: wrap; gap: var(--2) var(--4); align-items: center; padding: var(--3) 0; border-top: 1px solid var(--line); }
.list > li:first-child { border-top: 0; padding-top: 0; }
.list > li:last-child { padding-bottom: 0; }
.list .grow { flex: 1 1 8rem; min-width: 0; overflow-wrap: anywhere; }
.list .grow > a { color: inherit; text-decoration: none; font-weight: 600; }
.list .grow > a:hover { text-decoration: underline; }
.thumb { width: 3.5rem; height: 3.5rem; border-radius: var(--round-small); object-fit: cover; background: var(--sunk); flex: none; display: grid; place-items: center; color: var(--soft); overflow: hidden; }
.thumb img { width: 100%; height: 100%; object-fit: cover; }
.wide-table { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-weight: 400; font-size: var(--small); color: var(--soft); }
th, td { padding: var(--2) var(--4) var(--2) 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
tr:last-child td { border-bottom: 0; }
td:last-child, th:last-child { padding-right: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
meter { width: 100%; height: .5rem; display: block; }
.bar-track { height: .5rem; border-radius: 1rem; background: var(--sunk); overflow: hidden; }
.bar-track > svg { display: block; width: 100%; height: 100%; fill: var(--accent); }
.figures { display: grid; gap: var(--4); grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); }
.figures b { display: block; font-size: var(--title); letter-spacing: -.02em; font-variant-numeric: tabular-nums; line-height: 1.2; }
.empty { display: grid; justify-items: center; gap: var(--3); padding: var(--7) var(--4); text-align: center; border: 1px dashed var(--line); border-radius: var(--round); color: var(--soft); }
.empty h2 { color: var(--ink); }
.chain { list-style: none; margin: 0; padding: 0 0 0 var(--5); position: relative; display: grid; gap: var(--4); }
.chain::before { content: ""; position: absolute; left: .4rem; top: .5rem; bottom: .5rem; width: 2px; background: var(--line); }
.chain > li { position: relative; }
.chain > li::before { content: ""; position: absolute; left: calc(-1 * var(--5) + .1rem); top: .4rem; width: .7rem; height: .7rem; border-radius: 50%; background: var(--card); border: 2px solid var(--accent); }
.steps { counter-reset: step; list-style: none; margin: 0; padding: 0; display: grid; gap: var(--3); }
.steps li { display: flex; gap: var(--4); align-items: center; padding: var(--3) var(--4); border: 1px solid var(--line); border-radius: var(--round); background: var(--card); }
.steps .grow { flex: 1; }
.steps .done { color: var(--soft); }
.tick { display: grid; place-items: center; flex: none; width: 1.75rem; height: 1.75rem; border-radius: 50%; border: 2px solid var(--field); font-size: var(--small); font-weight: 600; }
.done .tick { border-color: var(--good); background: var(--good-tint); color: var(--good); }
code, .secret { font: .875em ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.secret { display: block; padding: var(--3); border: 1px dashed var(--accent); border-radius: var(--round-small); user-select: all; white-space: pre-wrap; }
.indented { padding-left: var(--5); border-left: 2px solid var(--line); }
form:not(:has([name=preset][value=own]:checked)) .indented { display: none; }
.toast { position: fixed; z-index: 6; left: 50%; translate: -50%; bottom: calc(5rem + env(safe-area-inset-bottom)); display: flex; gap: var(--4); align-items: center; width: max-content; max-width: calc(100vw - 2rem); padding: var(--2) var(--2) var(--2) var(--4); border: 1px solid var(--line); border-radius: var(--round); background: var(--card); box-shadow: var(--shadow); animation: toast .2s ease-out; }
.toast kbd { padding: 0 .35rem; border: 1px solid var(--line); border-radius: .25rem; background: var(--sunk); font: var(--small) ui-monospace, monospace; }
@keyframes toast { from { opacity: 0; transform: translateY(.75rem); } }
@media (hover: none) { .toast kbd { display: none; } }
@media (min-width: 900px) { .toast { bottom: var(--5); } }
.live { display: contents; }
.colours { display: grid; gap: var(--2); grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); }
.colour { display: flex; gap: var(--2); align-items: center; }
.colour [type=color] { width: 2.75rem; flex: none; padding: 3px; cursor: pointer; }
.colour [type=color]:has(+ :placeholder-shown)::-webkit-color-swatch { opacity: .2; }
[hidden] { display: none !important; }
.copyable { display: grid; gap: var(--2); justify-items: start; grid-template-columns: minmax(0, 1fr); }
.copyable > .secret { width: 100%; }
select.short { width: auto; min-width: 8rem; }
@media (max-width: 899px) { .list .grow { flex-basis: 11rem; } .list .grow.person { flex-basis: 100%; } }
dl, dd { margin: 0; }
details.more > summary { display: flex; align-items: center; gap: var(--3); min-height: var(--touch); cursor: pointer; font-weight: 600; list-style: none; }
details.more > summary::-webkit-details-marker { display: none; }
details.more > summary::before { content: ""; flex: none; width: .45rem; height: .45rem; margin-left: .1rem; border: solid var(--soft); border-width: 0 2px 2px 0; rotate: -45deg; }
details.more[open] > summary::before { rotate: 45deg; translate: 0 -.1rem; }
@media (max-width: 899px) {
  .card { padding: var(--4); }
  .only-wide { display: none; }
}
@media (min-width: 900px) { .only-phone { display: none; } }
@media (scripting: enabled) { [data-without-script] { display: none; } }
.htmx-request .while { visibility: visible; }
.while { visibility: hidden; }
progress { width: 100%; height: .5rem; accent-color: var(--accent); }
.links { display: flex; flex-wrap: wrap; gap: 0 var(--3); align-items: center; margin: 0; }
.links a { display: inline-flex; align-items: center; min-height: var(--touch); }
.changes { margin: 0; padding-left: var(--4); }
.narrow { max-width: 26rem; width: 100%; margin: 0 auto; }
main.narrow { max-width: 28rem; }
.maker { display: flex; align-items: center; gap: var(--3); font-weight: 600; letter-spacing: -.01em; }
@media (min-width: 900px) { main.narrow { padding-top: min(6rem, 10dvh); } }
.drop { border: 2px dashed var(--line); border-radius: var(--round); padding: var(--5); }
.dropping .drop { border-color: var(--accent); background: var(--accent-tint); }
`;
