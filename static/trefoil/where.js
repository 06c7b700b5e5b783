// Lets the reader unfold the line of the last move where it is cut: by a tap on it, or by the keys.

/** Makes lines that are cut focusable, which unfolds them above what lies below. */
export function letReadOn() {
  /** @type {NodeListOf<HTMLElement>} */
  const lines = document.querySelectorAll(".where:not([tabindex='0']:focus)");
  for (const line of lines) {
    const text = /** @type {HTMLElement} */ (line.firstElementChild);
    line.tabIndex = -1; // measured without the sign that it can be unfolded
    line.tabIndex = text.scrollHeight > text.clientHeight + 1 ? 0 : -1;
  }
}

letReadOn();
addEventListener("resize", letReadOn);
document.addEventListener("trefoil:updated", letReadOn);
