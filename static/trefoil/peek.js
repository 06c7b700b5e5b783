// Cards that only the reader may see lie face up in their place until the reader says that they are seen: once each.
//
// The rules let a seat see all cards of an action until its next move. Which of them have turned back is kept for as long, so that
// a page that is loaded again does not turn them over again.
import { getKept, keep } from "./kept.js";
import { hold } from "./news.js";
import { take } from "./taking.js";
import { dock, live } from "./things.js";

const announcer = /** @type {HTMLElement} */ (document.getElementById("announcer"));
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const KEY = `trefoil seen ${live.dataset.news}`;
const TURNED = 190;

/** @type {string[]} */
let told = []; // the faces that were said to screen readers
/** @type {string[]} */
let seen = getKept(KEY, "tab") || []; // those that have turned back
let moved = false; // whether the reader's seat has made one of the moves that are shown

const keepSeen = () => keep(KEY, seen, "tab");

const peeks = () => /** @type {HTMLElement[]} */ ([...live.querySelectorAll("#table [data-peek]")]);
const faceOf = (/** @type {HTMLElement} */ peek) => String(peek.dataset.peek);
// Whether they are looked at for what the reader decides next.
const isDeciding = () => Boolean(live.querySelector("#table [data-deciding]"));

// Parts cards into those with a face of the list, each used once, and the others.
/** @param {HTMLElement[]} cards @param {string[]} faces */
function parted(cards, faces) {
  const left = [...faces];
  /** @type {HTMLElement[][]} */
  const parts = [[], []];
  for (const card of cards) parts[take(left, faceOf(card)) ? 0 : 1].push(card);
  return parts;
}

/** @param {HTMLElement} peek */
function turnBack(peek) {
  const back = /** @type {HTMLTemplateElement} */ (peek.querySelector("template")).content.firstElementChild;
  const around = peek.closest("[data-peeks]");
  if (back) peek.replaceWith(back);
  if (around && !around.querySelector("[data-peek]")) around.remove();
  return back;
}

/** @param {Element | null} card */
function turn(card) {
  if (card && !calm.matches && !document.hidden) {
    card.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], { duration: TURNED });
  }
}

// Turns back what has been seen, and returns what has not been told. Cards have no names that stay with them
// when they move: they are known by their faces.
function look() {
  const all = peeks();
  const [, fresh] = parted(all, seen);
  const [, untold] = parted(fresh, told);
  // Who ends a turn without another look has seen them: to decide on an exchange is to have looked at both.
  const open = moved && !untold.length && !isDeciding() ? [] : fresh;
  const old = all.filter((peek) => !open.includes(peek));
  seen = old.map(faceOf);
  told = open.map(faceOf);
  moved = false;
  keepSeen();
  old.forEach(turnBack);
  hold(isWaited());
  return untold;
}

/** Returns whether all waits until the reader has seen what lies face up, and says so. */
export const isWaited = () => peeks().length > 0 && !isDeciding();

/** Turns back what the reader has seen, and lets the moves of others go on. */
export function turnAllBack() {
  seen = [...seen, ...peeks().map(faceOf)];
  keepSeen();
  peeks().map(turnBack).forEach(turn);
  document.dispatchEvent(new CustomEvent("trefoil:seen"));
  hold(false);
}

/** @param {HTMLElement} peek */
function spoken(peek) {
  const place = peek.closest("[data-thing], .pile") || peek;
  const seat = peek.closest("[data-seat]");
  const name = seat && seat.querySelector(".who > :first-child");
  return `${name ? name.textContent : ""} ${place.textContent}`.replace(/\s+/g, " ").trim();
}

look();
document.addEventListener("trefoil:updating", (event) => {
  const own = /** @type {HTMLElement | null} */ (live.querySelector("#table [data-mine]"));
  const { by } = /** @type {CustomEvent<{ by: string[] }>} */ (event).detail;
  moved = own !== null && by.includes(String(own.dataset.seat));
});
document.addEventListener("trefoil:updated", () => {
  const cards = look();
  cards.filter((peek) => !peek.closest("[data-thing^='at:']")).forEach(turn);
  if (!cards.length) return;
  cards[0].scrollIntoView({ block: "nearest" });
  announcer.textContent += ` ${dock.dataset.looked} ${cards.map(spoken).join("; ")}.`;
});
