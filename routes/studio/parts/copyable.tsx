/** A text to copy: marked as a whole by one click, and with a button where there is a script. */
import { Icon } from "./icons.tsx";

export function Copyable({ text, what }: { text: string; what: string }) {
  return (
    <div class="copyable">
      <code class="secret">{text}</code>
      <button type="button" class="quiet" data-copies={text} hidden aria-label={`Copy ${what}`}>
        <Icon name="copy" />
        <span>Copy</span>
      </button>
    </div>
  );
}
