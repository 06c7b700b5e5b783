// Lets cards travel between hands, piles and melds as the table changes, unless the reader wants no motion.
import { pause } from "./pace.js";

/** @typedef {{ count: number, html: string, box: DOMRect }} Before */

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const FLIGHT = 380;

/** @type {Map<string, Before>} */
let before = new Map();
/** @type {string} */
let mover = "";
let isShown = false; // whether what is moved now may travel
let wasEnd = false; // whether the end of a deal lay on the table

const things = () => [...live.querySelectorAll("#table [data-thing], #hand [data-thing]")];
const countOf = (/** @type {HTMLElement} */ thing) => Number(thing.dataset.count || 0);
const wanted = () => !live.classList.contains("in-past") && Boolean(document.body.animate) && !calm.matches && !document.hidden;

const isEnd = () => live.classList.contains("ending") || !live.querySelector("#status [data-running]");

// Moves of others that are shown at once do not travel one by one.
/** @param {string[]} by */
function mayTravel(by) {
  const own = live.querySelector("#table [data-mine]");
  return pause() > 0 || (own !== null && by.every((seat) => seat === own.dataset.seat));
}

// Where the cards of a seat come from and go to: its place at the table, or the reader's own hand.
/** @param {string} seat */
function homeOf(seat) {
  const place = live.querySelector(`[data-seat="${seat}"]`);
  return place && place.hasAttribute("data-mine") ? live.querySelector("#hand .cards") || place : place;
}

/** @type {Set<string>} */
const done = new Set();

/**
 * Notes that the cards of a thing have travelled before the answer came; null forgets all.
 * @param {HTMLElement | null} thing
 */
export function flown(thing) {
  if (thing) done.add(String(thing.dataset.thing));
  else done.clear();
}

/**
 * Lets a copy of a card travel, unless the reader wants no motion.
 * @param {HTMLElement} face @param {DOMRect} from @param {DOMRect} to
 */
export function fly(face, from, to) {
  if (!wanted()) return;
  const card = /** @type {HTMLElement} */ (face.cloneNode(true));
  const size = face.getBoundingClientRect();
  card.classList.add("flying");
  card.setAttribute("aria-hidden", "true");
  card.style.width = `${size.width}px`;
  card.style.height = `${size.height}px`;
  document.body.append(card);
  const at = (/** @type {DOMRect} */ box) =>
    `translate(${box.left + (box.width - size.width) / 2}px, ${box.top + (box.height - size.height) / 2}px)`;
  card.animate([{ transform: at(from) }, { transform: at(to) }], { duration: FLIGHT, easing: "ease-in-out" })
    .onfinish = () => card.remove();
}

/** @param {HTMLElement} thing @param {Before} was */
function move(thing, was) {
  const home = homeOf(mover);
  const faces = thing.querySelectorAll(".card");
  const face = faces[faces.length - 1];
  if (!home || !face) return;
  const [there, here] = [home.getBoundingClientRect(), thing.getBoundingClientRect()];
  if (countOf(thing) > was.count) {
    const own = before.get(`card:${face.dataset.code}`);
    fly(face, own && home.matches("#hand *") ? own.box : there, here);
  } else {
    // What left is the card that lay on top before.
    const old = document.createElement("div");
    old.innerHTML = was.html;
    const left = old.querySelectorAll(".card");
    const top = left[left.length - 1];
    /** @type {HTMLElement} */ (face.parentElement).append(top);
    fly(top, here, there);
    top.remove();
  }
}

// A card that is turned over turns where it lies.
/** @param {HTMLElement} thing */
function turn(thing) {
  thing.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], { duration: FLIGHT / 2 });
}

document.addEventListener("trefoil:updating", (event) => {
  const { by } = /** @type {CustomEvent} */ (event).detail;
  [mover] = by;
  isShown = mayTravel(by);
  if (!wanted()) return;
  before = new Map(things().map((thing) => [String(thing.dataset.thing), {
    count: countOf(thing), html: thing.innerHTML, box: thing.getBoundingClientRect(),
  }]));
});

// What a deal or the game brought is read without cards above it, and the next deal begins with all in their places.
function isStill() {
  const [end, begin] = [isEnd(), wasEnd];
  wasEnd = end;
  if (end) document.querySelectorAll(".flying").forEach((card) => card.remove());
  return end || begin || !isShown;
}

document.addEventListener("trefoil:updated", () => {
  const still = isStill();
  if (!wanted()) return;
  for (const thing of still ? [] : things()) {
    const was = before.get(String(thing.dataset.thing));
    if (!was || done.has(String(thing.dataset.thing))) continue;
    if (thing.dataset.count && countOf(thing) !== was.count) move(thing, was);
    else if (String(thing.dataset.thing).startsWith("at:") && thing.innerHTML !== was.html) turn(thing);
  }
  before = new Map();
  done.clear();
});
