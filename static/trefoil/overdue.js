// The page of a game that is over: says so where a move that waited to be sent comes too late.
import { dropMove, keptMove, keyOf } from "./queue.js";

const { dataset } = /** @type {HTMLElement} */ (document.getElementById("live"));
const kept = keptMove(keyOf(dataset));

// It may have been made, and only its answer was lost.
/** @param {string} body */
function isMade(body) {
  const entry = document.querySelector(`#moves-list [data-seq="${Number(new URLSearchParams(body).get("seq"))}"]`);
  return Boolean(entry) && `seat ${/** @type {HTMLElement} */ (entry).dataset.by}` === dataset.own;
}

if (kept) {
  /** @type {HTMLElement} */ (document.getElementById("overdue")).hidden = isMade(kept.body);
  dropMove(keyOf(dataset));
}
