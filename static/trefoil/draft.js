// What is picked and put aside, kept in this window while the table is as it was: who reads the rules loses nothing.

/** @typedef {{ picked: string[], aside: string[][], kind: string }} Draft */

/** @param {string} key @param {number} seq @param {Draft} draft */
export function keepDraft(key, seq, { picked, aside, kind }) {
  try {
    if (picked.length || aside.length || kind) sessionStorage.setItem(key, JSON.stringify({ seq, picked, aside, kind }));
    else sessionStorage.removeItem(key);
  } catch (_error) { /* A private window keeps nothing. */ }
}

/**
 * Returns what was kept at this move, nothing where a thing of it is not among the names any more.
 * @param {string} key @param {number} seq @param {string[]} names
 * @returns {Draft}
 */
export function keptDraft(key, seq, names) {
  const left = [...names];
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) || "null");
    /** @type {string[]} */
    const all = kept && kept.seq === seq ? [...kept.picked, ...kept.aside.flat()] : [];
    const found = all.every((name) => left.includes(name) && left.splice(left.indexOf(name), 1));
    if (kept && kept.seq === seq && found) return { picked: kept.picked, aside: kept.aside, kind: kept.kind || "" };
  } catch (_error) { /* What can't be read is nothing. */ }
  return { picked: [], aside: [], kind: "" };
}
