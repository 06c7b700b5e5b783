// Marks the cards that came into the hand with the last move, and says them to screen readers.
import { take } from "./taking.js";
import { live } from "./things.js";

const announcer = /** @type {HTMLElement} */ (document.getElementById("announcer"));
const MOST = 3; // of more, the cards were dealt

/** @type {string[] | null} */
let known = null;
/** @type {string[]} */
let fresh = [];

// The names that are more often in one list than in the other.
/** @param {string[]} names @param {string[]} others */
function without(names, others) {
  const left = [...others];
  return names.filter((name) => !take(left, name));
}

/**
 * Marks what is new in the hand, or was drawn, since it was last looked at, until the next move of the hand.
 * @param {DOMStringMap} words
 */
export function markNew(words) {
  const cards = [...live.querySelectorAll("#hand [data-thing], #table [data-held]")];
  const names = cards.map((card) => card.dataset.thing || card.dataset.held || "");
  const added = known ? without(names, known) : [];
  const changed = added.length > 0 || (known && known.length !== names.length);
  if (changed) fresh = added.length > MOST ? [] : added;
  known = names;
  const left = [...fresh];
  const marked = cards.filter((_card, at) => take(left, names[at]));
  for (const card of marked) mark(card, words.new || "");
  if (changed && marked.length) announcer.textContent += ` ${words.drawn} ${marked.map(spoken).join(", ")}.`;
}

/** @param {HTMLElement} card */
function spoken(card) {
  const face = card.querySelector(".card");
  return (face && (face.getAttribute("aria-label") || face.textContent)) || "";
}

/** @param {HTMLElement} card @param {string} word */
function mark(card, word) {
  if (card.classList.contains("new")) return;
  const said = document.createElement("span");
  said.className = "tag";
  said.textContent = word;
  card.classList.add("new");
  // What is drawn but not in the hand says so itself.
  if (card.dataset.thing) card.append(said);
}
