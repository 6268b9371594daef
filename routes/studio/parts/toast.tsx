/** Tells of what was done a moment ago, with the way back. A script fills it; it is announced. */
export function Toast() {
  return (
    <div role="status" data-toast>
      <div class="toast" hidden>
        <span></span>
        <button class="quiet" type="button" aria-keyshortcuts="u" data-undo>
          Undo
          <kbd>U</kbd>
        </button>
      </div>
    </div>
  );
}
