/** The dialog that lists all keyboard shortcuts; a script opens it. */

interface KeysProps {
  /** Where `g` and a key lead. */
  places: readonly { key: string; word: string }[];
}

export function KeysDialog({ places }: KeysProps) {
  const row = (keys: string[], words: string) => (
    <div>
      <dt>{keys.map((key) => <kbd>{key}</kbd>)}</dt>
      <dd>{words}</dd>
    </div>
  );
  return (
    <dialog id="shortcuts" class="card" aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">Keyboard shortcuts</h2>
      <dl class="keys">
        {places.map(({ key, word }) => row(["g", key], word))}
        {row(["n"], "New post")}
        {row(["j"], "The next post")}
        {row(["k"], "The post before")}
        {row(["a"], "Approve the post")}
        {row(["s"], "Skip the post")}
        {row(["u"], "Undo a skip, for 8 seconds")}
        {row(["m"], "Move the post")}
        {row(["←", "→"], "Day by day, in the calendar and in a chart")}
        {row(["↑", "↓"], "Week by week, in the calendar")}
        {row(["Esc"], "Close menus")}
        {row(["?"], "This list")}
      </dl>
      <form method="dialog">
        <button class="quiet">Close</button>
      </form>
    </dialog>
  );
}
