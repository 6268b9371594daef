/** Drags a post's card to another day of the calendar. Whoever can't drag has 'Move to…'. */
export const DRAG_SCRIPT = `"use strict";
(() => {
  let dragged = null;
  const dayOf = (event) => dragged && event.target.closest && event.target.closest("[data-day]");
  const mark = (day) => {
    for (const one of document.querySelectorAll(".day.over")) if (one !== day) one.classList.remove("over");
    if (day) day.classList.add("over");
  };
  document.addEventListener("dragstart", (event) => {
    const card = event.target.closest && event.target.closest("[data-moves]");
    if (!card) return;
    dragged = card;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setDragImage(card, 12, 12);
    card.classList.add("dragged");
  });
  document.addEventListener("dragover", (event) => {
    const day = dayOf(event);
    mark(day);
    if (!day) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "move";
  });
  document.addEventListener("drop", (event) => {
    const day = dayOf(event);
    const form = document.querySelector("form[data-drops]");
    if (!day || !form) return;
    event.preventDefault();
    if (day.contains(dragged)) return;
    form.action = dragged.dataset.moves;
    form.elements.scheduledFor.value = day.dataset.day + "T" + dragged.dataset.time;
    form.requestSubmit();
  });
  document.addEventListener("dragend", () => {
    if (dragged) dragged.classList.remove("dragged");
    dragged = null;
    mark(null);
  });
})();
`;
