/** Styles of numbers: the chips, the charts, the tables of posts, the week's hours, the intervals. */
export const CHARTS_STYLE = `
.none { color: var(--soft); font-size: var(--small); font-weight: 400; }
.wide-table { position: relative; }
tr:last-child th[scope=row] { border-bottom: 0; }
th .soft { font-weight: 400; }
.insights-filters select { width: auto; max-width: 16rem; }
.dates > summary { margin: 0; font-weight: 600; color: inherit; }
.dates > summary[aria-current] { border-color: var(--accent); color: var(--accent); background: var(--accent-tint); }
.dates > .menu { padding: var(--4); margin-top: var(--1); }
.dates > .menu > button { justify-content: center; background: var(--accent); color: var(--on-accent); font-weight: 600; }
.dates > .menu > button:hover { background: color-mix(in oklab, var(--accent), var(--ink) 14%); }
.period { padding: 0; gap: 0; overflow: hidden; }
.period > .notice, .period > p { margin: var(--4) var(--5) 0; }
.kpis { display: grid; grid-template-columns: repeat(5, minmax(0, 1fr)); gap: 1px; background: var(--line); border-bottom: 1px solid var(--line); list-style: none; margin: 0; padding: 0; }
.kpis li { display: grid; background: var(--card); }
.kpi { display: grid; align-content: start; gap: 2px; padding: var(--3) var(--4); color: inherit; text-decoration: none; border-bottom: 3px solid transparent; }
.kpi > .small:first-child { color: var(--soft); }
.kpi:hover { background: var(--sunk); }
.kpi:focus-visible { outline-offset: -3px; }
.kpi[aria-current] { background: var(--accent-tint); border-color: var(--accent); }
.kpi[aria-current] > .small:first-child { color: var(--accent); font-weight: 600; }
.kpi b { font-size: var(--title); letter-spacing: -.02em; line-height: 1.25; font-variant-numeric: tabular-nums; font-weight: 600; }
.kpi b.none { font-size: var(--small); line-height: 1.875rem; letter-spacing: 0; font-weight: 400; }
.delta { white-space: nowrap; display: flex; align-items: center; gap: 2px; color: var(--soft); font-variant-numeric: tabular-nums; }
.delta.up { color: var(--good); }
.delta.down { color: var(--bad); }
.chart { margin: 0; display: grid; gap: var(--3); grid-template-columns: minmax(0, 1fr); }
.period .chart { padding: var(--4) var(--5) var(--3); }
.nothing { padding: var(--7) var(--5); justify-self: center; text-align: center; }
.readout { display: flex; flex-wrap: wrap; gap: var(--1) var(--4); color: var(--soft); min-height: 1.3rem; font-variant-numeric: tabular-nums; }
.readout b { color: var(--ink); font-weight: 600; }
.key { display: inline-flex; align-items: center; gap: var(--2); }
.key::before { content: ""; width: 1rem; border-top: 3px solid var(--accent); border-radius: 2px; }
.key.before::before { border-top: 2px dashed var(--field); border-radius: 0; }
.key.band::before { height: .7rem; border: 1px solid var(--field); background: var(--sunk); }
.key.ahead::before { border-top-color: var(--warn); }
.plot { position: relative; display: grid; grid-template-columns: 3rem minmax(0, 1fr); grid-template-rows: minmax(0, 1fr) auto; height: 16rem; padding-top: .5rem; gap: var(--1) var(--2); font-size: .75rem; color: var(--soft); font-variant-numeric: tabular-nums; }
.plot > svg { grid-area: 1 / 2; width: 100%; height: 100%; overflow: visible; }
.scale-y { grid-area: 1 / 1; display: flex; flex-direction: column; justify-content: space-between; text-align: right; line-height: 1; margin: -.375rem 0; }
.scale-x { grid-area: 2 / 2; display: flex; justify-content: space-between; }
.drawn > svg, .drawn > .scale-y, .drawn > .scale-x { display: none; }
.drawn { display: block; padding: 0; }
.line { fill: none; stroke: var(--accent); stroke-width: 2; vector-effect: non-scaling-stroke; stroke-linejoin: round; stroke-linecap: round; }
.area { fill: color-mix(in oklab, var(--accent), transparent 93%); }
.line.lone { stroke-width: 7; }
.line.before { stroke: var(--field); stroke-width: 1.5; stroke-dasharray: 4 4; }
.line.usual { stroke: var(--field); stroke-width: 1.5; }
.line.ahead { stroke: var(--warn); }
.dot { fill: var(--accent); stroke: var(--card); stroke-width: 2; }
.band { fill: var(--sunk); stroke: var(--field); stroke-width: .5; vector-effect: non-scaling-stroke; }
.grid-lines { stroke: var(--line); vector-effect: non-scaling-stroke; fill: none; }
.curve { width: 100%; max-width: 42rem; height: auto; }
.curve text { fill: var(--soft); font-size: 11px; font-variant-numeric: tabular-nums; }
.uplot { font: inherit; }
.plot .u-hz .u-cursor-x { border-color: var(--field); }
.tall { max-height: 22rem; overflow: auto; font-size: var(--small); }
.tall.tall th[scope=row] { font-size: var(--small); }
.tall th, .tall td { white-space: nowrap; padding-right: var(--3); }
.chart > .more { margin-bottom: calc(-1 * var(--3)); }
.tall thead th { position: sticky; top: 0; background: var(--card); box-shadow: 0 1px var(--line); }
.wide-table th[scope=row] { color: var(--ink); white-space: nowrap; font-size: var(--body); }
.posts th[scope=row] { font-weight: 400; white-space: normal; }
.posts { border-collapse: separate; border-spacing: 0; }
.posts th, .posts td { padding-right: var(--3); }
.posts td .none { display: inline-block; max-width: 4.5rem; line-height: 1.3; }
.post-cell { display: flex; gap: var(--3); align-items: center; width: 18rem; }
.post-cell .grow { flex: 1; min-width: 0; display: grid; grid-template-columns: minmax(0, 1fr); }
.post-cell .clip { color: var(--ink); font-weight: 600; text-decoration: none; line-height: 1.9; }
.post-cell .clip:hover { text-decoration: underline; }
.post-cell { position: relative; }
.post-cell .clip::after { content: ""; position: absolute; inset: 0; }
.reasons { margin: 0; padding-left: 1.1rem; }
.where { position: relative; padding: .65rem 0; margin: -.65rem 0; display: inline-flex; align-items: center; gap: 3px; min-height: 1.5rem; color: inherit; }
.sort { display: inline-flex; align-items: center; gap: 2px; min-height: var(--touch); color: inherit; text-decoration: none; white-space: nowrap; }
.sort:hover { color: var(--ink); text-decoration: underline; }
.sort[aria-current] { color: var(--ink); font-weight: 600; }
.card > .head > :first-child { flex: 1 1 14rem; }
.pager { justify-content: center; }
.heat { border-collapse: separate; border-spacing: 3px; table-layout: fixed; font-variant-numeric: tabular-nums; }
.heat th, .heat td { border: 0; padding: 0; text-align: center; font-size: var(--small); }
.heat th[scope=row] { width: 3.25rem; text-align: left; color: var(--soft); font-size: var(--small); }
.heat td { height: 2.5rem; border-radius: .375rem; background: color-mix(in oklab, var(--sunk), transparent 40%); line-height: 1.15; }
.heat .few { background: var(--sunk); }
.heat .as-usual { background: var(--sunk); box-shadow: inset 0 0 0 1px var(--line); }
.heat .more { background: color-mix(in oklab, var(--accent), var(--card) 82%); }
.heat .much-more { background: color-mix(in oklab, var(--accent), var(--card) 62%); }
.heat .less { background: color-mix(in oklab, var(--warn), var(--card) 84%); }
.heat .much-less { background: color-mix(in oklab, var(--warn), var(--card) 66%); }
.sign { display: block; font-size: .625rem; letter-spacing: -.05em; }
.effects th[scope=row] { color: var(--ink); font-size: var(--body); width: 12rem; overflow-wrap: anywhere; }
.effects th b, .effects th .small { display: block; }
.effects th b { font-weight: 600; }
.effects td:last-child, .effects th:last-child { width: 8.5rem; text-align: right; }
.ends { display: flex; justify-content: space-between; }
.interval { display: block; width: 100%; height: 1rem; }
.interval .zero { stroke: var(--field); stroke-dasharray: 2 2; vector-effect: non-scaling-stroke; }
.interval .range { fill: var(--field); opacity: .55; }
.interval .mid { fill: var(--ink); }
.interval.better .range { fill: var(--good); opacity: .8; }
.interval.worse .range { fill: var(--warn); opacity: .8; }
.small-figures { margin: 0; grid-template-columns: repeat(auto-fill, minmax(7rem, 1fr)); }
.small-figures dd { margin: 0; font-size: var(--large); font-weight: 600; font-variant-numeric: tabular-nums; }
dialog { color: inherit; margin: auto; width: min(26rem, calc(100vw - 2rem)); max-height: calc(100dvh - 2rem); }
dialog:not([open]) { display: none; }
dialog::backdrop { background: light-dark(#1e1c2266, #000a); }
.keys { margin: 0; display: grid; gap: var(--1); }
.keys > div { display: grid; grid-template-columns: 5rem 1fr; align-items: center; }
.keys dd { margin: 0; }
.keys dt { display: flex; gap: var(--1); }
kbd { font: 600 var(--small)/1.5 ui-monospace, Menlo, Consolas, monospace; min-width: 1.75rem; text-align: center; padding: 0 var(--2); border: 1px solid var(--line); border-bottom-width: 2px; border-radius: .375rem; background: var(--sunk); }
.rail footer button { justify-content: start; padding: 0; min-height: 2rem; font-weight: 400; color: inherit; }
.as-written { white-space: pre-line; unicode-bidi: plaintext; }
@media (max-width: 899px) {
  .dates { position: static; }
  .dates > .menu { left: 0; right: 0; top: 2.75rem; }
  .insights-filters { position: relative; }
  .kpis { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .period .chart { padding: 0 var(--4) var(--3); }
  .period > .notice, .period > p { margin-inline: var(--4); }
  .insights-filters { gap: var(--2); }
  .insights-filters .switch a { padding: 0 .6rem; }
  .insights-filters select { flex: 1 1 10rem; min-width: 0; max-width: none; }
  .insights-filters #platform { flex: 0 1 8.5rem; }
  .insights-filters form { gap: var(--2); }
  .kpi { grid-template-columns: 1fr auto; align-items: baseline; }
  .kpi > .small:first-child { grid-column: 1 / -1; }
  .readout { min-height: 2.75rem; align-content: end; }
  .insights-filters form { width: 100%; }
  .post-cell { width: 10.5rem; }
  .posts th[scope=row], .posts th:first-child { position: sticky; z-index: 1; left: 0; background: var(--card); }
  .post-cell .thumb { display: none; }
  .effects, .effects tbody, .effects tr, .effects th, .effects td { display: block; width: auto; padding: 0; border: 0; }
  .effects thead { display: none; }
  .effects tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: var(--1) var(--3); padding: var(--3) 0; border-bottom: 1px solid var(--line); }
  .effects tr > td:nth-child(2) { grid-row: 2; grid-column: 1 / -1; }
  .effects td:last-child { width: auto; }
}
@media (min-width: 900px) { .curve text { font-size: 8px; } }
`;
