// A file that is too big is refused before it is sent, so that the form keeps what was typed.
"use strict";

// The desk's forms leave it to the server to check them, so that the browser would send them all the same.
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const box = /** @type {HTMLInputElement | null} */ (form.querySelector("[data-most]"));
  if (!box || !box.validity.customError) return;
  event.preventDefault();
  box.reportValidity();
});

document.addEventListener("change", ({ target: box }) => {
  if (!(box instanceof HTMLInputElement) || !box.dataset.most) return;
  const file = box.files && box.files[0];
  const isTooBig = file !== null && file !== undefined && file.size > Number(box.dataset.most);
  box.setCustomValidity(isTooBig ? String(box.dataset.tooBig) : "");
  box.reportValidity();
});
