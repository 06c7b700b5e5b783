// The tray: the groups that are put aside lie there fanned, each with what the rules say of it.
import { dock, live, nameOf } from "./things.js";

const tray = /** @type {HTMLElement} */ (document.getElementById("tray"));
let laid = "";
/** @type {string[]} */
let told = [];

/**
 * Returns the number of the group at a place of the tray, -1 elsewhere.
 * @param {Element} place
 */
export function groupOf(place) {
  const group = /** @type {HTMLElement | null} */ (place.closest("#tray .group"));
  return group ? [...tray.children].indexOf(group) : -1;
}

/** @param {string} name */
function cardOf(name) {
  const [item, card] = [document.createElement("li"), document.createElement("span")];
  const face = live.querySelector(`#hand [data-thing="${name}"] .card`);
  card.dataset.thing = name;
  card.tabIndex = 0;
  card.setAttribute("role", "button");
  card.setAttribute("aria-description", dock.dataset.takeback || "");
  if (face) card.append(face.cloneNode(true));
  item.append(card);
  return item;
}

function addButton() {
  const add = document.createElement("button");
  add.type = "button";
  add.className = "quiet";
  add.textContent = dock.dataset.add || "";
  return add;
}

/** @param {string[]} names @param {boolean} takes */
function groupOfCards(names, takes) {
  const [group, list, words] = ["div", "ul", "p"].map((tag) => document.createElement(tag));
  group.className = "group";
  list.className = "cards";
  words.className = "words";
  list.append(...names.map(cardOf));
  group.append(list, ...(takes ? [addButton()] : []), words);
  return group;
}

function write() {
  tray.querySelectorAll(".words").forEach((words, number) => { words.innerHTML = told[number] || ""; });
}

/**
 * Lays groups of cards, by their names, into the tray. What is said of a group stays until `judge` is called.
 * @param {string[][]} groups @param {boolean} takes whether picked cards can be added to a group
 */
export function lay(groups, takes) {
  const wanted = JSON.stringify([groups, takes]);
  if (wanted === laid) return;
  const focused = tray.contains(document.activeElement) ? nameOf(document.activeElement) : null;
  laid = wanted;
  tray.hidden = !groups.length;
  tray.replaceChildren(...groups.map((names) => groupOfCards(names, takes)));
  write();
  if (focused === null) return;
  const next = tray.querySelector(`[data-thing="${focused}"]`) || live.querySelector(`#hand [data-thing="${focused}"]`);
  if (next) next.focus({ preventScroll: true });
}

/**
 * Says below each group what the rules say of it, as HTML.
 * @param {string[]} judged
 */
export function judge(judged) {
  told = judged;
  write();
}
