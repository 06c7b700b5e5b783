// Lets a player drag the cards of the hand into another order, and things of the table onto others.
import Sortable from "../vendor/sortable/sortable.esm.js";
import { groupOf } from "./groups.js";
import { isInTray, isPicked, itemOf, kindOf, live, thingAt, things } from "./things.js";
import { keepHand, sortHand } from "./sorted.js";

/** @typedef {import("../vendor/sortable/sortable.esm.js").SortableEvent} SortableEvent */
/**
 * What is done with a thing: as it is lifted, put onto another, put aside with a group or as a new one, taken back out of the
 * tray, used as by a tap, or let go elsewhere.
 * @typedef {{ lift: (thing: HTMLElement) => void, drop: (thing: HTMLElement, onto: HTMLElement) => void,
 *   putAside: (card: HTMLElement, group: number | undefined) => void, takeOut: (card: HTMLElement) => void, use: (thing: HTMLElement) => void,
 *   letGo: () => void }} Does
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
  if (thing && isPicked(thing)) lift(thing);
  live.classList.toggle("lifting", thing !== undefined && kindOf(thing) === "card");
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

// A pile that is dragged into the hand is used, and a drawn card uses one's own card on which it is let go.
/** @param {HTMLElement} item @param {HTMLElement | undefined} thing @param {Element} place */
function usedBy(item, thing, place) {
  if (thing) return place.closest(".thumb") ? thing : null;
  const own = item.matches("[data-held]") ? thingAt(place) : null;
  return own && own.closest("[data-mine]") ? own : null;
}

// What lies where a thing is let go, null where the browser has ended the drag.
/** @param {Event & { clientX: number, clientY: number }} event */
const under = (event) => (event.type.endsWith("cancel") ? null : document.elementFromPoint(event.clientX, event.clientY));

/** @param {SortableEvent} event @param {Does} does */
function end({ item, originalEvent }, does) {
  endSoon();
  live.classList.remove("lifting");
  const [thing, place] = [thingIn(item), under(originalEvent)];
  if (!thing || !isPicked(thing)) {
    const used = place && usedBy(item, thing, place);
    if (used) does.use(used);
    return;
  }
  const target = thingAt(place);
  const onto = target && !isPicked(target) ? target : null;
  const isAside = place !== null && kindOf(thing) === "card" && place.closest("#dock") !== null;
  if (!place || onto || isAside) sortHand();
  else if (item.closest("#hand")) keepHand();
  if (!place) does.letGo();
  else if (onto) does.drop(thing, onto);
  else if (isAside) does.putAside(thing, groupOf(place) < 0 ? undefined : groupOf(place));
  else if (isInTray(thing) && place.closest("#hand")) does.takeOut(thing);
  else does.letGo();
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
  const picked = things().filter(isPicked).map((thing) => /** @type {HTMLElement} */ (listItem(thing).parentElement));
  /** @type {NodeListOf<HTMLElement>} */
  const piles = live.querySelectorAll("#table .piles:has(> .pile:is([data-thing], [data-held]))");
  for (const list of [...picked, ...piles]) if (!Sortable.get(list)) lists.push(listen(list, does));
}

// A thing that is no longer there can't be dragged on.
document.addEventListener("trefoil:updated", () => {
  if (Sortable.dragged && !live.contains(Sortable.dragged)) document.dispatchEvent(new PointerEvent("pointercancel"));
});
