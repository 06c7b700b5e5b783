// Score cards: Enter goes on to the next field and sends from the last one, and totals run along.
"use strict";

(() => {
  const number = (text) => (/^\s*\d{1,5}\s*$/.test(text) ? Number(text) : 0);

  function total(line) {
    const points = [...line.querySelectorAll("[data-worth]")]
      .map((field) => number(field.value) * Number(field.dataset.worth))
      .reduce((sum, each) => sum + each, 0);
    return Number(line.dataset.total) - Number(line.dataset.before ?? 0) + points;
  }

  function tell(line) {
    const place = line.querySelector(".so-far");
    place.textContent = place.textContent.replace(/-?\d+/, total(line));
  }

  for (const line of document.querySelectorAll("[data-line]")) {
    if ([...line.querySelectorAll("[data-worth]")].some((field) => field.value)) tell(line);
  }

  document.addEventListener("input", (event) => {
    const line = event.target.closest("[data-line]");
    if (line) tell(line);
  });

  document.addEventListener("keydown", (event) => {
    const form = event.target.closest("form[data-grid]");
    if (event.key !== "Enter" || !form || !event.target.matches("[data-worth]")) return;
    event.preventDefault();
    const fields = [...form.querySelectorAll("[data-worth]")].filter((field) => !field.closest("details:not([open])"));
    const next = fields[fields.indexOf(event.target) + 1];
    if (next) { next.focus(); next.select(); } else form.requestSubmit();
  });
})();
