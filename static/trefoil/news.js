// Asks for what is new at the table, one request at a time, and shows it at the reader's pace.
import { answered, failed } from "./connection.js";
import { pause } from "./pace.js";
import { isEnding, showStatus, shownSeq, update } from "./parts.js";
import { htmlOf } from "./request.js";
import { live } from "./things.js";

const MOST_BEHIND = 12; // moves that are shown one by one; of more, only how the table is then

let last = shownSeq(); // the last move that the page has heard of
let shownAt = 0;
let paced = 0;
let skipping = false;
let held = false; // what lies on the table waits for the reader
let leaving = false; // the end of a deal, for the next one

/** Notes a move that the page has heard of, and returns whether it is new. @param {number} seq */
export function heard(seq) {
  last = Math.max(last, seq);
  return last > shownSeq();
}

/** @param {string} html */
export function show(html) {
  const shown = update(html);
  if (!shown) return;
  heard(shown.last);
  leaving = false;
  shownAt = Date.now();
  if (shown.behind) again = true;
}

// ---- The pace

/** Returns whether the next move of others has to wait for its time, and asks for it then. */
function isEarly() {
  const wait = skipping ? 0 : shownAt + pause() - Date.now();
  clearTimeout(paced);
  if (wait > 0) paced = setTimeout(refresh, wait);
  return wait > 0;
}

/** Shows the table as it is, without the moves on the way there. */
export function skip() {
  skipping = true;
  refresh();
}

/**
 * Lets the moves of others wait, or go on.
 * @param {boolean} on
 */
export function hold(on) {
  const goesOn = held && !on;
  held = on;
  if (goesOn) refresh();
}

/** Shows the next deal after the end of one. */
export function nextDeal() {
  if (!isEnding() || leaving) return;
  leaving = true;
  shownAt = 0;
  refresh();
}

// ---- Requests

let busy = 0; // requests on their way
let again = false; // whether something is to be asked for once they are answered

/**
 * Lets news wait until a request is answered, and returns what it returns.
 * @param {Promise<void>} request
 */
export function first(request) {
  busy += 1;
  return request.finally(() => {
    busy -= 1;
    if (!again) return;
    again = false;
    refresh();
  });
}

/** Returns an address to which the answer is what is new: moves that come faster than wanted one by one. @param {string} address */
export function newsFrom(address) {
  const form = new URLSearchParams(location.search).get("form");
  const to = pause() && !skipping && last - shownSeq() <= MOST_BEHIND ? `&to=${shownSeq() + 1}` : "";
  return `${address}?after=${shownSeq()}${to}${form ? `&form=${encodeURIComponent(form)}` : ""}`;
}

/** Asks for what is new, or does so later where something else is on its way. */
export function refresh() {
  if (busy) { again = true; return; }
  if (stays()) { peek(); return; }
  if (isEarly()) return;
  const skipped = skipping;
  first(htmlOf(newsFrom(String(live.dataset.news)))
    .then((html) => { answered(); show(html); }, failed)
    .then(() => { if (skipped) skipping = false; }));
}

// Whether the table stays as it is shown: at the end of a deal, or while the reader looks at cards.
const stays = () => (isEnding() && !leaving) || (held && !skipping);

// The game goes on meanwhile: the status tells the deadline, and whether it is the reader's turn.
function peek() {
  htmlOf(`${live.dataset.news}?after=${shownSeq()}`)
    .then((html) => { answered(); if (stays()) showStatus(html); }, failed);
}

document.addEventListener("trefoil:pace", () => refresh());
live.addEventListener("click", (event) => {
  if (/** @type {Element} */ (event.target).closest("[data-next-deal]")) nextDeal();
});
