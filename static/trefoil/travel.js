// Lets cards travel between hands, piles and melds as the table changes, unless the reader wants no motion.
import { pause } from "./pace.js";
import { kindOf, live, thingNamed, things } from "./things.js";

/** @typedef {{ count: number, html: string, box: DOMRect }} Before */

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const FLIGHT = 420;
const LIFT = 14; // pixels
const DEALT = 1400; // milliseconds, until the last card of a hand lies there

/** @type {Map<string, Before>} */
let before = new Map();
/** @type {string} */
let mover = "";
/** @type {Map<string, number>} */
let hands = new Map(); // how many cards each seat held
let isShown = false; // whether what is moved now may travel
let wasEnd = false; // whether the end of a deal lay on the table

const countOf = (/** @type {HTMLElement} */ thing) => Number(thing.dataset.count || 0);
const wanted = () => !live.classList.contains("in-past") && Boolean(document.body.animate) && !calm.matches && !document.hidden;

const isEnd = () => live.classList.contains("ending") || !live.querySelector("#status [data-running]");

// Moves of others that are shown at once do not travel one by one.
/** @param {string[]} by */
function mayTravel(by) {
  if (by.some((seat) => seat !== mover)) return false;
  const own = live.querySelector("#table [data-mine]");
  return pause() > 0 || (own !== null && mover === own.dataset.seat);
}

// Where the cards of a seat come from and go to: the count of its hand or its place, or the reader's own hand.
/** @param {string} seat */
function homeOf(seat) {
  const place = live.querySelector(`[data-seat="${seat}"]`);
  if (!place) return null;
  return (place.hasAttribute("data-mine") && live.querySelector("#hand .cards")) || place.querySelector(".in-hand .card") || place;
}

/** @type {(hand: HTMLElement) => [string, number]} */
const held = (hand) => [String(/** @type {HTMLElement} */ (hand.closest("[data-seat]")).dataset.seat), Number(hand.dataset.holds)];
const HELD = "[data-seat] [data-holds]";
const handsNow = () => new Map([.../** @type {NodeListOf<HTMLElement>} */ (live.querySelectorAll(HELD))].map(held));

// What one seat declines another draws: the card comes to the hand that has grown.
function taker() {
  for (const [seat, count] of handsNow()) if (count > Number(hands.get(seat))) return seat;
  return mover;
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
 * Lets a copy of a card travel, unless the reader wants no motion. What has landed is seen once the copy is there.
 * @param {HTMLElement} face @param {DOMRect} from @param {DOMRect} to @param {HTMLElement=} landed
 */
export function fly(face, from, to, landed) {
  if (!wanted()) return;
  const card = /** @type {HTMLElement} */ (face.cloneNode(true));
  const size = face.getBoundingClientRect();
  card.classList.add("flying");
  card.setAttribute("aria-hidden", "true");
  card.style.width = `${size.width}px`;
  card.style.height = `${size.height}px`;
  document.body.append(card);
  const [start, end] = [from, to].map((box) => [box.left + (box.width - size.width) / 2, box.top + (box.height - size.height) / 2]);
  const at = (/** @type {number[]} */ [x, y], how = "") => `translate(${x}px, ${y}px) ${how}`.trim();
  // It is lifted on its way, leans into it, and comes to rest.
  const lean = Math.sign(end[0] - start[0]) * 5;
  const middle = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2 - LIFT];
  card.animate([
    { transform: at(start) },
    { transform: at(middle, `rotate(${lean}deg) scale(1.12)`), offset: 0.55 },
    { transform: at(end, `scale(${Math.min(1, to.width / size.width)})`) },
  ], { duration: FLIGHT, easing: "cubic-bezier(.3, .05, .25, 1)" }).onfinish = () => card.remove();
  if (landed) landed.animate([{ opacity: 0 }, { opacity: 0 }], FLIGHT);
}

// Lets the last cards of a thing come from whoever made the move; the reader's own from where they lay in the hand.
/** @param {HTMLElement} thing @param {number} count @param {Element} home */
function come(thing, count, home) {
  /** @type {NodeListOf<HTMLElement>} */
  const faces = thing.querySelectorAll(".card");
  const isOwn = home.matches("#hand *");
  for (const face of [...faces].slice(-count)) {
    const own = isOwn && before.get(`card:${face.dataset.code}`);
    fly(face, own ? own.box : home.getBoundingClientRect(), face.getBoundingClientRect(), face);
  }
}

/** @param {HTMLElement} thing @param {Before} was @param {Element} home */
function move(thing, was, home) {
  const [here, there] = [thing.getBoundingClientRect(), (homeOf(taker()) || home).getBoundingClientRect()];
  if (countOf(thing) > was.count) {
    come(thing, countOf(thing) - was.count, home);
    return;
  }
  // What left is the card that lay on top before.
  const old = document.createElement("div");
  old.innerHTML = was.html;
  const top = /** @type {HTMLElement | undefined} */ ([...old.querySelectorAll(".card")].pop());
  if (!top) return;
  thing.append(top);
  fly(top, here, there);
  top.remove();
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
  hands = handsNow();
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

// Cards that were exchanged cross, also where they look as before: the card in each place comes from the other one.
function cross() {
  const exchanged = live.querySelector("#table [data-exchanged]");
  const names = exchanged ? String(exchanged.dataset.exchanged).split(" ") : [];
  const places = names.map((name) => thingNamed(name.startsWith("top:") ? "pile:deck" : name));
  const [one, other] = places;
  if (!one || !other) return;
  for (const [from, to] of [[one, other], [other, one]]) {
    const face = /** @type {HTMLElement | null} */ (to.querySelector(".card"));
    if (face) fly(face, from.getBoundingClientRect(), to.getBoundingClientRect(), face);
  }
}

/** @param {Set<string>} shown what has travelled already @param {Element} home */
function travel(shown, home) {
  for (const thing of things()) {
    const name = String(thing.dataset.thing);
    const [kind, was] = [kindOf(thing), before.get(name)];
    if (shown.has(name)) continue;
    if (!was && (kind === "meld" || kind === "at")) come(thing, Math.max(1, countOf(thing)), home);
    else if (was && thing.dataset.count && countOf(thing) !== was.count) move(thing, was, home);
    else if (was && kind === "at" && thing.innerHTML !== was.html) turn(thing);
  }
  cross();
}

let deal = "";
function dealOut() {
  const title = document.getElementById("table-title");
  const now = title && !isEnd() ? title.textContent || "" : "";
  if (deal && now && now !== deal && wanted()) {
    live.classList.add("dealt");
    setTimeout(() => live.classList.remove("dealt"), DEALT);
  }
  if (now) deal = now;
}
dealOut();

document.addEventListener("trefoil:updated", () => {
  dealOut();
  const shown = new Set(done);
  const home = homeOf(mover);
  done.clear();
  if (isStill() || !wanted() || !home) return;
  // Where cards fly to is where they lie once all is fitted to the screen.
  queueMicrotask(() => travel(shown, home));
});
