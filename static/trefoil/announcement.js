// What screen readers are told of moves.

const MOST_TOLD = 5;

/**
 * Returns sentences for what is told, one after the other.
 * @param {(string | null)[]} told
 */
export function sentences(told) {
  const said = told.map((each) => String(each || "").replace(/\s+/g, " ").trim()).filter(Boolean);
  return said.map((each) => (/[.!?…]$/.test(each) ? each : `${each}.`)).join(" ");
}

/**
 * Returns what is told of moves, the first one first: of many only the last ones, and how many were before.
 * @param {(string | null)[]} moves the last one first @param {number} count of all, also of those that are not listed
 * @param {{ one: string, more: string }} words for the moves before, "#" for their number
 */
export function movesTold(moves, count, { one, more }) {
  const told = moves.slice(0, MOST_TOLD).reverse();
  const before = count - told.length;
  if (!told.length || before < 1) return told;
  return [...told, before === 1 ? one : more.replace("#", String(before))];
}
