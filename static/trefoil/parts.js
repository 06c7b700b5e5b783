// Patches the parts of the page that change with each move, and tells screen readers what has happened.
import { movesTold, sentences } from "./announcement.js";
import { patch } from "./patch.js";
import { removeRefusal } from "./refusal.js";
import { live } from "./things.js";

const announcer = /** @type {HTMLElement} */ (document.getElementById("announcer"));
const READ = 4000; // milliseconds in which the answer to an action can be read
const IN_PASSING = ["table", "steps", "hand"]; // the parts shown of a move that is not the last
const AT_THE_END = [...IN_PASSING, "sheet"]; // and of the end of a deal
const AT_THE_TABLE = "#table, .thumb, #play";

/** Returns whether the end of a deal is shown, which stays until the reader wants the next one. */
export const isEnding = () => live.classList.contains("ending");

/** Returns the last move that is shown. */
export const shownSeq = () => Number(live.dataset.seq);

const isRunning = () => Boolean(live.querySelector("#status [data-running]"));

/** @param {string} html */
const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

// Adds new moves above the others.
/** @param {HTMLElement[]} added */
function addMoves(added) {
  const list = document.getElementById("moves-list");
  if (!list || !added.length) return;
  const current = list.querySelector("[aria-current]");
  if (current) current.removeAttribute("aria-current");
  list.prepend(...added);
}

// Each move in words, how a deal or the game ended, and whose turn it is now where it is the reader's.
/** @param {HTMLElement[]} added @param {number} count */
function announce(added, count) {
  const moves = added.map((move) => (move.querySelector("[data-told]") || move).textContent);
  const { oneBefore: one = "", moreBefore: more = "" } = announcer.dataset;
  const ends = [...live.querySelectorAll("#ending h2, #ending [data-told]")].map((each) => each.textContent);
  const turn = document.getElementById("turn");
  announcer.textContent = sentences([...movesTold(moves, count, { one, more }), ...ends, turn && turn.textContent]);
}

// What an action was answered is over with the first move after it.
function removeAnswer() {
  const answer = document.getElementById("messages");
  if (answer) setTimeout(() => answer.remove(), Math.max(0, READ - performance.now()));
}

// ---- How many watch, which the stream tells and an update does not

let watching = 0;

/** @param {number} count */
export function tellWatching(count) {
  watching = count;
  showWatching();
}

function showWatching() {
  const place = document.getElementById("watching");
  if (!place) return;
  place.hidden = !watching;
  const [number, words] = ["number", "words"].map((name) => /** @type {HTMLElement} */ (place.querySelector(`.${name}`)));
  number.textContent = String(watching);
  words.textContent = String(words.dataset.words).replace("#", String(watching));
}

// ---- The focus

// Whether the focus is where the end of a deal takes it from nobody who reads or writes elsewhere.
function isAtTable() {
  const focused = document.activeElement;
  return !focused || focused === document.body || Boolean(focused.closest(AT_THE_TABLE));
}

/** @param {string} id */
function focusOn(id) {
  const place = id && document.getElementById(id);
  if (!place) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

// ---- News

// Whether everybody has accepted: how a game that is played is laid out, and what apps have for it, comes with its page.
/** @param {Document} news */
const hasBegun = (news) => Boolean(live.querySelector("#invitation > *")) && !news.querySelector("#invitation > *");

// Whether a game of cards is over: its page tells how it went, and replays it. Who looks at an earlier move stays there.
/** @param {Document} news */
const hasEnded = (news) => live.matches(".one-screen:not(.in-past)") && !news.querySelector("#status [data-running]");

/** @param {Document} news @param {boolean} behind @param {boolean} ending */
function patchAll(news, behind, ending) {
  const turn = document.getElementById("turn");
  if (behind && turn) turn.remove();
  for (const part of live.querySelectorAll("[data-live]")) {
    if (behind && !(ending ? AT_THE_END : IN_PASSING).includes(part.id)) continue;
    const fresh = news.getElementById(part.id);
    if (fresh) patch(part, fresh);
  }
}

/**
 * Shows the table as the news tell it. Returns the last move of the game and whether more is to be shown, null where
 * nothing is new.
 * @param {string} html @returns {{ last: number, behind: boolean } | null}
 */
export function update(html) {
  const news = parsed(html);
  const { dataset } = /** @type {HTMLElement} */ (news.getElementById("live"));
  const [seq, last, before] = [Number(dataset.seq), Number(dataset.last), shownSeq()];
  // After the end of a deal the same move is shown again, with the next deal.
  const left = isEnding();
  if (seq < before || (seq === before && !left)) return null;
  if (hasBegun(news) || hasEnded(news)) { location.reload(); return null; }
  live.dataset.seq = String(seq);
  const ending = Boolean(dataset.ending);
  const behind = ending || seq < last;
  live.classList.toggle("behind", behind);
  live.classList.toggle("ending", ending);
  // Another answer may have brought some of these moves.
  const added = [...news.querySelectorAll("#moves-list > *")].filter((move) => Number(move.dataset.seq) > before);
  document.dispatchEvent(new CustomEvent("trefoil:updating", { detail: { by: added.map((move) => move.dataset.by || ""), news } }));
  const atTable = isAtTable();
  patchAll(news, behind, ending);
  removeRefusal();
  addMoves(added);
  if (added.length) removeAnswer();
  announce(added, seq - before);
  showWatching();
  document.dispatchEvent(new CustomEvent("trefoil:updated"));
  if (atTable) focusOn(ending || !isRunning() ? "ending" : left ? "table-title" : "");
  return { last, behind };
}

/**
 * Shows the deadline, and whether it is the reader's turn, while the table stays as it is.
 * @param {string} html
 */
export function showStatus(html) {
  const [status, turn] = ["status", "turn"].map((id) => document.getElementById(id));
  const fresh = parsed(html).getElementById("status");
  if (!fresh || !status) return;
  patch(status, fresh);
  showWatching();
  const now = document.getElementById("turn");
  if (!now || turn) return;
  announcer.textContent += ` ${now.textContent}`;
  document.dispatchEvent(new CustomEvent("trefoil:turn"));
}
