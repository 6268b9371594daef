/** The icons: lines on a grid of 24, hidden from screen readers because a word always stands beside. */
import { raw } from "hono/html";

const PATHS = {
  today: "M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-6h4v6",
  calendar:
    "M5 5h14a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM4 10h16M8 3v4m8-4v4",
  create: "M12 4v4m0 8v4m8-8h-4m-8 0H4m2.5-5.5L9 9m6 6 2.5 2.5m0-11L15 9m-6 6-2.5 2.5",
  library: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.01",
  series: "M4 7h10m-3-3 3 3-3 3M20 17H10m3-3-3 3 3 3",
  insights: "M4 20h16M7 16v-4m5 4V5m5 11V9",
  settings: "M4 7h9m5 0h2M4 17h2m5 0h9M13 4.5v5m-7 5v5",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  check: "M5 12.5 10 17 19 7",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm0 4v4l3 2",
  dashed:
    "M12 4a8 8 0 0 1 4 1m3 3a8 8 0 0 1 1 4m-1 4a8 8 0 0 1-3 3m-4 1a8 8 0 0 1-4-1m-3-3a8 8 0 0 1-1-4m1-4a8 8 0 0 1 3-3",
  hand:
    "M12 8v5m0 3h.01M10.3 4.3 3 17a2 2 0 0 0 1.7 3h14.6a2 2 0 0 0 1.7-3L13.7 4.3a2 2 0 0 0-3.4 0z",
  alert: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm0 4v5m0 3h.01",
  send: "M4 12 20 4l-5 16-3-7zM12 13l8-9",
  globe: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM4 12h16M12 4c4 4 4 12 0 16-4-4-4-12 0-16",
  skip: "M5 6l8 6-8 6zM18 6v12",
  left: "M14 6l-6 6 6 6",
  right: "M10 6l6 6-6 6",
  down: "M6 10l6 6 6-6",
  up: "M6 14l6-6 6 6",
  outside: "M9 5H5v14h14v-4M13 5h6v6M19 5l-9 9",
  download: "M12 4v11m-4-4 4 4 4-4M5 20h14",
  plus: "M12 5v14M5 12h14",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM5 20c1-4 4-5 7-5s6 1 7 5",
  star: "M12 4l2.5 5 5.5.8-4 3.9.9 5.5-4.9-2.6-4.9 2.6.9-5.5-4-3.9 5.5-.8z",
  keyboard: "M4 7h16v10H4zM7.5 10h.01M12 10h.01M16.5 10h.01M8 14h8",
  key: "M15 4a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11.5 12.5 4 20m3-3 2 2",
  redo: "M19 12a7 7 0 1 1-2-5m2-3v4h-4",
  pencil: "M5 19l1-4L16 5l3 3L9 18z",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  out: "M14 5h5v14h-5M4 12h10m-4-4 4 4-4 4",
  pause: "M9 6v12m6-12v12",
  play: "M8 5l11 7-11 7z",
  bulb: "M9 18h6m-5 3h4M12 3a6 6 0 0 0-4 10c1 1 1 2 1 3h6c0-1 0-2 1-3a6 6 0 0 0-4-10",
} as const;
export type IconName = keyof typeof PATHS;

/** A calendar has hundreds of icons, so the text of each is written once and kept. */
const written = new Map<string, ReturnType<typeof raw>>();

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  const key = `${name} ${size}`;
  const icon = written.get(key) ?? raw(
    `<svg width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" ` +
      `stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">` +
      `<path d="${PATHS[name]}"></path></svg>`,
  );
  written.set(key, icon);
  return icon;
}
