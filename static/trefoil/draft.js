// What is picked and put aside, kept in this tab: who reads the rules loses nothing. What is picked is kept while the table is as
// it was, what is put aside until its cards have left the hand or the deal is over.
import { drop, getKept, keep } from "./kept.js";
import { takeAll } from "./taking.js";

/** @typedef {{ picked: string[], aside: string[][], kind: string }} Draft */

/** @typedef {{ deal: string, seq: number }} Moment */

/** @param {string} key @param {Moment} moment @param {Draft} draft */
export function keepDraft(key, { deal, seq }, { picked, aside, kind }) {
  if (picked.length || aside.length || kind) keep(key, { deal, seq, picked, aside, kind }, "tab");
  else drop(key, "tab");
}

/**
 * Returns what was kept in this deal: the groups all of whose things are among the names, and what was picked at this very move.
 * @param {string} key @param {Moment} moment @param {string[]} names
 * @returns {Draft}
 */
export function keptDraft(key, { deal, seq }, names) {
  /** @type {(Draft & Moment) | null} */
  const kept = getKept(key, "tab");
  if (kept === null || kept.deal !== deal) return { picked: [], aside: [], kind: "" };
  const left = [...names];
  const aside = kept.aside.filter((group) => takeAll(left, group));
  const isHere = kept.seq === seq && takeAll(left, kept.picked);
  return isHere ? { picked: kept.picked, aside, kind: kept.kind } : { picked: [], aside, kind: "" };
}
