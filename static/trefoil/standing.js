// Moves that the reader leaves to the page whenever the same is asked again in this game, until the reader wants to be asked.
import { drop, getKept, keep } from "./kept.js";
import { live } from "./things.js";

/** @typedef {{ key: string, move: import("./made.js").Move, text: string, made: string, stop: string }} Standing */

const KEY = `trefoil standing ${live.dataset.news}`;

/** Returns all that is left to the page in this game. @returns {Standing[]} */
export const allStanding = () => getKept(KEY) || [];

const without = (/** @type {Standing} */ standing) => allStanding().filter(({ key }) => key !== standing.key);

/** Leaves a move to the page from now on. @param {Standing} standing */
export const leave = (standing) => keep(KEY, [...without(standing), standing]);

/** Asks again from now on. @param {Standing} standing */
export function askAgain(standing) {
  const left = without(standing);
  if (left.length) keep(KEY, left);
  else drop(KEY);
}

/** Returns whether this is left to the page. @param {Standing} standing */
export const isLeft = (standing) => allStanding().some(({ key }) => key === standing.key);
