// The lengths of the game that is chosen, each with what it means there.
"use strict";

(() => {
  /** @type {HTMLSelectElement | null} */
  const select = document.querySelector("select[data-lengths]");
  const game = select && select.form ? /** @type {HTMLSelectElement | null} */ (select.form.querySelector("[name=ruleset]")) : null;
  if (!select || !game) return;
  /** @type {Record<string, Record<string, string>>} */
  const meant = JSON.parse(String(select.dataset.lengths));
  const names = [...select.options].map((option) => option.text);
  const help = document.getElementById(`${select.id}_helptext`);
  const field = /** @type {HTMLElement} */ (select.closest(".field"));

  const show = () => {
    const lengths = meant[game.value];
    field.hidden = !lengths;
    [...select.options].forEach((option, number) => {
      const title = lengths && lengths[option.value];
      option.textContent = title ? `${names[number]}: ${title}` : names[number];
      option.hidden = !title;
    });
    if (select.selectedOptions[0].hidden) select.value = "full";
  };

  if (help) help.hidden = true;
  game.addEventListener("change", show);
  show();
})();
