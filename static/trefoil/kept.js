// What is kept in this browser, or in one tab alone: it outlasts a reload, the browser's also a log-out and the end of the tab.

/** @typedef {"browser" | "tab"} Place */

/** @param {Place} place */
const storeOf = (place) => (place === "tab" ? sessionStorage : localStorage);

/** Returns the text that was kept under a name, null where there is none. @param {string} key @param {Place=} place */
export function keptText(key, place = "browser") {
  try { return storeOf(place).getItem(key); } catch (_error) { return null; }
}

/** @param {string} key @param {string} text @param {Place=} place */
export function keepText(key, text, place = "browser") {
  try { storeOf(place).setItem(key, text); } catch (_error) { /* A private window keeps nothing: the page itself holds it. */ }
}

/** Returns what was kept under a name, null where there is nothing that can be read. @param {string} key @param {Place=} place @returns {any} */
export function getKept(key, place) {
  try { return JSON.parse(keptText(key, place) || "null"); } catch (_error) { return null; }
}

/** @param {string} key @param {unknown} value @param {Place=} place */
export const keep = (key, value, place) => keepText(key, JSON.stringify(value), place);

/** @param {string} key @param {Place=} place */
export function drop(key, place = "browser") {
  try { storeOf(place).removeItem(key); } catch (_error) { /* as above */ }
}
