// Sends the reader's moves. Each has the number that it takes in the log, so that it may be sent again until it is
// answered and is made once; until then it is kept (queue.js), also where the page is loaded again.
import { answered, failed, isFailing } from "./connection.js";
import { first, newsFrom, refresh, show, skip } from "./news.js";
import { shownSeq } from "./parts.js";
import { dropMove, keepMove, keptMove, keyOf } from "./queue.js";
import { isLate, note, showRefusal } from "./refusal.js";
import { request } from "./request.js";
import { live } from "./things.js";

const unsent = /** @type {HTMLElement} */ (document.getElementById("unsent"));
const KEY = keyOf(live.dataset);

/** @typedef {(meaning: any) => void} Explain */
/**
 * What is sent. Where it is not yet a move, the answer is given to `explain`. With `lost` it may be no move: it doesn't
 * wait for the connection, but that is called. `told` is what it is, as text; `kept` was made
 * on this page before it was loaded again.
 * @typedef {{ explain?: Explain, lost?: () => void, told?: string, kept?: boolean }} How
 * @typedef {{ address: string, body: URLSearchParams, form?: HTMLFormElement | null } & How} Sent
 */
/** @type {Sent | null} */
let move = null;
let sending = false;
/** @type {HTMLButtonElement | null} */
let pressed = null;

/** Returns whether a move is on its way. */
export const isWaiting = () => move !== null;

/** Returns what the move that is on its way is, as text. */
export const toldOfMove = () => (move && move.told) || "";

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
  unsent.hidden = able || !isFailing() || Boolean(move && move.lost);
}

function finish() {
  move = null;
  dropMove(KEY);
}

/** Sends the move that waits, unless it is on its way. */
export function send() {
  if (!move || sending) return;
  sending = true;
  const sent = move;
  const { address, body, form } = sent;
  first(request(newsFrom(address), (answer) => read(answer, sent), { method: "POST", body, redirect: "manual" })
    .then(() => { answered(); if (move === sent) finish(); if (form && !isLate()) form.reset(); },
      (reason) => { failed(reason); giveUp(sent); })
    .finally(() => {
      sending = false;
      enable(!move);
      // This one was withdrawn, and another made, before it was answered.
      if (move !== sent) send();
    }));
}

// Only what is known to be a move waits to be sent again.
/** @param {Sent} sent */
function giveUp(sent) {
  if (move !== sent || !sent.lost) return;
  finish();
  sent.lost();
}

/** @param {Response} answer @param {Sent} sent */
function read(answer, { explain, kept }) {
  if (answer.status >= 500 || answer.status === 429) return Promise.reject(answer.status);
  // Elsewhere than to the table: to the log-in, after the session has ended. After another log-in the page that is
  // loaded now has its token: that page sends the move, if its reader is the same.
  if (answer.type === "opaqueredirect" || answer.status === 403) {
    if (kept || answer.status !== 403) dropMove(KEY);
    location.reload();
    return null;
  }
  const isData = String(answer.headers.get("Content-Type")).startsWith("application/json");
  if (explain && isData && answer.ok) return answer.json().then(explain);
  note(answer);
  return answer.text().then(answer.ok ? show : refuse);
}

/** @param {string} html */
function refuse(html) {
  const missed = showRefusal(html);
  // The moves that were missed are not shown one by one: the forms are already those of the table now.
  if (isLate() && missed) skip();
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
 * @param {string} address @param {Record<string, string>} fields @param {How} how
 */
export function makeMove(address, fields, how) {
  if (move) return false;
  const body = new URLSearchParams(fields);
  body.append("seq", String(shownSeq() + 1));
  begin(Object.assign({ address, body }, how));
  return true;
}

/**
 * Sends a move; a form that is not to be sent twice is emptied when it is made.
 * @param {Sent} what
 */
function begin(what) {
  move = what;
  if (!what.lost && what.body.has("seq")) keepMove(KEY, { address: what.address, body: String(what.body), told: what.told || "" });
  enable(false);
  send();
}

const tellWithdrawn = () => document.dispatchEvent(new CustomEvent("trefoil:withdrawn"));

/** Sends the move that was on its way when the page was left. */
export function sendKept() {
  const kept = keptMove(KEY);
  if (!kept) return;
  const body = new URLSearchParams(kept.body);
  const token = /** @type {HTMLInputElement | null} */ (live.querySelector("[name=csrfmiddlewaretoken]"));
  if (token) body.set("csrfmiddlewaretoken", token.value);
  begin({ address: kept.address, body, explain: tellWithdrawn, told: kept.told, kept: true });
}

/** @type {HTMLElement} */ (unsent.querySelector("button")).addEventListener("click", () => {
  finish();
  enable(true);
  tellWithdrawn();
});
