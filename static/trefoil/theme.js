// Light or dark colours as chosen on this device, else as the device has them. Loaded before the page is drawn.
"use strict";

(() => {
  const root = document.documentElement;
  let chosen = "";
  try { chosen = localStorage.getItem("theme") || ""; } catch (_) { /* storage is off: the choice is not kept */ }

  function apply() {
    if (chosen) root.dataset.theme = chosen; else delete root.dataset.theme;
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll(".theme button"))) {
      button.setAttribute("aria-pressed", String(button.value === chosen));
    }
  }

  apply();
  addEventListener("DOMContentLoaded", () => {
    const group = document.querySelector(".theme");
    if (!group) return;
    group.hidden = false;
    apply();
    group.addEventListener("click", (event) => {
      if (!(event.target instanceof HTMLButtonElement)) return;
      chosen = event.target.value;
      try { localStorage.setItem("theme", chosen); } catch (_) { /* as above */ }
      apply();
    });
  });
})();
