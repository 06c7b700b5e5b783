// Long lists: a search field narrows the choices as one types, and buttons tick what is shown.
"use strict";

(() => {
  /** @typedef {{ item: HTMLElement, text: string }} Choice */

  const APOSTROPHES = /[\u2018\u2019\u02bc\u00b4`]/g;
  const ACCENTS = /[\u0300-\u036f]/g;
  const plain = (/** @type {string} */ text) =>
    text.replace(APOSTROPHES, "'").normalize("NFKD").replace(ACCENTS, "").toLowerCase().replace(/\s+/g, " ").trim();

  const choicesOf = (/** @type {HTMLElement} */ list) => {
    const found = list instanceof HTMLSelectElement ? list.options : list.querySelectorAll("[data-item]");
    return Array.from(found, (item) => ({ item, text: plain(item.textContent) }));
  };

  const isKept = (/** @type {HTMLElement} */ item) =>
    item instanceof HTMLOptionElement ? item.selected || isBlank(item) : item.querySelector("input:checked") !== null;

  const isBlank = (/** @type {HTMLElement} */ item) => item instanceof HTMLOptionElement && item.value === "";

  // Options that are only hidden can still be reached in some browsers, so others are taken out of the list.
  const show = (/** @type {HTMLElement} */ list, /** @type {Choice[]} */ choices, /** @type {(choice: Choice) => boolean} */ fits) => {
    if (!(list instanceof HTMLSelectElement)) {
      choices.forEach((choice) => { choice.item.hidden = !(fits(choice) || isKept(choice.item)); });
      return;
    }
    const kept = choices.filter((choice) => fits(choice) || isKept(choice.item));
    const chosen = [...list.selectedOptions];
    choices.forEach((choice) => choice.item.remove());
    kept.forEach((choice) => list.appendChild(choice.item));
    // While options are taken out, the browser chooses others in the place of the one that is gone.
    for (const option of list.options) option.selected = chosen.includes(option);
  };

  const prepare = (/** @type {HTMLInputElement} */ field) => {
    const list = document.getElementById(field.dataset.search || "");
    if (!list) return;
    const choices = choicesOf(list);
    const found = /** @type {HTMLElement} */ (field.parentNode).querySelector("[data-found]");
    const narrow = () => {
      const words = plain(field.value).split(" ").filter(Boolean);
      const fits = (/** @type {Choice} */ choice) => words.every((word) => choice.text.indexOf(word) >= 0);
      show(list, choices, fits);
      const count = choices.filter((choice) => !isBlank(choice.item) && fits(choice)).length;
      list.dispatchEvent(new Event("change"));
      if (found) found.textContent = words.length ? `${count}/${choices.length}` : "";
    };
    field.addEventListener("input", narrow);
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") event.preventDefault();
    });
  };

  // The button ticks what is shown, or unticks it where all of it is ticked; its title says which.
  const prepareTick = (/** @type {HTMLButtonElement} */ button) => {
    const list = /** @type {HTMLElement} */ (document.getElementById(button.dataset.tick || ""));
    const title = button.textContent;
    const shown = () => /** @type {HTMLInputElement[]} */ ([
      ...list.querySelectorAll("[data-item]:not([hidden]) input[type=checkbox]:not(:disabled)")]);
    const areTicked = (/** @type {HTMLInputElement[]} */ boxes) => boxes.length > 0 && boxes.every((/** @type {HTMLInputElement} */ box) => box.checked);
    const name = () => { button.textContent = areTicked(shown()) ? button.dataset.untick || title : title; };
    button.addEventListener("click", () => {
      const boxes = shown();
      const ticked = !areTicked(boxes);
      boxes.forEach((box) => { box.checked = ticked; });
      list.dispatchEvent(new Event("change", { bubbles: true }));
    });
    list.addEventListener("change", name);
    name();
  };

  addEventListener("DOMContentLoaded", () => {
    /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-search]")).forEach(prepare);
    /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-tick]")).forEach((button) => {
      button.hidden = false;
      prepareTick(button);
    });
  });
})();
