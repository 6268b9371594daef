/** Styles of steering posts: the calendar, the bar of the chosen, zones and lengths on a post's page. */
import { STORY_SAFE } from "../../domain/media/images/aspect.ts";

const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** Up to so many lines a day of the list has its own height. */
const MOST_LINES = 20;

/**
 * A day of the list is laid out only when it comes near the screen, because a month of many posts keeps
 * a phone busy. Until then it is as high as so many lines are at most, so that no two days overlap.
 */
const DAY_HEIGHTS = Array.from({ length: MOST_LINES }, (_, before) => {
  const lines = before + 1;
  const height = `calc(5rem + ${lines} * var(--most-line))`;
  return `.days > section:has(> .list > :nth-child(${lines})) { contain-intrinsic-block-size: auto ${height}; }`;
}).join("\n");

export const CALENDAR_STYLE = `
.month { display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); border: 1px solid var(--line); border-radius: var(--round); overflow: hidden; background: var(--line); gap: 1px; }
.month > .day-name { background: var(--card); padding: var(--2); font-size: var(--small); color: var(--soft); text-align: center; }
.day { background: var(--card); min-height: 8rem; padding: var(--2); display: flex; flex-direction: column; gap: var(--1); min-width: 0; }
.likely-day { display: grid; gap: var(--1); grid-template-columns: minmax(0, 1fr); }
.likely-day:empty { display: none; }
.add { flex: 1; display: flex; align-items: center; justify-content: center; gap: var(--1); min-height: var(--touch); border-radius: .375rem; color: var(--soft); font-size: var(--small); text-decoration: none; }
.add > span { display: none; }
.add:hover, .add:focus-visible { background: var(--accent-tint); color: var(--accent); }
.add:hover > span, .add:focus-visible > span { display: inline; }
.near { display: flex; gap: .2rem; align-items: center; min-width: 0; color: var(--warn); font-weight: 600; }
.entry .near { grid-column: 1 / -1; margin: -.1rem 0 .1rem; }
.days .list > li > .button { margin-left: auto; }
.list .near { flex: none; padding: .1rem .5rem; border-radius: 1rem; background: var(--warn-tint); font-size: var(--small); }
.days { --most-line: 10.5rem; }
.days > section { content-visibility: auto; }
${DAY_HEIGHTS}
.days > section:not(:has(li:not([hidden]))), .days:has(li:not([hidden])) + .empty { display: none; }
.free { padding: var(--2) var(--2) var(--2) var(--4); border: 1px dashed var(--line); border-radius: var(--round); }
div.free, .free > summary { display: flex; align-items: center; justify-content: space-between; gap: var(--3); list-style: none; }
.free > summary { cursor: pointer; }
.free > summary::-webkit-details-marker { display: none; }
.free h2 { font-size: var(--body); }
.free small { font-weight: 400; letter-spacing: 0; }
.free-days { display: grid; gap: var(--2); grid-template-columns: repeat(auto-fill, minmax(4.5rem, 1fr)); padding: var(--3) 0 var(--2); }
.free-days > a { padding: 0; }
.days:not(:has(li:not([hidden]))) > .free { display: none; }
.day.outside { background: var(--paper); }
.day.over { background: var(--accent-tint); box-shadow: inset 0 0 0 2px var(--accent); }
.day-top { display: flex; align-items: center; justify-content: space-between; gap: var(--1); }
.day-top > a:first-child { display: grid; place-items: center; min-width: 1.75rem; min-height: 1.75rem; border-radius: 50%; color: var(--soft); text-decoration: none; font-size: var(--small); font-variant-numeric: tabular-nums; }
.day-top > a:first-child:hover { background: var(--sunk); }
.day.today .day-top > a:first-child { background: var(--accent); color: var(--on-accent); font-weight: 600; }
.credits-end { text-decoration: none; min-width: 0; min-height: 1.5rem; }
.day .credits-end { font-size: .75rem; padding: .1rem .4rem; border-radius: .375rem; }
.entry { position: relative; border-radius: .375rem; font-size: .75rem; line-height: 1.25; border: 1px solid var(--line); background: var(--card); color: inherit; }
.entry .open, a.entry { display: grid; grid-template-columns: 1.75rem minmax(0, 1fr); gap: var(--2); align-items: center; padding: 3px; color: inherit; text-decoration: none; }
.entry[draggable] { cursor: grab; }
.entry.dragged { opacity: .5; }
.entry:hover, .entry:has(:checked) { background: var(--sunk); }
.entry:has(:checked) { border-color: var(--accent); }
.entry .thumb { width: 1.75rem; height: 2.1rem; border-radius: .25rem; }
.entry.skipped .open { opacity: .75; text-decoration: line-through; }
.entry .state { display: flex; gap: .2rem; align-items: center; }
.entry .pick, .entry .to { position: absolute; display: grid; place-items: center; opacity: 0; cursor: pointer; }
.entry .pick { left: 3px; top: 3px; width: 1.75rem; height: 2.1rem; border-radius: .25rem; background: color-mix(in oklab, var(--card), transparent 25%); }
.entry .to { right: 3px; top: 50%; width: 1.75rem; height: 1.75rem; margin-top: -.875rem; border-radius: .375rem; background: var(--card); color: var(--ink); border: 1px solid var(--line); }
.entry:hover .pick, .entry:hover .to, .entry .pick:focus-within, .entry .to:focus-visible, [data-chosen]:has([name=ids]:checked) .pick { opacity: 1; }
@media (hover: none) { .entry .pick, .entry .to { opacity: 1; } }
.likely, .likely a, .entry.likely { color: var(--soft); }
.entry.likely { border-style: dashed; background: none; }
.entry.likely:hover { background: var(--sunk); }
.likely .thumb { background: none; }
.list > .likely { padding-left: calc(1.15rem + var(--4)); }
.week .day { min-height: 22rem; }
.chosen { display: none; position: sticky; bottom: calc(4.5rem + env(safe-area-inset-bottom)); z-index: 3; flex-wrap: wrap; gap: var(--2) var(--3); align-items: center; justify-self: center; max-width: 100%; padding: var(--2) var(--2) var(--2) var(--4); border: 1px solid var(--line); border-radius: var(--round); background: var(--card); box-shadow: var(--shadow); }
form:has([name=ids]:checked) > .chosen { display: flex; }
.chosen select { width: auto; }
@media (min-width: 900px) { .chosen { bottom: var(--4); } .days { --most-line: 6rem; } }
.zones:has(.shows-zones:checked) .picture::before, .zones:has(.shows-zones:checked) .picture::after { content: ""; position: absolute; inset: 0 0 auto; height: ${
  percent(STORY_SAFE.top)
}; background: repeating-linear-gradient(45deg, #b0251d99 0 6px, #ffffff66 6px 12px); }
.zones:has(.shows-zones:checked) .picture::after { inset: auto 0 0; height: ${
  percent(STORY_SAFE.bottom)
}; }
.lengths output { font-variant-numeric: tabular-nums; }
.lengths .over { color: var(--bad); font-weight: 600; }
@media (max-width: 899px) {
  .month { display: none; }
  .steer, .steer > .filters { display: grid; gap: var(--2); }
  .steer > * { grid-auto-columns: minmax(0, 1fr); grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .steer > .switch { display: grid; justify-self: stretch; }
  .steer > .switch a { justify-content: center; }
  .steer select { width: 100%; max-width: none; padding: 0 var(--2); font-size: var(--small); text-overflow: ellipsis; }
  .steer > .filters > :not(select) { grid-column: 1 / -1; }
}
`;
