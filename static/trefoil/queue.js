// The move that is on its way, kept in this tab until it is answered: it outlasts a new load of the page, and a tab
// that the browser has discarded to save memory.
import { drop, getKept, keep } from "./kept.js";

/** @typedef {{ address: string, body: string, told: string }} Queued */

/** Returns the name under which a page keeps its move: its reader's in this game. @param {DOMStringMap} page */
export const keyOf = ({ game, own }) => `trefoil move ${game} ${own}`;

/** @param {string} key @param {Queued} queued */
export const keepMove = (key, queued) => keep(key, queued, "tab");

/** @param {string} key */
export const dropMove = (key) => drop(key, "tab");

/** Returns the move that was kept, null where there is none. @param {string} key @returns {Queued | null} */
export const keptMove = (key) => getKept(key, "tab");
