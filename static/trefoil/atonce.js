// Shows a move of one's own before the server has answered; where it is refused, all lies as it was.
import { itemOf, live } from "./things.js";
import { fly, flown } from "./travel.js";

const topOf = (/** @type {Element} */ thing) => /** @type {HTMLElement | undefined} */ ([...thing.querySelectorAll(".card")].pop());

/** @type {(() => void)[]} */
let undone = [];

/** @param {HTMLElement} thing */
export function markSent(thing) {
  thing.classList.add("sent");
  undone.push(() => thing.classList.remove("sent"));
}

/**
 * Lets the top card of a pile come into the hand.
 * @param {HTMLElement} pile
 */
export function drawAtOnce(pile) {
  const [hand, top] = [live.querySelector("#hand .cards"), topOf(pile)];
  if (!hand || !top || top.classList.contains("none")) return;
  const place = document.createElement("li");
  place.className = "coming";
  place.append(top.cloneNode(true));
  hand.append(place);
  fly(top, pile.getBoundingClientRect(), place.getBoundingClientRect(), place);
  flown(pile);
  undone.push(() => place.remove());
}

/**
 * Lets cards leave for a pile or a meld.
 * @param {HTMLElement[]} cards @param {Element} target
 */
export function layAtOnce(cards, target) {
  const faces = cards.map((card) => /** @type {HTMLElement} */ (topOf(card)));
  const laid = faces.map((face) => /** @type {HTMLElement} */ (face.cloneNode(true)));
  const list = target.querySelector(".cards");
  const top = topOf(target);
  if (list) for (const face of laid) addTo(list, face);
  else if (top && laid.length) {
    const last = laid[laid.length - 1];
    top.replaceWith(last);
    undone.push(() => last.replaceWith(top));
  }
  cards.forEach((card, place) => fly(faces[place], card.getBoundingClientRect(), target.getBoundingClientRect(), laid[place]));
  for (const card of cards) leave(card);
  flown(/** @type {HTMLElement} */ (target));
}

/** @param {Element} list @param {HTMLElement} face */
function addTo(list, face) {
  const place = document.createElement("li");
  place.append(face);
  list.append(place);
  undone.push(() => place.remove());
}

/** @param {HTMLElement} card */
function leave(card) {
  const place = card.closest("#hand") ? itemOf(card) : card;
  place.classList.add("gone");
  undone.push(() => place.classList.remove("gone"));
}

function undo() {
  for (const each of undone.reverse()) each();
  undone = [];
}

/** Puts everything back that was shown before the server's answer, and is not part of it. */
export function takeBackAll() {
  undo();
  flown(null);
}

// What is patched is the table without what was shown ahead.
document.addEventListener("trefoil:updating", undo);
