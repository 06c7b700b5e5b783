// Sends rows of score cards one after the other, again until they are answered, and asks what others have entered.
import { tokenFor } from "./request.js";
import { showCard, showClosing } from "./scorecards.js";
import { form, one, rows } from "./scorerows.js";

/** @typedef {import("./scorerows.js").Row} Row */
/** @typedef {import("./scorecards.js").Card} Card */
/** @typedef {{ cards: Card[], closing: import("./scorecards.js").Closing | null }} Answered */

const RETRIES = [1000, 2000, 5000, 10000, 20000];
const POLL = 10000;
const SOON = 2000; // milliseconds after the last saved row

let failures = 0;
let trouble = "";
/** @type {Row | null} */
let sending = null;
let timer = 0;
let soon = 0;
let leaving = "";
let isTouched = false; // something was typed here, in this visit or before it

// The row for which one waits: the rounds of a card are sent in order, and one that is refused holds up the next.
/** @param {Row} row @param {number} place */
const blocker = (row, place) => rows.slice(0, place).find((before) => before.card === row.card
  && before.state !== "clean" && before.element.dataset.state === "coming" && before.number !== "0");
const isDue = (/** @type {Row} */ row) => row.due && row.state === "typed";
const next = () => rows.find((row, place) => isDue(row) && !blocker(row, place));

function showWaiting() {
  rows.forEach((row, place) => {
    const before = isDue(row) && blocker(row, place);
    if (row.state === "typed") row.wait(before && before !== sending ? before.number : "");
  });
}

/** Sends what is to be sent, if nothing is on its way. */
function flush() {
  showWaiting();
  if (sending) return;
  const row = next();
  if (!row) { report(); return; }
  clearTimeout(timer);
  row.due = false; // What is typed from here on makes it due again.
  sending = row;
  report();
  const typed = JSON.stringify(row.values());
  ask({ method: "POST", body: bodyOf(row) }).then((answer) => take(row, typed, answer), (error) => retry(row, error));
}

/** @param {Row} row */
function bodyOf(row) {
  const body = new URLSearchParams();
  body.append("csrfmiddlewaretoken", tokenFor(form));
  for (const field of [row.seen, ...row.fields]) body.append(field.name, field.value);
  return body;
}

/** @param {Row} row @param {string} typed @param {Answered} answer */
function take(row, typed, answer) {
  sending = null;
  failures = 0;
  trouble = "";
  for (const card of answer.cards) showCard(card, row, typed);
  if (!isIn(answer.cards, row)) row.show("refused", [form.dataset.gone || ""]);
  showClosing(answer.closing);
  // The server takes a moment to see that a saved row was the last one.
  clearTimeout(soon);
  soon = setTimeout(askForNews, SOON);
  flush();
}

/** @param {Row} row @param {{ login?: boolean }} error */
function retry(row, error) {
  sending = null;
  row.due = row.isReady();
  trouble = error.login ? "login" : "offline";
  timer = setTimeout(flush, RETRIES[Math.min(failures, RETRIES.length - 1)]);
  failures += 1;
  report();
}

// Whether the server still has a row: a card that is closed meanwhile has none.
/** @param {Card[]} cards @param {Row} row */
const isIn = (cards, row) => cards.some((card) => card.rows.some(({ prefix }) => prefix === row.prefix));

/** @param {RequestInit} options @returns {Promise<Answered>} */
function ask(options) {
  const request = Object.assign({ credentials: "same-origin", headers: { Accept: "application/json" } }, options);
  return fetch(location.href, request).then((answer) => {
    const isJson = String(answer.headers.get("Content-Type")).startsWith("application/json");
    if (answer.ok && isJson) return answer.json();
    throw { login: answer.redirected || answer.status === 401 || answer.status === 403 };
  });
}

// What others write is shown in rows that hold nothing unsaved.
function askForNews() {
  if (document.hidden || sending) return;
  ask({}).then((answer) => {
    trouble = "";
    const known = answer.cards.filter((card) => showCard(card, null, ""));
    showClosing(answer.closing);
    // A match has gone on with its next game, whose card comes with the page.
    if (known.length < answer.cards.length) leaveFor(location.pathname + location.search);
    flush();
  }, () => { /* the next time */ });
}

function stateOfAll() {
  const typed = rows.filter(({ state }) => state === "typed");
  if (trouble && typed.length) return trouble;
  if (sending || typed.some((row) => row.isComplete() && !row.waitsFor)) return "saving";
  if (rows.some(({ state }) => state === "refused" || state === "conflict")) return "refused";
  return typed.length ? "partial" : "saved";
}

/** Says whether all is saved. */
export function report() {
  const place = one(document, "[data-save-state]");
  const says = stateOfAll();
  place.className = `save-state ${says}`;
  isTouched = isTouched || says !== "saved";
  const words = form.dataset[isTouched ? says : "untouched"] || "";
  if (place.textContent !== words) place.textContent = words;
  if (leaving && says === "saved") location.href = leaving;
  const close = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-closing] button"));
  if (!close) return;
  close.disabled = says !== "saved";
  one(document, "[data-closing-waits]").hidden = !close.disabled;
}

/**
 * Leaves for another page as soon as all is saved; an empty address takes that back.
 * @param {string} address
 */
export function leaveFor(address) {
  leaving = address;
  if (address) report();
}

/** Sends rows as they become due, and asks for news from now on. */
export function begin() {
  document.addEventListener("trefoil:typed", report);
  document.addEventListener("trefoil:due", flush);
  addEventListener("online", () => { failures = 0; flush(); });
  setInterval(askForNews, POLL);
}
