// The dock above the hand: one line that is said, and below it buttons. They come and go, and the focus stays here.
import { Idiomorph } from "../vendor/idiomorph/idiomorph.min.js";
import { plain } from "./line.js";
import { dock, live, ownThing } from "./things.js";
import { chosen, isBusy } from "./tray.js";

/** @typedef {{ element: HTMLElement, act?: () => void }} Offered */

const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (dock.querySelector(`[data-part="${name}"]`));
const thumb = /** @type {HTMLElement} */ (live.querySelector(".thumb"));

export const said = part("said");
export const moves = part("moves");

/** Returns a word of the dock, as HTML. @param {string} name */
export const word = (name) => plain(dock.dataset[name] || "");

/**
 * Returns a button that is the same one as long as it has its name: whoever has begun to press it then presses it.
 * @param {string} text as HTML @param {() => void} act @param {boolean=} quiet @param {string=} name
 * @returns {Offered}
 */
export function button(text, act, quiet, name = text) {
  const element = document.createElement("button");
  element.type = "button";
  element.id = `dock-${encodeURIComponent(name)}`;
  if (quiet) element.className = "quiet";
  element.innerHTML = text;
  return { element, act };
}

/** @type {Map<string, (() => void) | undefined>} */
let acts = new Map(); // what each button that is offered does, by its id

moves.addEventListener("click", (event) => {
  const pressed = /** @type {Element} */ (event.target).closest("button");
  const act = pressed && acts.get(pressed.id);
  if (act) act();
});

// Before the player's own cards, so that the Tab key leads to them first.
function focusHere() {
  const own = ownThing();
  const place = (own && own.closest("[data-mine] .cards")) || thumb;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}
const isFocused = () => moves.contains(document.activeElement);

/** Says and offers nothing. */
export function clear() {
  const focused = isFocused();
  said.textContent = "";
  moves.textContent = "";
  if (focused) focusHere();
}

/**
 * Says a line. While a move is picked it keeps the height that it had before, so that nothing on the cloth moves with what is said.
 * @param {string} line as HTML
 */
export function say(line) {
  said.style.height = isBusy() ? said.style.height || `${said.offsetHeight}px` : "";
  said.classList.toggle("guided", chosen() !== "");
  said.innerHTML = `<p>${line}</p>`;
}

/** Lets the line be as high as what is said next, on another table. */
export function forgetHeight() {
  said.style.height = "";
}

// Whose cards lie on the cloth finds them in the same place with whatever is said and offered: what was high stays so until the next turn.
let kept = "";
let wasTurn = false;
function keepHeight() {
  const [title, turn] = ["table-title", "turn"].map((id) => document.getElementById(id));
  const now = `${innerWidth} ${innerHeight} ${title ? title.textContent : ""}`;
  const rows = [said, /** @type {HTMLElement} */ (moves.parentElement)];
  if (now !== kept || (turn && !wasTurn)) for (const row of rows) row.style.minHeight = "";
  kept = now;
  wasTurn = turn !== null;
  if (!live.querySelector("#hand .cards")) for (const row of rows) row.style.minHeight = `${row.getBoundingClientRect().height}px`;
}

/**
 * Offers buttons, and lists to choose from. The focus of a button that is gone goes to the one that is called the same.
 * @param {Offered[]} offered
 */
export function offer(offered) {
  const focused = isFocused() ? /** @type {Element} */ (document.activeElement).textContent : null;
  acts = new Map(offered.map(({ element, act }) => [element.id, act]));
  Idiomorph.morph(moves, offered.map(({ element }) => element), { morphStyle: "innerHTML" });
  keepHeight();
  if (focused === null || isFocused()) return;
  const same = [...moves.querySelectorAll("button")].find((made) => made.textContent === focused);
  if (same) same.focus({ preventScroll: true });
  else focusHere();
}

/** Lets no button make a move that was possible with other cards. */
export function disableMoves() {
  for (const made of moves.querySelectorAll("[data-move]")) /** @type {HTMLButtonElement} */ (made).disabled = true;
}
