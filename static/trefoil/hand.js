// A click on a card of your hand adds it to the text field that you used last.
/** @type {HTMLInputElement | null} */
let line = null;

const code = (/** @type {HTMLElement} */ card) => card.dataset.code;

document.addEventListener("focusin", (event) => {
  if (event.target instanceof HTMLInputElement && event.target.matches("[data-cards]")) line = event.target;
});

// Typing into the fields of a move picks that move.
document.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  const form = field.closest("form[data-form]");
  const own = form && field.type !== "radio" ? form.querySelector("[data-own]") : null;
  if (own) own.click();
});

document.addEventListener("click", (event) => {
  const card = /** @type {Element} */ (event.target).closest("[data-hand] .card");
  if (!card || !line || !document.contains(line)) return;
  line.value = `${line.value} ${code(card)}`.trim();
  line.dispatchEvent(new Event("input", { bubbles: true }));
});
