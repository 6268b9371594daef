/** A state as icon and word, and notices of all tones. */
import type { Child } from "hono/jsx";
import type { StateWords, Tone } from "../words.ts";
import { Icon, type IconName } from "./icons.tsx";

export function Chip({ state: { word, icon, tone } }: { state: StateWords }) {
  return (
    <span class={`chip ${tone}`}>
      <Icon name={icon} size={14} />
      {word}
    </span>
  );
}

const NOTICE_ICONS: Record<Tone, IconName> = {
  good: "check",
  warn: "hand",
  bad: "alert",
  accent: "bulb",
  calm: "bulb",
};

/** A sentence that stands out. */
export function Notice({ tone = "calm", children }: { tone?: Tone; children: Child }) {
  return (
    <div class={`notice ${tone}`} role={tone === "good" ? "status" : undefined}>
      <Icon name={NOTICE_ICONS[tone]} />
      <div>{children}</div>
    </div>
  );
}

/** What a page shows where there is nothing yet. */
export function Empty({ title, children }: { title: string; children: Child }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
