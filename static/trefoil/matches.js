// In the form of a stage: what is asked about matches of several games is shown where tables have two sides.
"use strict";

(() => {
  /** @param {Element | null} field @param {boolean} hidden */
  function hide(field, hidden) {
    const around = /** @type {HTMLElement | null} */ (field && field.closest(".tf-field"));
    if (around) around.hidden = hidden;
  }
  /** @param {ParentNode} part @param {string} name */
  const input = (part, name) =>
    /** @type {HTMLInputElement | HTMLSelectElement | null} */ (part.querySelector(`[name$=".${name}"]`));

  function playersOfASide() {
    const partners = document.querySelector('[name="lineup"][value="partners"]:checked');
    const size = /** @type {HTMLInputElement | null} */ (document.querySelector('[name="team_size"]'));
    return partners && size ? Number(size.value) || 1 : 1;
  }

  function show() {
    for (const stage of document.querySelectorAll(".tf-stage")) {
      const [size, best, drawn] = ["table_size", "best_of", "drawn_game"].map((name) => input(stage, name));
      if (!best) continue;
      const each = playersOfASide();
      const isForTwo = !size || Number(size.value) === 2 || Number(size.value) === 2 * each;
      hide(best, !isForTwo);
      hide(drawn, !isForTwo || Number(best.value) < 2);
    }
  }

  document.addEventListener("input", show);
  show();
})();
