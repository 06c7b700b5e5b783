// Long lists: a search field narrows the choices as one types, and buttons tick or copy what is shown.
"use strict";

(() => {
  const APOSTROPHES = /[\u2018\u2019\u02bc\u00b4`]/g;
  const ACCENTS = /[\u0300-\u036f]/g;
  const plain = (text) =>
    text.replace(APOSTROPHES, "'").normalize("NFKD").replace(ACCENTS, "").toLowerCase().replace(/\s+/g, " ").trim();

  const choicesOf = (list) => {
    const found = list.tagName === "SELECT" ? list.options : list.querySelectorAll("[data-item]");
    return Array.prototype.map.call(found, (item) => ({ item, text: plain(item.textContent) }));
  };

  const isKept = (item) =>
    item.tagName === "OPTION" ? item.selected || item.value === "" : item.querySelector("input:checked") !== null;

  // Options that are only hidden can still be reached in some browsers, so others are taken out of the list.
  const show = (list, choices, fits) => {
    if (list.tagName !== "SELECT") {
      choices.forEach((choice) => { choice.item.hidden = !(fits(choice) || isKept(choice.item)); });
      return;
    }
    const kept = choices.filter((choice) => fits(choice) || isKept(choice.item));
    choices.forEach((choice) => choice.item.remove());
    kept.forEach((choice) => list.appendChild(choice.item));
  };

  const prepare = (field) => {
    const list = document.getElementById(field.dataset.search);
    if (!list) return;
    const choices = choicesOf(list);
    const found = field.parentNode.querySelector("[data-found]");
    const narrow = () => {
      const words = plain(field.value).split(" ").filter(Boolean);
      const fits = (choice) => words.every((word) => choice.text.indexOf(word) >= 0);
      show(list, choices, fits);
      const count = choices.filter((choice) => choice.item.value !== "" && fits(choice)).length;
      list.dispatchEvent(new Event("change"));
      if (found) found.textContent = words.length ? `${count}/${choices.length}` : "";
    };
    field.addEventListener("input", narrow);
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") event.preventDefault();
    });
  };

  const copy = (button) => {
    const field = document.getElementById(button.dataset.copy);
    const done = () => { button.textContent = button.dataset.copied; };
    if (navigator.clipboard && window.isSecureContext) {
      navigator.clipboard.writeText(field.value).then(done);
      return;
    }
    field.select();
    if (document.execCommand("copy")) done();
  };

  // The button ticks what is shown, or unticks it where all of it is ticked; its title says which.
  const prepareTick = (button) => {
    const list = document.getElementById(button.dataset.tick);
    const title = button.textContent;
    const shown = () => Array.prototype.slice.call(
      list.querySelectorAll("[data-item]:not([hidden]) input[type=checkbox]:not(:disabled)"));
    const areTicked = (boxes) => boxes.length > 0 && boxes.every((box) => box.checked);
    const name = () => { button.textContent = areTicked(shown()) ? button.dataset.untick : title; };
    button.addEventListener("click", () => {
      const boxes = shown();
      const ticked = !areTicked(boxes);
      boxes.forEach((box) => { box.checked = ticked; });
      name();
    });
    list.addEventListener("change", name);
    name();
  };

  addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("[data-search]").forEach(prepare);
    document.querySelectorAll("[data-copy], [data-tick]").forEach((button) => {
      button.hidden = false;
      if (button.dataset.tick) prepareTick(button);
      else button.addEventListener("click", () => copy(button));
    });
  });
})();
