// Keeps the page of a running game up to date and sends its moves, also where the connection comes and goes.
//
// On each event the parts that change are fetched and patched. A move is sent with the number that it takes in
// the log, so that it may be sent again until it is answered and is made once.
import { pause } from "./pace.js";
import { patch } from "./patch.js";
import { alive, watch } from "./stream.js";

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const announcer = /** @type {HTMLElement} */ (document.getElementById("announcer"));
const offline = /** @type {HTMLElement} */ (document.getElementById("offline"));
const unsent = /** @type {HTMLElement} */ (document.getElementById("unsent"));
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;
const ASLEEP = 20000;
const MOST_TOLD = 5;
const READ = 4000; // milliseconds in which the answer to an action can be read
const MOST_BEHIND = 12; // moves that are shown one by one; of more, only how the table is then
const IN_PASSING = ["table", "steps", "hand"]; // the parts shown of a move that is not the last
const AT_THE_END = [...IN_PASSING, "sheet"]; // and of the end of a deal
const AT_THE_TABLE = "#table, #hand, #dock, #play";

// ---- The parts that change

// Adds new moves above the others.
/** @param {HTMLElement[]} added */
function addMoves(added) {
  const list = document.getElementById("moves-list");
  if (!list || !added.length) return;
  const current = list.querySelector("[aria-current]");
  if (current) current.removeAttribute("aria-current");
  list.prepend(...added);
}

// Each move in words, the first one first, how a deal or the game ended, and whose turn it is now where it is the reader's.
/** @param {HTMLElement[]} added */
function announce(added) {
  const told = added.slice(0, MOST_TOLD).reverse().map((move) => (move.querySelector("[data-told]") || move).textContent);
  const ends = live.querySelectorAll("#ending h2, #ending [data-told]");
  const turn = document.getElementById("turn");
  const said = [...told, ...[...ends].map((each) => each.textContent), turn ? turn.textContent : ""];
  const sentences = said.map((each) => String(each).replace(/\s+/g, " ").trim()).filter(Boolean);
  announcer.textContent = sentences.map((each) => (/[.!?…]$/.test(each) ? each : `${each}.`)).join(" ");
}

function removeRefusal() {
  const refusal = document.getElementById("refusal");
  if (refusal) refusal.remove();
}

// What an action was answered is over with the first move after it.
function removeAnswer() {
  const answer = document.getElementById("messages");
  if (answer) setTimeout(() => answer.remove(), Math.max(0, READ - performance.now()));
}

let late = false; // whether the last move was refused because somebody else was first

// How many watch, which the stream tells and an update does not.
let watching = 0;

function showWatching() {
  const place = document.getElementById("watching");
  if (!place) return;
  place.hidden = !watching;
  const [number, words] = ["number", "words"].map((name) => /** @type {HTMLElement} */ (place.querySelector(`.${name}`)));
  number.textContent = String(watching);
  words.textContent = String(words.dataset.words).replace("#", String(watching));
}

/** @param {string} html */
function update(html) {
  const news = new DOMParser().parseFromString(html, "text/html");
  const { dataset } = /** @type {HTMLElement} */ (news.getElementById("live"));
  const [seq, before] = [Number(dataset.seq), Number(live.dataset.seq)];
  // After the end of a deal the same move is shown again, with the next deal.
  const left = isEnding();
  if (seq < before || (seq === before && !left)) return;
  live.dataset.seq = String(seq);
  last = Math.max(last, Number(dataset.last));
  const ending = Boolean(dataset.ending);
  const behind = ending || seq < Number(dataset.last);
  live.classList.toggle("behind", behind);
  live.classList.toggle("ending", ending);
  leaving = false;
  shownAt = Date.now();
  // Another answer may have brought some of these moves.
  const added = [...news.querySelectorAll("#moves-list > *")].filter((move) => Number(move.dataset.seq) > before);
  document.dispatchEvent(new CustomEvent("trefoil:updating", { detail: { by: added.map((move) => move.dataset.by || ""), news } }));
  const turn = document.getElementById("turn");
  if (behind && turn) turn.remove();
  const atTable = isAtTable();
  for (const part of live.querySelectorAll("[data-live]")) {
    if (behind && !(ending ? AT_THE_END : IN_PASSING).includes(part.id)) continue;
    const fresh = news.getElementById(part.id);
    if (fresh) patch(part, fresh);
  }
  // The form that was refused is no longer there. What came too late is told until the next try.
  if (!late && !live.querySelector("[aria-invalid]")) removeRefusal();
  addMoves(added);
  if (added.length) removeAnswer();
  announce(added);
  showWatching();
  if (!isRunning()) for (const tool of live.querySelectorAll("[data-while-running]")) tool.hidden = true;
  document.dispatchEvent(new CustomEvent("trefoil:updated"));
  if (atTable) focusOn(ending || !isRunning() ? "ending" : left ? "table-title" : "");
  if (behind) again = true;
}

const isRunning = () => Boolean(live.querySelector("#status [data-running]"));

// ---- The end of a deal, which stays until the reader wants the next one

const isEnding = () => live.classList.contains("ending");
let leaving = false;

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

/** Shows the next deal after the end of one. */
export function nextDeal() {
  if (!isEnding() || leaving) return;
  leaving = true;
  shownAt = 0;
  refresh();
}

live.addEventListener("click", (event) => {
  if (/** @type {Element} */ (event.target).closest("[data-next-deal]")) nextDeal();
});

// The game goes on meanwhile: the status tells the deadline, and whether it is the reader's turn.
function peek() {
  fetch(`${live.dataset.news}?after=${live.dataset.seq}`, { credentials: "same-origin", headers: { Accept: "text/html" } })
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(answer.status)))
    .then((html) => { answered(); if (isEnding() && !leaving) showStatus(html); }, failed);
}

/** @param {string} html */
function showStatus(html) {
  const [status, turn] = ["status", "turn"].map((id) => document.getElementById(id));
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("status");
  if (!fresh || !status) return;
  patch(status, fresh);
  showWatching();
  const now = document.getElementById("turn");
  if (!now || turn) return;
  announcer.textContent += ` ${now.textContent}`;
  document.dispatchEvent(new CustomEvent("trefoil:turn"));
}

// Moves that come faster than the reader wants them are asked for one by one.
/** @param {string} address */
function newsAfter(address) {
  const form = new URLSearchParams(location.search).get("form");
  const seq = Number(live.dataset.seq);
  const to = pause() && !skipping && last - seq <= MOST_BEHIND ? `&to=${seq + 1}` : "";
  return `${address}?after=${seq}${to}${form ? `&form=${encodeURIComponent(form)}` : ""}`;
}

// ---- The pace

let last = Number(live.dataset.seq); // the last move that the page has heard of
let shownAt = 0;
let paced = 0;
let skipping = false;
let held = false; // what lies on the table waits for the reader

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

document.addEventListener("trefoil:pace", () => refresh());

// ---- The connection

/** @type {EventSource | null} */
let source = null;
let over = false;
let failures = 0; // of requests, since the last answer
let losses = 0; // of streams, since the last one that was open
let retry = 0;
let hidden = 0;

function later() {
  clearTimeout(retry);
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.max(failures, losses));
  retry = setTimeout(reconnect, wait * (0.5 + Math.random() / 2));
}

/** @param {boolean} cut */
function shown(cut) {
  offline.hidden = !cut;
  live.classList.toggle("cut", cut);
}

/** Says that a request was lost, and tries again to reach the server. */
export function failed() {
  failures += 1;
  shown(failures > 1 || navigator.onLine === false);
  later();
}

function answered() {
  const isBack = failures > 0;
  failures = 0;
  shown(false);
  if (isBack) document.dispatchEvent(new CustomEvent("trefoil:connected"));
}

function lost() {
  losses += 1;
  later();
}

function reconnect() {
  clearTimeout(retry);
  listen();
  refresh();
  send();
}

function listen() {
  if (source) source.close();
  if (over) return;
  const stream = new EventSource(alive(String(live.dataset.events).replace(/after=\d+/, `after=${live.dataset.seq}`)));
  source = stream;
  // The answer to a move of one's own has it already.
  stream.addEventListener("move", (event) => {
    last = Math.max(last, Number(event.lastEventId));
    if (last <= Number(live.dataset.seq)) return;
    if (!move) document.dispatchEvent(new CustomEvent("trefoil:overtaken"));
    refresh();
  });
  stream.addEventListener("over", () => { over = true; source = null; stream.close(); refresh(); });
  stream.addEventListener("watching", (event) => { ({ watching } = JSON.parse(event.data)); showWatching(); });
  stream.addEventListener("open", () => { losses = 0; });
  stream.addEventListener("error", lost);
  watch(stream, ["move", "watching"], () => { if (source === stream) reconnect(); });
}

// One request at a time; what is asked for meanwhile is asked for once afterwards.
let asking = false;
let again = false;

function refresh() {
  if (asking || sending) { again = true; return; }
  if (isEnding() && !leaving) { peek(); return; }
  if (held && !skipping) return;
  if (isEarly()) return;
  asking = true;
  const skipped = skipping;
  fetch(newsAfter(String(live.dataset.news)), { credentials: "same-origin", headers: { Accept: "text/html" } })
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(answer.status)))
    .then((html) => { answered(); update(html); }, failed)
    .then(() => { asking = false; if (skipped) skipping = false; catchUp(); });
}

function catchUp() {
  if (again) { again = false; refresh(); }
}

addEventListener("online", reconnect);
addEventListener("offline", failed);
document.addEventListener("visibilitychange", () => {
  // A device that slept may hold a stream that nobody writes to any more.
  if (document.hidden) hidden = Date.now();
  else if (Date.now() - hidden > ASLEEP) reconnect();
});

// ---- Moves

/** @typedef {(meaning: any) => void} Explain */
/**
 * What is sent. With `lost` it may be no move: it doesn't wait for the connection, but that is called.
 * @typedef {{ address: string, body: URLSearchParams, explain?: Explain, lost?: () => void, form?: HTMLFormElement | null }} Sent
 */
/** @type {Sent | null} */
let move = null;
let sending = false;
/** @type {HTMLButtonElement | null} */
let pressed = null;

/** @param {HTMLFormElement} form */
function written(form) {
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  if (pressed && pressed.form === form && pressed.name) body.append(pressed.name, pressed.value);
  return body;
}

/** @param {boolean} able */
function enable(able) {
  /** @type {NodeListOf<HTMLButtonElement>} */ (live.querySelectorAll("form[data-form] button, #dock button"))
    .forEach((button) => { button.disabled = !able; });
  unsent.hidden = able || !failures || Boolean(move && move.lost);
}

function send() {
  if (!move || sending) return;
  sending = true;
  const { explain, form } = move;
  fetch(newsAfter(move.address), { method: "POST", body: move.body, credentials: "same-origin", redirect: "manual" })
    .then((answer) => (answer.status >= 500 || answer.status === 429 ? Promise.reject(answer.status) : read(answer, explain)))
    .then(() => { answered(); move = null; if (form && !late) form.reset(); }, () => { failed(); giveUp(); })
    .then(() => { sending = false; enable(!move); catchUp(); });
}

// Only what is known to be a move waits to be sent again.
function giveUp() {
  if (!move || !move.lost) return;
  const { lost } = move;
  move = null;
  lost();
}

/** @param {Response} answer @param {Explain=} explain */
function read(answer, explain) {
  // Elsewhere than to the table: to the log-in, after the session has ended.
  if (answer.type === "opaqueredirect" || answer.status === 403) {
    location.reload();
    return null;
  }
  const isJson = String(answer.headers.get("Content-Type")).startsWith("application/json");
  if (explain && isJson && answer.ok) return answer.json().then(explain);
  late = answer.status === 409;
  return answer.text().then(answer.ok ? update : showRefusal);
}

// The refused form comes back with what was in it.
/** @param {string} html */
function showRefusal(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const refusal = page.getElementById("refusal");
  removeRefusal();
  if (refusal) live.prepend(refusal);
  const play = /** @type {HTMLElement} */ (document.getElementById("play"));
  play.innerHTML = (/** @type {HTMLElement} */ (page.getElementById("play"))).innerHTML;
  play.focus({ preventScroll: true });
  if (refusal) refusal.scrollIntoView({ block: "nearest" });
  // The table may be shown already as it is now: news are asked for while a move is sent again.
  const { seq } = /** @type {HTMLElement} */ (page.getElementById("live")).dataset;
  const missed = !(Number(seq) <= Number(live.dataset.seq));
  document.dispatchEvent(new CustomEvent(late ? "trefoil:late" : "trefoil:refused", { detail: { missed } }));
  // The moves that were missed are not shown one by one: the forms are already those of the table now.
  if (late && missed) skip();
  else refresh();
}

live.addEventListener("click", (event) => { pressed = /** @type {Element} */ (event.target).closest("button"); });

live.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement | null} */ (/** @type {Element} */ (event.target).closest("form[data-form]"));
  if (!form || event.defaultPrevented) return;
  event.preventDefault();
  if (move) return;
  begin({ address: form.action, body: written(form), form: form.hasAttribute("data-once") ? form : null });
});

/**
 * Sends a move made on the table, which has no form of its own, and returns whether no other is on its way.
 * Where it is not yet a move, the answer is given to `explain`. What may be none is sent once: where that fails,
 * `lost` is called.
 * @param {string} address @param {Record<string, string>} fields @param {Explain=} explain @param {() => void=} lost
 */
export function makeMove(address, fields, explain, lost) {
  if (move) return false;
  const body = new URLSearchParams(fields);
  body.append("seq", String(Number(live.dataset.seq) + 1));
  begin({ address, body, explain, lost });
  return true;
}

/**
 * Sends a move; a form that is not to be sent twice is emptied when it is made.
 * @param {Sent} what
 */
function begin(what) {
  move = what;
  enable(false);
  send();
}

/** @type {HTMLElement} */ (unsent.querySelector("button")).addEventListener("click", () => {
  move = null;
  enable(true);
  document.dispatchEvent(new CustomEvent("trefoil:withdrawn"));
});

for (const badge of live.querySelectorAll("#status .live[hidden]")) badge.hidden = false;
listen();
