// Closes what pops up above the table: by its button, Escape, or a tap beside it, which does nothing else.

const opened = () => /** @type {HTMLDetailsElement | null} */ (document.querySelector("#live .pop-up[open]"));

/** @param {Event} event @param {HTMLDetailsElement} popUp */
function close(event, popUp) {
  event.preventDefault();
  event.stopPropagation();
  popUp.open = false;
  /** @type {HTMLElement} */ (popUp.querySelector("summary")).focus({ preventScroll: true });
}

addEventListener("keydown", (event) => {
  const popUp = opened();
  if (popUp && event.key === "Escape") close(event, popUp);
}, true);

addEventListener("click", (event) => {
  const [popUp, target] = [opened(), /** @type {Element} */ (event.target)];
  // A link leads to a part of the page that it would cover.
  if (popUp && popUp.contains(target) && target.closest("a[href^='#']")) popUp.open = false;
  else if (popUp && (!popUp.contains(target) || target.closest(".pop-up > div > button:first-child"))) close(event, popUp);
}, true);

export {};
