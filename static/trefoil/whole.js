// The first click into a number selects all of it, so that typing replaces it; the next one puts the caret.

/** @type {HTMLInputElement | null} */
let entered = null;

const numberIn = (/** @type {Event} */ event) =>
  /** @type {HTMLInputElement | null} */ (/** @type {Element} */ (event.target).closest("input[inputmode=numeric]"));

document.addEventListener("pointerdown", (event) => {
  const field = numberIn(event);
  entered = field === document.activeElement ? null : field;
});

// Only now: the browser puts the caret after the focus. Who has dragged over a part wants that part.
document.addEventListener("click", (event) => {
  const field = numberIn(event);
  if (field && field === entered && field.selectionStart === field.selectionEnd) field.select();
  entered = null;
});
