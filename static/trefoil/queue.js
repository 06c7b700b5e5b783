// The move that is on its way, kept in this window until it is answered: it outlasts a new load of the page, and a tab
// that the browser has discarded to save memory.

/** @typedef {{ address: string, body: string, told: string }} Queued */

/** Returns the name under which a page keeps its move: its reader's in this game. @param {DOMStringMap} page */
export const keyOf = ({ game, own }) => `trefoil move ${game} ${own}`;

/** @param {string} key @param {Queued} queued */
export function keepMove(key, queued) {
  try { sessionStorage.setItem(key, JSON.stringify(queued)); } catch (_error) { /* A private window keeps nothing. */ }
}

/** @param {string} key */
export function dropMove(key) {
  try { sessionStorage.removeItem(key); } catch (_error) { /* as above */ }
}

/** Returns the move that was kept, null where there is none. @param {string} key @returns {Queued | null} */
export function keptMove(key) {
  try {
    const { address, body, told } = JSON.parse(sessionStorage.getItem(key) || "null") || {};
    return typeof address === "string" && typeof body === "string" ? { address, body, told: String(told || "") } : null;
  } catch (_error) { return null; /* What can't be read is nothing. */ }
}
