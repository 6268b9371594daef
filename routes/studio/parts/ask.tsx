/** Asks on a page of Settings before something is taken away that nothing brings back. */
import { Settings } from "./settings_frame.tsx";
import type { Shown, Studio } from "../studio.ts";

interface AskProps {
  studio: Studio;
  shown: Shown;
  /** The tab to which it belongs. */
  tab: string;
  title: string;
  words: string;
  button: string;
  /** Path of the form. */
  action: string;
  /** Path of those who would rather not. */
  back: string;
}

export function Ask({ studio, shown, tab, title, words, button, action, back }: AskProps) {
  return (
    <Settings studio={studio} shown={shown} path={tab}>
      <div class="card">
        <h2>{title}</h2>
        <p>{words}</p>
        <form method="post" action={studio.at(action)} class="actions">
          <button class="danger sure">{button}</button>
          <a class="button plain" href={studio.at(back)}>Leave it as it is</a>
        </form>
      </div>
    </Settings>
  );
}
