// How long a move of others stays before the next one is shown: the reader's choice, kept in this browser.
import { keepText, keptText } from "./kept.js";

const KEY = "trefoil pace";
const select = /** @type {HTMLSelectElement | null} */ (document.getElementById("pace"));

/** Returns the milliseconds between two moves of others, 0 where they are shown as they come. */
export const pause = () => (select && !document.hidden ? Number(select.value) : 0);

if (select) {
  const kept = keptText(KEY);
  if (kept !== null && [...select.options].some((option) => option.value === kept)) select.value = kept;
  select.addEventListener("change", () => {
    keepText(KEY, select.value);
    document.dispatchEvent(new CustomEvent("trefoil:pace"));
  });
}
