// How long a move of others stays before the next one is shown: the reader's choice, kept in this browser.

const KEY = "trefoil pace";
const select = /** @type {HTMLSelectElement | null} */ (document.getElementById("pace"));

/** Returns the milliseconds between two moves of others, 0 where they are shown as they come. */
export const pause = () => (select && !document.hidden ? Number(select.value) : 0);

if (select) {
  let kept = null;
  try { kept = localStorage.getItem(KEY); } catch (_error) { /* Nothing is kept: the page's own choice. */ }
  if (kept !== null && [...select.options].some((option) => option.value === kept)) select.value = kept;
  select.addEventListener("change", () => {
    try { localStorage.setItem(KEY, select.value); } catch (_error) { /* as above */ }
    document.dispatchEvent(new CustomEvent("trefoil:pace"));
  });
  /** @type {HTMLElement} */ (select.parentElement).hidden = false;
}
