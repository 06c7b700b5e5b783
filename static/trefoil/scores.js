// Results are saved row by row while they are typed: keys lead through the fields, and a row that is left is sent. It waits
// in the browser until the server has taken it, so that nothing is lost when the connection drops, the page is closed or
// somebody logs out.
import { adopt, all, form, one, rowOf, rows } from "./scorerows.js";
import { begin, leaveFor, report } from "./scoresending.js";

/** @typedef {import("./scorerows.js").Field} Field */

const LEFT = 150; // milliseconds until the focus is where it goes

const sheets = document.querySelector("nav.tabs");

/** @param {Event} event */
const targetOf = (event) => /** @type {HTMLInputElement} */ (event.target);

function reachable() {
  const fields = all("[data-row] input:not([type=hidden]):not(:disabled), [data-row] select:not(:disabled)", form);
  return /** @type {Field[]} */ (fields.filter((field) => field.offsetParent && !field.closest("details:not([open])")));
}

/** @param {Field} field */
function go(field) {
  field.focus();
  if (field instanceof HTMLInputElement) field.select();
}

// The same field of the next row that has it: the first deal has some that others lack.
/** @param {Field} field @param {number} step */
function beside(field, step) {
  const row = rowOf(field);
  if (!row) return undefined;
  const lines = rows.filter(({ card, element }) => card === row.card && !element.hidden);
  const after = step > 0 ? lines.slice(lines.indexOf(row) + 1) : lines.slice(0, lines.indexOf(row)).reverse();
  const same = after.map((other) => other.fields.find((each) => other.short(each) === row.short(field)));
  return same.find((each) => each && !each.disabled);
}

// Enter in the last field goes on to the next sheet of a big round, as soon as all of this one is saved.
/** @param {string} rel */
function turn(rel) {
  const link = sheets && /** @type {HTMLAnchorElement | null} */ (sheets.querySelector(`[rel=${rel}]`));
  if (link) leaveFor(link.href + (rel === "prev" ? "#end" : ""));
}

/** @param {Field} field @param {boolean} back */
function goOn(field, back) {
  const fields = reachable();
  const to = fields[fields.indexOf(field) + (back ? -1 : 1)];
  // To leave the row sends it: within it, numbers on the way to those that are meant are not sent.
  if (to) { go(to); return; }
  const row = rowOf(field);
  if (row) row.send();
  turn(back ? "prev" : "next");
}

/** @param {Field} field @returns {boolean} */
function openList(field) {
  const within = field.parentElement;
  const details = within && within.classList.contains("cell") && within.querySelector("details");
  const first = details && details.querySelector("input");
  if (!details || !first) return false;
  details.open = true;
  go(first);
  return true;
}

/** @param {Element} within */
function closeList(within) {
  const list = /** @type {HTMLDetailsElement | null} */ (within.closest("details.adjust"));
  if (!list) return;
  list.open = false;
  go(/** @type {Field} */ (one(/** @type {Element} */ (list.closest(".cell")), "input")));
}

/** @param {Field} field @param {KeyboardEvent} event @returns {boolean} whether the key has done something here */
function press(field, event) {
  switch (event.key) {
    case "Enter":
      goOn(field, event.shiftKey);
      return true;
    case "ArrowDown":
    case "ArrowUp": {
      if (field.tagName !== "INPUT") return false;
      const target = beside(field, event.key === "ArrowDown" ? 1 : -1);
      // In the last row the number stays selected: what is typed next replaces it.
      if (target) go(target);
      return true;
    }
    case "+":
      return openList(field);
    case "Escape":
      closeList(field);
      return false;
    default:
      return false;
  }
}

/** @param {Event} event */
function touched(event) {
  const row = rowOf(targetOf(event));
  if (row) row.type();
}

// A row that the focus leaves is sent at once, and the list of bonuses and penalties closes.
/** @param {FocusEvent} event */
function left(event) {
  const to = /** @type {Node | null} */ (event.relatedTarget);
  const row = rowOf(targetOf(event));
  if (row && !row.element.contains(to)) row.send();
  const list = /** @type {HTMLDetailsElement | null} */ (targetOf(event).closest("details.adjust"));
  if (!list || list.contains(to)) return;
  setTimeout(() => { if (!list.contains(document.activeElement)) list.open = false; }, LEFT);
}

function listen() {
  form.addEventListener("keydown", (event) => {
    const field = targetOf(event);
    if (rowOf(field) && field.name && press(field, event)) event.preventDefault();
  });
  form.addEventListener("click", (event) => {
    if ("close" in targetOf(event).dataset) closeList(targetOf(event));
  });
  form.addEventListener("input", (event) => {
    leaveFor("");
    touched(event);
  });
  form.addEventListener("change", touched);
  form.addEventListener("focusout", left);
}

// Typing begins, on a computer, in the first empty field.
function goToFirst() {
  const fields = reachable();
  const empty = fields.find((field) => "needed" in field.dataset && ["", "?"].includes(field.value));
  const first = location.hash === "#end" ? fields[fields.length - 1] : empty || (sheets && fields[0]);
  const isFree = !document.activeElement || document.activeElement === document.body;
  if (first && isFree && matchMedia("(hover: hover)").matches) go(first);
}

if (form) {
  form.classList.add("live");
  for (const part of all(".scripted", form.parentElement || form)) part.hidden = false;
  for (const part of all(".unscripted", form)) part.hidden = true;
  begin();
  listen();
  adopt();
  for (const row of rows) row.restore();
  report();
  goToFirst();
}
