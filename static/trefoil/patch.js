// Patches a part of a table: what stays is the same element, with its focus and what the reader has done to it.
import { Idiomorph } from "../vendor/idiomorph/idiomorph.min.js";

const NAMED = "[data-thing], [data-seat], form[data-form]";
const USABLE = ["tabindex", "role", "aria-pressed"]; // which things, and the list of one's own, got from this page
const OF_ANY_FORM = ["seq", "csrfmiddlewaretoken"];

// Things, seats and forms are known by what they are called, and equal ones by their order: a card that lies face down
// has no name but its place.
/** @param {HTMLElement} part @param {string} prefix */
function nameAll(part, prefix) {
  /** @type {Map<string, number>} */
  const named = new Map();
  for (const element of part.querySelectorAll(NAMED)) {
    const { thing, form, seat } = element.dataset;
    const name = thing || form || `seat:${seat}`;
    const number = named.get(name) || 0;
    named.set(name, number + 1);
    element.id = `${prefix}-${name}-${number}`;
  }
}

// The fields that a reader has filled in, in a form with a line for each seat.
/** @param {Element} field */
const isTyped = (field) => field instanceof HTMLInputElement && field.value !== field.defaultValue && field.matches("[data-grid] *");

/** @param {HTMLFormElement} form */
const fieldsOf = (form) => /** @type {HTMLInputElement[]} */ ([...form.elements])
  .filter(({ name }) => name && !OF_ANY_FORM.includes(name)).map((field) => field.outerHTML).sort().join();

// A form that is being filled in stays while the moves that it offers are the same.
/** @param {Node} old @param {Node} fresh */
function stays(old, fresh) {
  if (!(old instanceof HTMLFormElement && fresh instanceof HTMLFormElement)) return false;
  if (!old.dataset.form || fieldsOf(old) !== fieldsOf(fresh)) return false;
  old.elements.seq.value = fresh.elements.seq.value;
  return true;
}

/**
 * Makes a part of the table what it is in an answer.
 * @param {HTMLElement} part @param {HTMLElement} fresh
 */
export function patch(part, fresh) {
  const typed = [...part.querySelectorAll("input")].filter(isTyped);
  // Where somebody else was first and the form is gone, keep the old one: when it is sent, the server returns
  // it as a correction with all of its values.
  if (!typed.every(({ id }) => fresh.querySelector(`#${CSS.escape(id)}`))) return;
  const hadFocus = part.contains(document.activeElement);
  for (const each of [part, fresh]) nameAll(each, part.id);
  Idiomorph.morph(part, [...fresh.childNodes], {
    morphStyle: "innerHTML",
    callbacks: {
      beforeNodeMorphed: (old, next) => !stays(old, next),
      // What a reader has unfolded stays so, and what was typed. A thing that can't be focused any more loses the focus.
      beforeAttributeUpdated: (name, element, how) => name !== "open" && !(name === "value" && isTyped(element))
        && !(how === "remove" && USABLE.includes(name) && element.matches("[data-thing], [data-mine] .cards")),
    },
  });
  for (const field of typed) field.dispatchEvent(new Event("input", { bubbles: true }));
  const near = hadFocus && !part.contains(document.activeElement) ? part.closest("[tabindex]") : null;
  if (near) near.focus({ preventScroll: true });
}
