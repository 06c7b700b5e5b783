// Score cards: Enter moves to the next field, or sends the form from the last one; totals are updated while typing.
// What is typed stays in the browser until it is saved, for the seat that typed it.
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

  // ---- What is typed and not saved --------------------------------------------------------------

  const place = document.querySelector("[data-keep]");
  const store = window.keptHere;
  const refusal = document.getElementById("refusal");
  const typed = (form) => [...form.querySelectorAll("input:not([type=hidden]), select")];

  // The value that the page came with.
  function original(field) {
    if (field.tagName !== "SELECT") return field.defaultValue;
    return ([...field.options].find((each) => each.defaultSelected) || field.options[0]).value;
  }

  function valuesOf(form) {
    const values = {};
    for (const field of typed(form)) values[field.name] = field.value;
    return values;
  }

  // Of each form of the card by its name: the values, and whether they were sent.
  const kept = () => (place && store.get(place.dataset.keep)) || {};

  function keep(forms) {
    if (!place) return;
    if (Object.keys(forms).length) store.set(place.dataset.keep, forms); else store.drop(place.dataset.keep);
  }

  function keepForm(form, sent) {
    const forms = kept();
    // A refused form comes back with what was typed as its own values.
    const unsaved = refusal || typed(form).some((field) => field.value !== original(field));
    if (unsaved) forms[form.dataset.grid] = { values: valuesOf(form), sent };
    else delete forms[form.dataset.grid];
    keep(forms);
  }

  function restore(form) {
    const before = kept()[form.dataset.grid];
    if (!before) return;
    for (const field of typed(form)) {
      if (!(field.name in before.values) || field.value === before.values[field.name]) continue;
      field.value = before.values[field.name];
      const folded = field.closest("details");
      if (folded) folded.open = true;
    }
    keepForm(form, false);
  }

  function dropSaved() {
    const forms = kept();
    for (const name of Object.keys(forms)) if (forms[name].sent) delete forms[name];
    keep(forms);
  }

  if (document.querySelector("#messages .saved")) dropSaved();
  if (refusal) {
    // Back and reload ask for the table as it is then, and don't send the form again.
    history.replaceState(null, "", refusal.dataset.page);
  } else {
    for (const form of [...document.querySelectorAll("[data-keep] form[data-grid]")]) restore(form);
  }

  for (const name of ["input", "change"]) {
    document.addEventListener(name, (event) => {
      const form = event.target.closest("[data-keep] form[data-grid]");
      if (form) keepForm(form, false);
    });
  }

  document.addEventListener("submit", (event) => {
    if (event.target.matches("[data-keep] form[data-grid]")) keepForm(event.target, true);
  });

  // A page that the browser kept whole shows the table as it was.
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  // ---- Totals and keys --------------------------------------------------------------------------

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
