// Buttons that copy the text of a field; where the browser does not let them, the text is selected.

// The clipboard is for secure pages alone: on plain HTTP the selected text is copied as by the keyboard.
const copy = (/** @type {HTMLButtonElement} */ button) => {
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy || ""));
  const done = () => { button.textContent = button.dataset.copied || ""; };
  const select = () => {
    field.select();
    if (document.execCommand("copy")) done();
  };
  if (navigator.clipboard && window.isSecureContext) navigator.clipboard.writeText(field.value).then(done, select);
  else select();
};

const show = () => {
  /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-copy]")).forEach((button) => { button.hidden = false; });
};

document.addEventListener("click", (event) => {
  const button = /** @type {Element} */ (event.target).closest("[data-copy]");
  if (button instanceof HTMLButtonElement) copy(button);
});
addEventListener("DOMContentLoaded", show);
document.addEventListener("trefoil:refreshed", show);
