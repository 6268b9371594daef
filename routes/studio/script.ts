/** Studio's own script. Each page works without it; it counts, previews, uploads and takes keys. */
import { SKIP_SCRIPT } from "./skip_script.ts";

export const SCRIPT = `"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const count = (area) => {
    const shown = document.querySelector('[data-counts="' + area.name + '"]');
    if (shown) shown.textContent = [...area.value].length + " / " + area.maxLength;
  };
  // The text as it is published: the caption, and its hashtags below.
  const measure = (form) => {
    const tags = form.elements.hashtags.value.split(/[\\s,#]+/).filter(Boolean);
    const text = [form.elements.caption.value, tags.map((tag) => "#" + tag).join(" ")];
    const length = [...text.filter(Boolean).join("\\n\\n")].length;
    for (const out of all("[data-limit]", form)) {
      out.textContent = length + " / " + out.dataset.limit;
      out.classList.toggle("over", length > Number(out.dataset.limit));
    }
  };
  document.addEventListener("input", (event) => {
    if (event.target.matches("textarea")) count(event.target);
    if (event.target.matches("#caption, #hashtags") && document.querySelector("#lengths")) measure(event.target.form);
    const chosen = event.target.closest("[data-chosen]");
    if (chosen) choose(chosen);
  });

  // The bar that acts on chosen posts says how many they are.
  const choose = (form) => {
    const n = all("input[name=ids]:checked", form).length;
    for (const out of all("[data-chosen-count]", form)) out.textContent = n + " chosen";
  };
  all("[data-chosen]").forEach(choose);

  // Uploads show how far they are.
  document.addEventListener("htmx:xhr:progress", (event) => {
    const bar = event.target.querySelector("progress");
    if (!bar || !event.detail.lengthComputable) return;
    bar.hidden = false;
    bar.max = event.detail.total;
    bar.value = event.detail.loaded;
    const words = bar.parentElement.querySelector("output");
    if (words) words.textContent = Math.round(100 * bar.value / bar.max) + " % sent";
  });
  // Looked up each time: an upload brings a new page without loading this script again.
  const drop = (event) => {
    const files = document.querySelector("input[type=file][data-drop]");
    if (!files || !event.dataTransfer || !event.dataTransfer.types.includes("Files")) return null;
    event.preventDefault();
    return files;
  };
  const over = (on) => document.body.classList.toggle("dropping", on);
  document.addEventListener("dragover", (event) => { if (drop(event)) over(true); });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) over(false); });
  document.addEventListener("drop", (event) => {
    const files = drop(event);
    over(false);
    if (!files || event.dataTransfer.files.length === 0) return;
    files.files = event.dataTransfer.files;
    files.form.requestSubmit();
  });
  // A refused upload answers with the page that says why.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, elt } = event.detail;
    if (!elt.querySelector("[data-drop]") || !(xhr.getResponseHeader("content-type") || "").startsWith("text/html")) return;
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  });

  // Colours are picked, and can be typed as well.
  const HEX = /^#[0-9a-f]{6}$/i;
  all("[data-picks]").forEach((picker) => {
    const field = document.getElementById(picker.dataset.picks);
    picker.hidden = false;
    picker.addEventListener("input", () => { field.value = picker.value; });
    field.addEventListener("input", () => { if (HEX.test(field.value)) picker.value = field.value; });
  });

  const tab = document.querySelector(".tabs [aria-current]");
  if (tab) tab.parentElement.scrollLeft = tab.offsetLeft - (tab.parentElement.clientWidth - tab.offsetWidth) / 2;

  // A page that follows the posts is told of a change, fetches itself and takes over what differs.
  const main = document.querySelector("main[data-follows]");
  const within = (part) => all("[data-card]", part);
  const linkIn = (part) => part.matches("a") ? part
    : part.querySelector(".entry:not([hidden]) a.open, a.entry") ?? part.querySelector("a.add, .grow a") ?? part.querySelector("a");
  const renew = (old, fresh) => {
    const hadFocus = old.contains(document.activeElement);
    const focused = hadFocus ? document.activeElement.closest("[data-card], .day")?.id : undefined;
    const chosen = all("input:checked", old).map((box) => box.value);
    old.replaceWith(fresh);
    for (const box of all("input[type=checkbox]", fresh)) box.checked = chosen.includes(box.value);
    const card = focused ? document.getElementById(focused) : null;
    if (hadFocus) (card ? linkIn(card) : main).focus();
    window.htmx?.process(fresh);
  };
  // A card that has moved to another day is not where it was, though its neighbours are the same.
  const spotOf = (card) => card.parentElement.id + " " + card.id;
  const compare = (part, fresh) => {
    const [before, after] = [within(part), within(fresh)];
    const isSame = before.length > 0 && before.length === after.length &&
      before.every((card, n) => spotOf(card) === spotOf(after[n]));
    if (isSame) {
      before.forEach((card, n) => {
        if (card.dataset.card !== after[n].dataset.card) renew(card, after[n]);
      });
    } else if (part.outerHTML !== fresh.outerHTML) renew(part, fresh);
  };
  const takeOver = (text) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    for (const part of all("[data-live]")) {
      const fresh = page.getElementById(part.id);
      if (fresh) compare(part, fresh);
    }
    all("[data-chosen]").forEach(choose);
    all("[data-without-script]").forEach((part) => part.remove());
    if (waiting) hide(waiting, true);
  };
  const look = async () => {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
    if (answer?.ok) takeOver(await answer.text());
  };
  let stream = null;
  const follow = () => {
    if (!main || stream || document.hidden) return;
    const since = encodeURIComponent(main.dataset.version);
    stream = new EventSource(main.dataset.follows + "?since=" + since);
    stream.addEventListener("posts", (event) => {
      main.dataset.version = event.data;
      look();
    });
  };
  // A page that is not seen may be ended without notice.
  const rest = () => { stream?.close(); stream = null; tellSkip(); };
  document.addEventListener("visibilitychange", () => document.hidden ? rest() : follow());
  addEventListener("pagehide", rest);
  addEventListener("pageshow", follow);

${SKIP_SCRIPT}  follow();

  // Some buttons appear once there is something to save.
  all("[data-when-changed]").forEach((button) => {
    button.hidden = true;
    button.form.addEventListener("change", () => { button.hidden = false; });
  });

  // Texts to copy, such as a link or a key.
  all("[data-copies]").forEach((button) => {
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      const word = button.querySelector("span");
      await navigator.clipboard.writeText(button.dataset.copies);
      word.textContent = "Copied";
      setTimeout(() => word.textContent = "Copy", 2000);
    });
  });

  // Open menus close with Escape and with a click elsewhere.
  const close = (except) => all("details.brand[open], .bar details[open]").forEach((menu) => {
    if (menu !== except) menu.open = false;
  });
  document.addEventListener("click", (event) => close(event.target.closest("details")));

  // Looked up each time: going back brings a new page without loading this script again.
  const showKeys = () => {
    const dialog = document.querySelector("#shortcuts");
    if (dialog && !dialog.open) dialog.showModal();
  };
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-opens=shortcuts]")) showKeys();
    if (event.target.matches("dialog")) event.target.close();
  });

  const place = (key) => document.querySelector('.rail nav a[data-key="' + key + '"]');
  // Approves, skips or moves the post of the page, or the one whose card has the focus.
  const act = (key) => {
    const card = document.activeElement?.closest("[data-card]");
    const button = (card ?? document.querySelector("main .head"))?.querySelector('[data-key="' + key + '"]');
    if (button) return void button.click();
    const box = card?.querySelector("[name=ids]");
    const verb = box?.form.querySelector('[name=verb][value="' + { a: "approve", s: "skip" }[key] + '"]');
    if (!verb) return;
    for (const other of all("[name=ids]", box.form)) other.checked = other === box;
    verb.click();
  };
  const isSeen = (part) => part.checkVisibility();
  const cards = () => all("a.tile, .entry a.open, a.entry, .list .grow a, .posts a.clip").filter(isSeen);
  const nth = (links) => {
    const focused = document.activeElement;
    const card = focused?.closest("[data-card]");
    return links.findIndex((link) => link === focused || card?.contains(link));
  };

  // Who steers by keyboard goes on from where they were when a link or a filter brings the page again.
  const STAYS = "marquee-stays";
  const stay = (id) => { if (id) sessionStorage.setItem(STAYS, id); };
  const stayed = sessionStorage.getItem(STAYS);
  sessionStorage.removeItem(STAYS);
  if (stayed) document.getElementById(stayed)?.focus();
  document.addEventListener("click", (event) => {
    if (event.detail === 0) stay(event.target.closest("a[data-stays]")?.id);
  });

  let afterG = -Infinity;
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return close(null);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([name=ids]), textarea, select, dialog")) return;
    if (event.key === "?") return void showKeys();
    if (event.key === "g") return void (afterG = event.timeStamp);
    const isSecond = event.timeStamp - afterG < 1500;
    if (event.key === "n" || (isSecond && /^[a-z]$/.test(event.key))) {
      const link = place(event.key);
      if (link) return void (location.href = link.href);
    }
    if (/^[asm]$/.test(event.key)) return act(event.key);
    if (event.key === "u" && waiting) return undoSkip();
    const day = document.activeElement?.closest(".day");
    const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
    if (day && days) {
      event.preventDefault();
      const shown = all(".day");
      const to = shown[shown.indexOf(day) + days];
      return void (to && linkIn(to).focus());
    }
    const step = { j: 1, k: -1 }[event.key];
    if (!step) return;
    const links = cards();
    (links[nth(links) + step] ?? (links.length === 0 ? document.querySelector(".day.today a") : null))?.focus();
  });

  // With a script, a menu that applies itself needs no button.
  document.addEventListener("change", (event) => {
    if (!event.target.closest("[data-submits]")) return;
    stay(event.target.id);
    event.target.form.requestSubmit();
  });
  // Only within what was added: a calendar takes in sixty pieces, and searching it all for each is slow.
  const bare = (within) => {
    all("[data-without-script]", within).forEach((part) => part.remove());
    all("[data-opens]", within).forEach((button) => button.hidden = false);
  };
  document.addEventListener("htmx:load", ({ target }) => bare(target.parentElement ?? document));
  bare(document);
})();
`;
