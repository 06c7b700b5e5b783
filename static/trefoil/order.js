// The order in which a player sorted the hand, kept on this device.

/**
 * Returns the places of the names in the order that was kept, new ones last.
 * @param {string} key @param {string[]} names
 */
export function keptOrder(key, names) {
  /** @type {string[]} */
  let order = [];
  try { order = JSON.parse(localStorage.getItem(key) || "[]"); } catch (_error) { order = []; }
  const left = names.map((_name, place) => place);
  /** @type {number[]} */
  const sorted = [];
  for (const name of order) {
    const found = left.findIndex((place) => names[place] === name);
    if (found >= 0) sorted.push(...left.splice(found, 1));
  }
  return [...sorted, ...left];
}

/** @param {string} key @param {string[]} names */
export function keepOrder(key, names) {
  try { localStorage.setItem(key, JSON.stringify(names)); } catch (_error) { /* A private window keeps nothing. */ }
}
