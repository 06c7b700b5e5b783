// What is picked and put aside, kept in this tab while the table is as it was: who reads the rules loses nothing.
import { drop, getKept, keep } from "./kept.js";
import { take } from "./taking.js";

/** @typedef {{ picked: string[], aside: string[][], kind: string }} Draft */

/** @param {string} key @param {number} seq @param {Draft} draft */
export function keepDraft(key, seq, { picked, aside, kind }) {
  if (picked.length || aside.length || kind) keep(key, { seq, picked, aside, kind }, "tab");
  else drop(key, "tab");
}

/**
 * Returns what was kept at this move, nothing where a thing of it is not among the names any more.
 * @param {string} key @param {number} seq @param {string[]} names
 * @returns {Draft}
 */
export function keptDraft(key, seq, names) {
  const left = [...names];
  /** @type {(Draft & { seq: number }) | null} */
  const kept = getKept(key, "tab");
  const isHere = kept !== null && kept.seq === seq && [...kept.picked, ...kept.aside.flat()].every((name) => take(left, name));
  return isHere ? { picked: kept.picked, aside: kept.aside, kind: kept.kind } : { picked: [], aside: [], kind: "" };
}
