// A click on a card of your hand adds it to the text field that you used last.
"use strict";

(() => {
  let line = null;

  const code = (card) => card.dataset.code;

  document.addEventListener("focusin", (event) => {
    if (event.target.matches("[data-cards]")) line = event.target;
  });

  // Typing into the fields of a move picks that move.
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-form]");
    const own = form && event.target.type !== "radio" ? form.querySelector("[data-own]") : null;
    if (own) own.click();
  });

  document.addEventListener("click", (event) => {
    const card = event.target.closest("[data-hand] .card");
    if (!card || !line || !document.contains(line)) return;
    line.value = `${line.value} ${code(card)}`.trim();
    line.dispatchEvent(new Event("input", { bubbles: true }));
  });
})();
