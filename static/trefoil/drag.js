// Lets a player drag the cards of the hand into another order, and things of the table onto others.
import Sortable from "../vendor/sortable/sortable.esm.js";
import { isPicked, itemOf, live, thingAt, things } from "./things.js";
import { keepHand, sortHand } from "./sorted.js";

/** @typedef {import("../vendor/sortable/sortable.esm.js").SortableEvent} SortableEvent */
/**
 * What is done with a thing: as it is lifted, put onto another, or let go elsewhere.
 * @typedef {{ lift: (thing: HTMLElement) => void, drop: (thing: HTMLElement, onto: HTMLElement) => void, letGo: () => void }} Does
 */

const DRAGGED = 8; // pixels, below which a press is a tap
const LONG = 150; // milliseconds that a finger rests on a table which it would otherwise scroll
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Sortable[]} */
let lists = [];
let dragged = false;

/** Returns whether a click comes from the end of a drag. */
export const isDragged = () => dragged;

// Where cards lie in no list, the place that holds them is the list.
/** @param {HTMLElement} thing */
const listItem = (thing) => (itemOf(thing).matches("li") ? itemOf(thing) : thing);

/** @param {HTMLElement} item */
const thingIn = (item) => things().find((each) => item.contains(each));

/** @param {SortableEvent} event @param {Does} does */
function begin({ item }, { lift }) {
  dragged = true;
  const thing = thingIn(item);
  if (thing) lift(thing);
  const { ghost } = Sortable;
  for (const named of ghost ? ghost.querySelectorAll("[id]") : []) named.removeAttribute("id");
  if (ghost && item.closest("#hand")) ghost.classList.add("of-hand");
}

// The click that follows a drag is no tap. The library waits for one, which a finger doesn't make.
function endSoon() {
  setTimeout(() => {
    dragged = false;
    document.documentElement.dispatchEvent(new MouseEvent("click"));
  });
}

/** @param {SortableEvent} event @param {Does} does */
function end({ item, originalEvent }, { drop, letGo }) {
  endSoon();
  const thing = thingIn(item);
  const isCut = !thing || originalEvent.type.endsWith("cancel");
  const target = isCut ? null : thingAt(document.elementFromPoint(originalEvent.clientX, originalEvent.clientY));
  const onto = target && !isPicked(target) ? target : null;
  if (isCut || onto) sortHand();
  else if (item.closest("#hand")) keepHand();
  if (thing && onto) drop(thing, onto);
  else letGo();
}

/** @param {HTMLElement} list @param {Does} does */
function listen(list, does) {
  const isHand = list.closest("#hand") !== null;
  return new Sortable(list, {
    sort: isHand,
    // The hand is not scrolled by a finger, a table may be.
    delay: isHand ? 0 : LONG,
    delayOnTouchOnly: true,
    touchStartThreshold: DRAGGED,
    // Mouse and finger do the same.
    forceFallback: true,
    fallbackTolerance: DRAGGED,
    fallbackOnBody: true,
    fallbackClass: "ghost",
    ghostClass: "lifted",
    animation: calm.matches ? 0 : 120,
    scroll: false,
    onStart: (event) => begin(event, does),
    onEnd: (event) => end(event, does),
  });
}

/** @param {Sortable[]} gone */
function forget(gone) {
  lists = lists.filter((list) => !gone.includes(list));
  for (const list of gone) list.destroy();
}

/**
 * Lets what is picked be dragged on the table as it is now.
 * @param {Does} does
 */
export function letDrag(does) {
  if (!Sortable.dragged) forget(lists.filter(({ el }) => !el.isConnected));
  for (const thing of things().filter(isPicked)) {
    const list = /** @type {HTMLElement} */ (listItem(thing).parentElement);
    if (!Sortable.get(list)) lists.push(listen(list, does));
  }
}

// A thing that is no longer there can't be dragged on.
document.addEventListener("trefoil:updated", () => {
  if (Sortable.dragged && !live.contains(Sortable.dragged)) document.dispatchEvent(new PointerEvent("pointercancel"));
});
