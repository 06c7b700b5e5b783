// Score cards: Enter moves to the next field, or sends the form from the last one; totals are updated while typing.
// What is typed stays in the browser until it is saved, for the seat that typed it. What is sent without a connection
// waits until there is one.
import { answered, failed } from "./connection.js";
import { drop, getKept, keep } from "./kept.js";
import { htmlOf } from "./request.js";
import { Inputs, all, one, worthOf } from "./scorerows.js";
import { live } from "./things.js";

/** @typedef {import("./scorerows.js").Field} Field */
/** @typedef {{ values: Record<string, string>, sent: boolean, waits: boolean }} Kept */

const cardForm = (/** @type {Event} */ event) =>
  /** @type {HTMLFormElement | null} */ (/** @type {Element} */ (event.target).closest("[data-keep] form[data-grid]"));

/** @param {HTMLElement} line */
function showTotal(line) {
  const total = Number(line.dataset.total) - Number(line.dataset.before || 0) + worthOf(line);
  const shown = one(line, ".so-far");
  shown.textContent = (shown.textContent || "").replace(/−?\d+/, String(total).replace("-", "−"));
}

// ---- What is typed and not saved --------------------------------------------------------------

const place = document.querySelector("[data-keep]");
const key = (place && place.dataset.keep) || "";
const refusal = document.getElementById("refusal");
// The value that the page came with.
/** @param {Field} field */
function original(field) {
  if (field instanceof HTMLInputElement) return field.defaultValue;
  return ([...field.options].find((each) => each.defaultSelected) || field.options[0]).value;
}

// Of each form of the card by its name: the values, and whether they were sent.
/** @returns {Record<string, Kept>} */
const kept = () => (key && getKept(key)) || {};

/** @param {Record<string, Kept>} forms */
function keepForms(forms) {
  if (!key) return;
  if (Object.keys(forms).length) keep(key, forms); else drop(key);
}

/** @param {HTMLFormElement} form @param {boolean=} sent @param {boolean=} waits */
function keepForm(form, sent = false, waits = false) {
  if (!form.dataset.grid) return;
  const forms = kept(), inputs = new Inputs(form);
  // A refused form comes back with what was typed as its own values.
  const unsaved = refusal || inputs.fields.some((field) => field.value !== original(field));
  if (unsaved) forms[form.dataset.grid] = { values: inputs.values(), sent, waits };
  else delete forms[form.dataset.grid];
  keepForms(forms);
}

/** @param {HTMLFormElement} form */
function restore(form) {
  const before = kept()[String(form.dataset.grid)];
  if (!before) return;
  const inputs = new Inputs(form);
  inputs.fill(before.values);
  for (const field of inputs.fields) {
    const folded = field.closest("details");
    if (folded && field.value !== original(field)) folded.open = true;
  }
  keepForm(form);
  if (before.waits) send(form);
}

function dropSaved() {
  const forms = kept();
  for (const name of Object.keys(forms)) if (forms[name].sent) delete forms[name];
  keepForms(forms);
}

// ---- What is sent waits for a connection: a browser that has none would replace the page by one of its own

const unsent = /** @type {HTMLElement} */ (document.getElementById("unsent"));
/** @type {HTMLFormElement | null} */
let waiting = null;

/** @param {HTMLFormElement} form @param {boolean} able */
function enableButtons(form, able) {
  for (const button of form.querySelectorAll("button")) button.disabled = !able;
}

/** @param {HTMLFormElement} form @param {boolean} able */
function enable(form, able) {
  enableButtons(form, able);
  unsent.hidden = able;
}

/** @param {HTMLFormElement} form */
function send(form) {
  waiting = form;
  htmlOf(`${live.dataset.news}?after=${live.dataset.seq}`).then(answered, (reason) => {
    failed(reason);
    if (waiting !== form) return;
    keepForm(form, false, true);
    enable(form, false);
  }).then(() => { if (unsent.hidden) sendWaiting(); });
}

function sendWaiting() {
  if (!waiting) return;
  keepForm(waiting, true);
  // News may have replaced the form; what comes after it now would be lost with the page.
  if (!waiting.isConnected) document.body.append(waiting);
  document.querySelectorAll(CONFIRM).forEach((form) => enableButtons(/** @type {HTMLFormElement} */ (form), false));
  waiting.submit();
  waiting = null;
}

// ---- Deals that are confirmed in quick succession are sent together

const CONFIRM = "#play .confirm form";
const PAUSE = 700;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let pause;
/** @type {{ form: HTMLFormElement, offers: Node[] }[]} */
let joined = [];

/** @param {HTMLFormElement} form */
function confirm(form) {
  if (waiting && waiting !== form) {
    const to = waiting, offers = all("[name=offer]", form).map((offer) => offer.cloneNode());
    to.append(...offers);
    joined.push({ form, offers });
  }
  waiting = waiting || form;
  enableButtons(form, false);
  clearTimeout(pause);
  pause = setTimeout(() => { if (waiting) send(waiting); }, PAUSE);
}

function partAgain() {
  for (const { form, offers } of joined) {
    offers.forEach((/** @type {any} */ offer) => offer.remove());
    enableButtons(form, true);
  }
  joined = [];
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement | null} */ (/** @type {Element} */ (event.target).closest(`#play [data-grid], ${CONFIRM}`));
  if (!form) return;
  event.preventDefault();
  if (form.matches(CONFIRM) && (!waiting || waiting.matches(CONFIRM))) confirm(form);
  else if (!waiting) send(form);
});
document.addEventListener("trefoil:connected", sendWaiting);
/** @type {HTMLElement} */ (unsent.querySelector("button")).addEventListener("click", () => {
  if (!waiting) return;
  enable(waiting, true);
  partAgain();
  keepForm(waiting);
  waiting = null;
});

if (document.querySelector("#messages .saved")) dropSaved();
if (!refusal) /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("[data-keep] form[data-grid]")).forEach(restore);

for (const name of ["input", "change"]) {
  document.addEventListener(name, (event) => {
    const form = cardForm(event);
    if (form) keepForm(form);
  });
}

// ---- Totals and keys --------------------------------------------------------------------------

for (const line of all("[data-line]")) {
  if (new Inputs(line).fields.some((field) => field.value)) showTotal(line);
}

document.addEventListener("input", (event) => {
  const line = /** @type {Element} */ (event.target).closest("[data-line]");
  if (line) showTotal(line);
});

document.addEventListener("keydown", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  const form = field.closest("form[data-grid]");
  if (event.key !== "Enter" || !form || !field.matches("[data-worth]")) return;
  event.preventDefault();
  const inputs = /** @type {HTMLInputElement[]} */ (all("[data-worth]", form));
  const fields = inputs.filter((each) => !each.closest("details:not([open])"));
  const next = fields[fields.indexOf(field) + 1];
  if (next) { next.focus(); next.select(); } else /** @type {HTMLElement} */ (form.querySelector("[type=submit]")).click();
});
