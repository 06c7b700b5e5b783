// The order in which a player sorted the hand, kept on this device.
import { getKept, keep, keepText, keptText } from "./kept.js";

/** @typedef {"suit" | "rank"} By */

const RANKS = "23456789TJQKA";
const SUITS = "CDHS";
const SORT = "trefoil sort";
const MOST_NEW = 3; // cards that come into a hand; of more, the hand is dealt anew

/** Returns by what the player sorted a hand last. */
export const keptSort = () => /** @type {By} */ (keptText(SORT) === "rank" ? "rank" : "suit");

/** @param {By} by */
export const keepSort = (by) => keepText(SORT, by);

// Jokers come last in both orders.
/** @param {string} name @param {By} by */
function sortKey(name, by) {
  const code = name.slice(-2);
  if (code === "JK") return RANKS.length * RANKS.length;
  const [rank, suit] = [RANKS.indexOf(code[0]), SUITS.indexOf(code[1])];
  return by === "rank" ? rank * RANKS.length + suit : suit * RANKS.length + rank;
}

/**
 * Returns the places of the names, sorted by suit and then rank, or by rank and then suit; aces are high.
 * @param {string[]} names @param {By} by
 */
export const sortedPlaces = (names, by) => names.map((_name, place) => place)
  .sort((one, other) => sortKey(names[one], by) - sortKey(names[other], by));

/**
 * Returns the places of the names in the order that was kept, new ones last; a new hand is sorted as the last one was.
 * @param {string} key @param {string[]} names
 */
export function keptOrder(key, names) {
  /** @type {string[]} */
  const order = getKept(key) || [];
  const left = names.map((_name, place) => place);
  /** @type {number[]} */
  const sorted = [];
  for (const name of order) {
    const found = left.findIndex((place) => names[place] === name);
    if (found >= 0) sorted.push(...left.splice(found, 1));
  }
  return left.length > MOST_NEW ? sortedPlaces(names, keptSort()) : [...sorted, ...left];
}

/** @param {string} key @param {string[]} names */
export const keepOrder = (key, names) => keep(key, names);
