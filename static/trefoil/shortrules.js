// Closes the rules in short above the table: by their button, Escape, or a tap beside them, which does nothing else.

const rules = /** @type {HTMLDetailsElement | null} */ (document.querySelector("#live > .short-rules"));
const button = rules && rules.querySelector("button");

/** @param {Event} event */
function close(event) {
  if (!rules || !rules.open) return;
  event.preventDefault();
  event.stopPropagation();
  rules.open = false;
  /** @type {HTMLElement} */ (rules.querySelector("summary")).focus({ preventScroll: true });
}

if (rules && button) {
  button.hidden = false;
  button.addEventListener("click", close);
  addEventListener("keydown", (event) => { if (event.key === "Escape") close(event); }, true);
  addEventListener("click", (event) => { if (!rules.contains(/** @type {Node} */ (event.target))) close(event); }, true);
}

export {};
