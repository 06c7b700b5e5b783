// What is typed and not saved yet, kept in this browser: it outlives a reload, a lost connection and a log-out.

/** Returns what was kept under a name, null where there is nothing. @param {string} key @returns {any} */
export function getKept(key) {
  try { return JSON.parse(localStorage.getItem(key) || "null"); } catch (_error) { return null; }
}

/** @param {string} key @param {unknown} value */
export function keep(key, value) {
  try { localStorage.setItem(key, JSON.stringify(value)); } catch (_error) { /* private mode: the page itself still holds it */ }
}

/** @param {string} key */
export function drop(key) {
  try { localStorage.removeItem(key); } catch (_error) { /* as above */ }
}
