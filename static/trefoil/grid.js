// Score cards: Enter moves to the next field, or sends the form from the last one; totals are updated while typing.
"use strict";

(() => {
  const number = (text) => (/^\s*\d{1,5}\s*$/.test(text) ? Number(text) : 0);

  function total(line) {
    const points = [...line.querySelectorAll("[data-worth]")]
      .map((field) => number(field.value) * Number(field.dataset.worth))
      .reduce((sum, each) => sum + each, 0);
    return Number(line.dataset.total) - Number(line.dataset.before || 0) + points;
  }

  function showTotal(line) {
    const shown = line.querySelector(".so-far");
    shown.textContent = shown.textContent.replace(/−?\d+/, String(total(line)).replace("-", "−"));
  }

  for (const line of document.querySelectorAll("[data-line]")) {
    if ([...line.querySelectorAll("[data-worth]")].some((field) => field.value)) showTotal(line);
  }

  document.addEventListener("input", (event) => {
    const line = event.target.closest("[data-line]");
    if (line) showTotal(line);
  });

  document.addEventListener("keydown", (event) => {
    const form = event.target.closest("form[data-grid]");
    if (event.key !== "Enter" || !form || !event.target.matches("[data-worth]")) return;
    event.preventDefault();
    const fields = [...form.querySelectorAll("[data-worth]")].filter((field) => !field.closest("details:not([open])"));
    const next = fields[fields.indexOf(event.target) + 1];
    if (next) { next.focus(); next.select(); } else form.querySelector("[type=submit]").click();
  });
})();
