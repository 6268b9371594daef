/**
 * The part of Studio's own script by which a skip can be undone. It runs within `script.ts`, whose
 * `all`, `cards`, `isSeen`, `linkIn`, `choose` and `takeOver` it uses.
 */
export const SKIP_SCRIPT =
  `  // What was done a moment ago is said at the bottom of the page, for some seconds.
  const SOME_SECONDS = 8000;
  let quiet = 0;
  const say = (words, canUndo = false) => {
    const box = document.querySelector(".toast");
    const undo = box.querySelector("[data-undo]");
    const hadFocus = box.contains(document.activeElement);
    clearTimeout(quiet);
    if (words && !canUndo) quiet = setTimeout(() => say(""), SOME_SECONDS);
    box.querySelector("span").textContent = words;
    undo.hidden = !canUndo;
    box.hidden = !words;
    if (hadFocus && !canUndo) (cards()[0] ?? document.querySelector("main")).focus();
  };

  // A post that is skipped is hidden at once. The service is told later, because nothing brings the
  // post back: after some seconds, when the page is left, or when the next post is skipped.
  let waiting = null;
  const partsOf = ({ ids }) => ids.length === 0 ? all("main .head .actions")
    : all("[data-card]").filter((card) => ids.some((id) => card.id.endsWith("-" + id)));
  const hide = (skip, on) => partsOf(skip).forEach((part) => { part.hidden = on; });
  const stopSkip = () => {
    const skip = waiting;
    waiting = null;
    clearTimeout(skip?.timer);
    return skip;
  };
  const tellSkip = async () => {
    const skip = stopSkip();
    if (!skip) return;
    say("");
    const { action, body, ids } = skip;
    const answer = await fetch(action, { method: "POST", body, keepalive: true }).catch(() => null);
    const refused = answer && new URL(answer.url).searchParams.get("refused");
    if (answer?.ok && ids.length === 0) return void location.replace(answer.url);
    hide(skip, false);
    if (answer?.ok) takeOver(await answer.text());
    if (!answer?.ok || refused) say("Not skipped. " + (refused || "Load the page again and try once more."));
  };
  const countDown = () => {
    clearTimeout(waiting.timer);
    waiting.timer = setTimeout(tellSkip, SOME_SECONDS);
  };
  const skipLater = (action, body, ids) => {
    tellSkip();
    waiting = { action, body, ids };
    const parts = partsOf(waiting);
    const links = cards();
    const at = links.findIndex((link) => parts.some((part) => part.contains(link)));
    hide(waiting, true);
    say(ids.length > 1 ? ids.length + " posts skipped." : "Skipped.", true);
    countDown();
    const left = links.slice(at).concat(links.slice(0, Math.max(at, 0)).reverse()).find(isSeen);
    (left ?? document.querySelector("[data-undo]")).focus();
  };
  const undoSkip = () => {
    const skip = stopSkip();
    hide(skip, false);
    say("Not skipped.");
    const back = document.querySelector("a[data-skips]") ?? partsOf(skip).find(isSeen);
    (back ? linkIn(back) : document.querySelector("main")).focus();
  };
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (!form.matches("[data-chosen]") || submitter?.value !== "skip") return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form));
    body.set("verb", "skip");
    body.set("sure", "yes");
    for (const box of all("[name=ids]", form)) box.checked = false;
    choose(form);
    skipLater(form.action, body, body.getAll("ids"));
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-skips]");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      skipLater(link.href, new URLSearchParams(), []);
    }
    if (waiting && event.target.closest("[data-undo]")) undoSkip();
  });
  // Who points at the way back, or has come to it by keyboard, has time.
  const inToast = (name, act) => document.addEventListener(name, (event) => {
    if (waiting && event.target.closest?.(".toast")) act();
  });
  inToast("pointerover", () => clearTimeout(waiting.timer));
  inToast("pointerout", countDown);
  inToast("focusin", countDown);
`;
