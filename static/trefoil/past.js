// Steps through a game without loading pages: the table after an earlier move is shown in place of the present one.
//
// The server decides what the reader may see of the past: each step asks for the page of its move. What tells of that
// move takes the places of what tells of the present, which is hidden and kept up to date (live.js), so that nothing
// else moves and the way back needs no request. The reader's hand stays: it is the one that the rules show now,
// with the cards that are put aside, whose tray is not shown.
import { htmlOf } from "./request.js";
import { live } from "./things.js";
import { letReadOn } from "./where.js";

const said = /** @type {HTMLElement} */ (document.getElementById("past-said"));
const lost = /** @type {HTMLElement} */ (document.getElementById("past-lost"));
const bar = document.getElementById("looking-back");
const PARTS = ["steps", "table", "sheet", "moves"];
const NAMING = ["id", "for", "aria-labelledby", "aria-describedby"];
const TO_A_MOVE = /^\?at=(\d+)$/;

let wanted = 0; // the move that was asked for last, 0 for the present table
let asked = 0; // how often something was asked for: what comes of all but the last is no longer wanted

const isPast = () => live.classList.contains("in-past");

/** @param {string} name */
const within = (name) => document.getElementById(isPast() ? `past-${name}` : name);

/** @param {string} selector */
const find = (selector) => /** @type {HTMLElement | null} */ (
  PARTS.map(within).map((part) => part && part.querySelector(selector)).find(Boolean) || null);

// ---- Where the reader is on the page

const scrolled = (/** @type {HTMLElement | null} */ list) => (list ? list.scrollTop : 0);
const isSeen = (/** @type {Element} */ part) => part.getClientRects().length > 0;

/** @typedef {{ selector: string, top: number, list: number, focused: boolean }} Place */

/** @param {Element} link @returns {Place} */
function placeOf(link) {
  const { step, seq } = /** @type {HTMLElement} */ (link.closest("[data-step], [data-seq]") || link).dataset;
  const near = link.closest(".steps") || link;
  return {
    selector: step ? `[data-step="${step}"]` : `[data-seq="${seq}"] a`,
    top: near.getBoundingClientRect().top,
    list: scrolled(within("moves-list")),
    focused: live.contains(document.activeElement),
  };
}

// What was clicked stays under the finger, and the focus on it; at an end of the game on the steps.
/** @param {Place} place */
function returnTo(place) {
  const [list, steps, same] = [within("moves-list"), within("steps"), find(place.selector)];
  if (list) showCurrent(list, place.list);
  const near = (same && same.closest(".steps")) || same;
  if (near && isSeen(near)) scrollBy(0, near.getBoundingClientRect().top - place.top);
  if (!place.focused) return;
  if (!same && steps) steps.tabIndex = -1;
  const focused = same || steps;
  if (focused) focused.focus({ preventScroll: true });
}

/** @param {HTMLElement} list @param {number} top */
function showCurrent(list, top) {
  list.scrollTop = top;
  const current = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current]"));
  if (!current) return;
  const from = current.offsetTop - list.offsetTop;
  const isWithin = from >= list.scrollTop && from + current.offsetHeight <= list.scrollTop + list.clientHeight;
  if (!isWithin) list.scrollTop = from - list.clientHeight / 2;
}

// ---- The past and the present

// Both tables are on the page: the names of the past one's parts are others.
/** @param {HTMLElement} part */
function rename(part) {
  for (const name of NAMING) {
    for (const named of [part, ...part.querySelectorAll(`[${name}]`)]) {
      if (named.hasAttribute(name)) named.setAttribute(name, `past-${named.getAttribute(name)}`);
    }
  }
}

const forget = () => live.querySelectorAll("[data-past]").forEach((part) => part.remove());

/** @param {boolean} past */
function turn(past) {
  live.classList.toggle("in-past", past);
  if (bar) bar.hidden = !past;
  const hand = document.getElementById("hand");
  if (hand) hand.inert = past;
}

/** @param {number} at */
function addressOf(at) {
  const address = new URL(String(said.dataset.page), location.href);
  if (at) address.searchParams.set("at", String(at));
  return address.href;
}

/** @param {number} at */
const keepAddress = (at) => history.replaceState(null, "", addressOf(at));

function tell() {
  const where = find(".where");
  said.textContent = where ? where.textContent.replace(/\s+/g, " ").trim() : "";
}

/** @param {Document} page @param {Place} place */
function showPast(page, place) {
  forget();
  for (const name of PARTS) {
    const [here, fresh] = [document.getElementById(name), page.getElementById(name)];
    if (!here || !fresh) continue;
    rename(fresh);
    fresh.dataset.past = name;
    delete fresh.dataset.live;
    here.after(fresh);
  }
  turn(true);
  keepAddress(wanted);
  letReadOn();
  returnTo(place);
  tell();
}

/** @param {Place} place */
function showPresent(place) {
  wanted = 0;
  forget();
  turn(false);
  keepAddress(0);
  // What is measured to fill the screen was hidden.
  dispatchEvent(new Event("resize"));
  returnTo(place);
  tell();
}

/** @param {string} html @param {string} address @param {Place} place */
function show(html, address, place) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const table = page.getElementById("live");
  const isPresent = Boolean(table && table.dataset.events);
  // A game that is over meanwhile has another page, and a page that was loaded in the past no present table.
  if (!table || page.getElementById("studio") || (isPresent && !live.dataset.events)) location.assign(address);
  else if (isPresent) showPresent(place);
  else showPast(page, place);
}

/** @param {number} to @param {Place} place */
function ask(to, place) {
  wanted = to;
  asked += 1;
  lost.hidden = true;
  const [address, own] = [addressOf(to), asked];
  htmlOf(address)
    .then((html) => { if (own === asked) show(html, address, place); })
    .catch(() => { if (own === asked) fail(); });
}

function fail() {
  lost.hidden = false;
  wanted = isPast() ? Number(new URLSearchParams(location.search).get("at")) : 0;
}

/** @param {HTMLElement} link */
function moveOf(link) {
  const found = TO_A_MOVE.exec(link.getAttribute("href") || "");
  if (!found) return 0;
  // Steps may be asked for faster than they are shown.
  const by = wanted ? { ArrowLeft: -1, ArrowRight: 1 }[String(link.dataset.step)] : 0;
  return by ? Math.max(1, wanted + by) : Number(found[1]);
}

document.addEventListener("click", (event) => {
  const link = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("#live a"));
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const isBack = link.dataset.step === "End" && Boolean(live.dataset.events);
  const to = moveOf(link);
  if (!isBack && !to) return;
  event.preventDefault();
  if (to) ask(to, placeOf(link));
  else {
    asked += 1;
    showPresent(placeOf(link));
  }
});
