// The table by keys: arrows go from thing to thing, Enter uses one, Shift and an arrow sorts the hand.
import { moveBeside } from "./sorted.js";
import { isInTray, itemOf, kindOf, live, nameOf, ownThing, thingAt, thingNamed, things } from "./things.js";

/** @typedef {{ use: (thing: HTMLElement) => void, back: () => void }} Does */

/** @param {HTMLElement} thing @param {boolean} right */
function moveOn(thing, right) {
  const all = things().filter((each) => each.getClientRects().length);
  const next = all[all.indexOf(thing) + (right ? 1 : -1)];
  if (next) next.focus();
}

/** @param {HTMLElement} card @param {boolean} right */
function sort(card, right) {
  let other = itemOf(card);
  do other = /** @type {HTMLElement} */ (right ? other.nextElementSibling : other.previousElementSibling);
  while (other && other.matches(".aside"));
  if (other) moveBeside(card, /** @type {HTMLElement} */ (other.firstElementChild), right);
  card.focus();
}

/**
 * Listens to the keys that are pressed on a thing.
 * @param {Does} does
 */
export function listenToKeys({ use, back }) {
  live.addEventListener("keydown", (event) => {
    const thing = thingAt(event.target);
    if (!thing || event.target !== thing) return;
    const isArrow = event.key === "ArrowLeft" || event.key === "ArrowRight";
    const isUse = event.key === "Enter" || event.key === " ";
    if (isArrow || isUse) event.preventDefault();
    if (isUse) use(thing);
    else if (isArrow && event.shiftKey && kindOf(thing) === "card" && !isInTray(thing)) sort(thing, event.key === "ArrowRight");
    else if (isArrow) moveOn(thing, event.key === "ArrowRight");
    else if (event.key === "Escape") back();
  });
}

// ---- The way to one's own cards, past the head of the page and the others' tables

const skip = /** @type {HTMLElement} */ (document.getElementById("skip-to-cards"));

skip.addEventListener("click", (event) => {
  const own = ownThing();
  if (!own) return;
  event.preventDefault();
  own.focus();
});

// ---- The list of moves, one stop of the Tab key: arrows go from move to move

const list = /** @type {HTMLElement} */ (document.getElementById("moves-list"));
const links = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll("a")]);

function makeOneStop() {
  for (const link of links()) link.tabIndex = -1;
}

list.addEventListener("keydown", (event) => {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const next = links()[links().findIndex((link) => link === document.activeElement) + step];
  if (!step || !next) return;
  event.preventDefault();
  next.focus();
});
document.addEventListener("trefoil:updated", makeOneStop);
makeOneStop();

// ---- The focus of the keys, where the thing that had it is gone

let byKeys = "";
let place = 0; // among the things of its kind

/** @param {string} name */
const alike = (name) => things().filter((each) => kindOf(each) === name.split(":")[0]);

document.addEventListener("trefoil:updating", () => {
  const focused = document.activeElement;
  byKeys = focused && focused.matches(":focus-visible") ? nameOf(focused) : "";
  place = alike(byKeys).findIndex((each) => each === focused);
});

/** Focuses what takes the place of a thing that had the focus and is gone. */
export function focusAgain() {
  const isGone = byKeys !== "" && nameOf(document.activeElement) === "";
  const thing = isGone && (thingNamed(byKeys) || alike(byKeys).slice(0, place + 1).pop());
  if (thing) thing.focus({ preventScroll: true });
}
