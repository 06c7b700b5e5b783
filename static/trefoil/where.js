// Lets the reader unfold the line of the last move where it is cut: by a tap on it, or by the keys.

/** Makes lines that are cut focusable, which unfolds them above what lies below. */
export function letReadOn() {
  for (const line of document.querySelectorAll("#live .where")) {
    const text = /** @type {HTMLElement} */ (line.firstElementChild);
    /** @type {HTMLElement} */ (line).tabIndex = text.scrollHeight > text.clientHeight + 1 ? 0 : -1;
  }
}

letReadOn();
addEventListener("resize", letReadOn);
document.addEventListener("trefoil:updated", letReadOn);
