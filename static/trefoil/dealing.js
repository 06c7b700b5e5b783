// Makes the list before each shuffle of a game from what its rules declare, and tells what was dealt to whom.
// Nothing here comes from an answer about the game but its options and the number of its seats, which its log holds.
import { DRAWS } from "./draws.js";
import { take } from "./taking.js";

/** @typedef {number | { option?: string, seats?: Record<string, number> }} Amount */
/**
 * @typedef {object} Declared
 * @property {string} draw
 * @property {string} purpose
 * @property {string} [pack]
 * @property {Amount} [packs]
 * @property {Amount} [each]
 * @property {{ cards: string, option: string, value: string }} [without]
 * @property {Amount[]} [hands]
 * @property {boolean} [places]
 * @property {Amount} [bound]
 * @property {Amount} [count]
 */
/** @typedef {{ ruleset: string, options: Record<string, any>, seats: unknown[] }} Opening */
/** @typedef {{ draw: string, purpose: string, items?: unknown[], bound?: number, count?: number }} Draw */
/** @typedef {{ purpose: string, gives: any }} Made */
/** @typedef {{ purpose: string, hands: string[][], places: boolean }} Deal */

const NUMBER = "[1-9][0-9]*";

/** @param {Opening} opening @param {Amount | undefined} given @returns {number} */
function amount({ options, seats }, given) {
  const number = typeof given === "object" ? options[given.option || ""] ?? given.seats?.[seats.length] : given;
  return number ?? 0;
}

/** @param {Opening} opening @param {string} purpose */
function declared({ ruleset }, purpose) {
  return DRAWS[ruleset]?.find((each) => new RegExp(`^${each.purpose.split("#").join(NUMBER)}$`).test(purpose));
}

/** @param {Opening} opening @param {Declared} draw */
function listOf(opening, { pack = "", packs = 1, each = 1, without }) {
  const left = without && opening.options[without.option] === without.value ? without.cards.split(" ") : [];
  const faces = pack.split(" ").filter((face) => !left.includes(face));
  const once = faces.flatMap((face) => Array(amount(opening, each)).fill(face));
  return Array(amount(opening, packs)).fill(once).flat();
}

// Returns the draw with a purpose as the rules make it, undefined where the game has none.
/** @param {Opening} opening @param {string} purpose @returns {Draw | undefined} */
export function drawFor(opening, purpose) {
  const known = declared(opening, purpose);
  if (!known) return undefined;
  const { draw } = known;
  if (draw === "shuffle") return { draw, purpose, items: listOf(opening, known) };
  if (draw === "below") return { draw, purpose, bound: amount(opening, known.bound) };
  return { draw, purpose, count: amount(opening, known.count) };
}

// Returns the draws that come before one: of a number, the same one with each smaller number.
/** @param {string} purpose */
export function before(purpose) {
  const [, start, number, end] = /^(.*\D)(\d+)(\D*)$/.exec(purpose) || [];
  return Number(number) > 1 ? [`${start}${Number(number) - 1}${end}`] : [];
}

/** @param {string} purpose */
const numbers = (purpose) => (purpose.match(/\d+/g) || []).map(Number);

/** @param {Made} one @param {Made} other */
function inOrder(one, other) {
  const [left, right] = [numbers(one.purpose), numbers(other.purpose)];
  const at = left.findIndex((number, index) => number !== right[index]);
  return at < 0 || at >= right.length ? left.length - right.length : left[at] - right[at];
}

/** @param {Opening} opening @param {Made} made @returns {Deal[]} */
function dealOf(opening, { purpose, gives }) {
  const { hands = [], places = false } = declared(opening, purpose) || {};
  if (!hands.length) return [];
  let next = 0;
  const dealt = opening.seats.map((_, seat) => {
    const first = next;
    next += amount(opening, hands[Math.min(seat, hands.length - 1)]);
    return gives.slice(first, next);
  });
  return [{ purpose, hands: dealt, places }];
}

// Returns the hands of each deal, in the order of the deals, as they follow from the shuffles.
/** @param {Opening} opening @param {Made[]} made */
export function dealsOf(opening, made) {
  return [...made].sort(inOrder).flatMap((each) => dealOf(opening, each));
}

/** @param {string[]} some @param {string[]} all */
function within(some, all) {
  const left = [...all];
  return some.every((card) => take(left, card));
}

// A table shows a deal after its first move, or as it was dealt: all hands are as dealt but that of whoever made the
// move, which has gained or lost cards. What the clock plays for a seat can be a whole turn: it may exchange a card.
/** @param {string[]} shown @param {string[]} dealt @param {{ places: boolean, moved: boolean, clock: boolean }} how */
function fits(shown, dealt, { places, moved, clock }) {
  if (moved) return clock || within(dealt, shown) || within(shown, dealt);
  if (places) return shown.join(" ") === dealt.join(" ");
  return shown.length === dealt.length && within(shown, dealt);
}

// Returns the purpose of the first deal whose hands are shown otherwise than they were dealt, "" where none is.
/** @param {Deal[]} deals @param {{ hands: string[][], mover: number | null, clock: boolean }[]} shown */
export function firstWrong(deals, shown) {
  const wrong = deals.find(({ hands, places }, number) => {
    const table = shown[number];
    return !table || !hands.every((dealt, seat) =>
      fits(table.hands[seat], dealt, { places, moved: table.mover === seat, clock: table.clock }));
  });
  return wrong?.purpose || (shown.length > deals.length ? "round" : "");
}
