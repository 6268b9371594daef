/** Draws the charts of Insights from their tables, so that days can be pointed at or walked by keys. */
export const CHART_SCRIPT = `"use strict";
(() => {
  const drawn = new Map();
  const assets = document.currentScript.src.replace("chart.js", "");
  const number = new Intl.NumberFormat("en-US");
  const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
  const day = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });
  const tick = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
  const percent = (value) => (value * 100).toFixed(2) + "%";

  /** The table's columns: the days, then each one's values. */
  const read = (table) => {
    const rows = [...table.tBodies[0].rows];
    const days = rows.map((row) => Date.parse(row.dataset.day) / 1000);
    const heads = [...table.querySelectorAll("th[data-kind]")];
    const columns = heads.map((head, at) => ({
      kind: head.dataset.kind,
      word: head.textContent,
      values: rows.map((row) => {
        const value = row.querySelectorAll("td")[at].dataset.v;
        return value === "" ? null : Number(value);
      }),
    }));
    // What it is compared with is drawn first, so that it lies behind.
    return { days, columns: columns.toSorted((a, b) => (a.kind === "now") - (b.kind === "now")) };
  };

  /** A colour as the page computes it, because a canvas knows no variables. */
  const colour = (box, variable) => {
    const probe = document.createElement("i");
    probe.style.color = "var(" + variable + ")";
    box.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };

  const draw = (figure) => {
    const { days, columns } = read(figure.querySelector("table"));
    const plot = figure.querySelector(".plot");
    const readout = figure.querySelector(".readout");
    const keys = figure.dataset.keys ??= readout.innerHTML;
    if (days.length < 2) return;
    const rate = figure.dataset.chart === "engagementRate";
    const full = (value) => value === null ? "not reported" : rate ? percent(value) : number.format(value);
    const accent = colour(plot, "--accent"), soft = colour(plot, "--soft"), line = colour(plot, "--line");
    const field = colour(plot, "--field"), sunk = colour(plot, "--sunk");
    const look = {
      now: { stroke: accent, width: 2, fill: accent.replace("rgb(", "rgba(").replace(")", ", .07)") },
      before: { stroke: field, width: 1.5, dash: [4, 4] },
      low: { stroke: field, width: .5 },
      high: { stroke: field, width: .5 },
    };
    // A value between two days without one is no line, so it is drawn as a point.
    const alone = ({ data }, place) => data[place].flatMap((value, day, all) =>
      value != null && all[day - 1] == null && all[day + 1] == null ? [day] : []);
    const series = columns.map(({ kind, word }) => ({ label: word, spanGaps: false, points: { show: false, size: 7, filter: alone }, ...look[kind] }));
    const at = (kind) => columns.findIndex((column) => column.kind === kind) + 1;
    const font = "12px " + getComputedStyle(plot).fontFamily;
    const axis = { stroke: soft, font, ticks: { show: false } };
    const say = (place) => {
      if (place == null) return void (readout.innerHTML = keys);
      readout.replaceChildren(...[day.format(days[place] * 1000), ...columns.toReversed().map(({ word, values }) => [word, full(values[place])])]
        .map((one) => {
          const span = document.createElement("span");
          if (typeof one === "string") return span.textContent = one, span;
          const value = document.createElement("b");
          value.textContent = one[1];
          span.append(one[0] + " ", value);
          return span;
        }));
    };
    // As the server has drawn it, so that nothing moves under the pointer.
    const low = Number(figure.dataset.low), top = Number(figure.dataset.top);
    const size = () => ({ width: plot.clientWidth, height: 256 });
    const chart = new uPlot({
      ...size(),
      legend: { show: false },
      padding: [8, 1, 0, 0],
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 9 } },
      scales: { y: { range: () => [low, top] } },
      series: [{}, ...series],
      bands: at("low") > 0 ? [{ series: [at("high"), at("low")], fill: sunk }] : [],
      axes: [
        { ...axis, grid: { show: false }, size: 22, gap: 6, space: 70, incrs: [1, 2, 7, 14, 28, 91, 182, 365].map((n) => n * 86400), values: (_, splits) => splits.map((one) => tick.format(one * 1000)) },
        { ...axis, grid: { stroke: line, width: 1 }, size: 56, gap: 8, splits: () => [low, (low + top) / 2, top], values: (_, splits) => splits.map((one) => rate ? percent(one) : compact.format(one)) },
      ],
      tzDate: (at) => uPlot.tzDate(new Date(at * 1000), "UTC"),
      hooks: { setCursor: [({ cursor }) => say(cursor.idx)] },
    }, [days, ...columns.map(({ values }) => values)], plot);
    plot.classList.add("drawn");
    let place = null;
    const go = (next) => {
      place = Math.max(0, Math.min(days.length - 1, next));
      chart.setCursor({ left: chart.valToPos(days[place], "x"), top: 0 });
    };
    const onKey = (event) => {
      const from = place ?? days.length;
      const next = { ArrowLeft: from - 1, ArrowRight: place === null ? 0 : place + 1, Home: 0, End: days.length - 1 }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      go(next);
    };
    const onBlur = () => {
      place = null;
      chart.setCursor({ left: -10, top: -10 });
    };
    plot.addEventListener("keydown", onKey);
    plot.addEventListener("blur", onBlur);
    const watch = new ResizeObserver(() => {
      if (plot.clientWidth > 0 && plot.clientWidth !== chart.width) chart.setSize(size());
    });
    watch.observe(plot);
    const end = () => {
      watch.disconnect();
      plot.removeEventListener("keydown", onKey);
      plot.removeEventListener("blur", onBlur);
      plot.classList.remove("drawn");
      chart.destroy();
    };
    drawn.set(figure, { chart, end });
  };

  const added = (name, part) => new Promise((done, failed) => {
    Object.assign(part, name.endsWith(".css") ? { rel: "stylesheet", href: assets + name } : { src: assets + name });
    part.onload = done;
    part.onerror = failed;
    document.head.append(part);
  });
  // The library keeps a phone busy for a while, and the server has drawn the line already. So it is
  // loaded for the first who points at a chart. A canvas keeps the letters with which it was drawn.
  let loading = null;
  const load = () => loading ??= Promise.all([
    added("uplot.js", document.createElement("script")),
    added("uplot.css", document.createElement("link")),
    document.fonts.ready,
  ]);
  const drawAll = () => {
    for (const figure of document.querySelectorAll("[data-chart]")) {
      figure.querySelector(".plot").tabIndex = 0;
    }
    if (!window.uPlot) return;
    for (const [figure, { end }] of drawn) {
      if (!figure.isConnected) end(), drawn.delete(figure);
    }
    for (const figure of document.querySelectorAll("[data-chart]")) {
      if (!drawn.has(figure)) draw(figure);
    }
  };
  const wake = async ({ target, clientX }) => {
    const figure = target.closest("[data-chart]");
    if (!figure || drawn.has(figure)) return;
    // Where the library can't be loaded, the line that the server drew stays.
    await load().then(drawAll, () => loading = null);
    const chart = drawn.get(figure)?.chart;
    if (clientX !== undefined) chart?.setCursor({ left: clientX - chart.over.getBoundingClientRect().left, top: 0 });
  };
  document.addEventListener("pointerover", wake);
  document.addEventListener("focusin", wake);
  document.addEventListener("htmx:load", drawAll);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const { end } of drawn.values()) end();
    drawn.clear();
    drawAll();
  });
  drawAll();
})();
`;
