// The tray: the groups that are put aside lie there fanned, each with what it is and buttons of its own.
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

/** @param {"add" | "return"} does @param {string} sign */
function button(does, sign) {
  const [made, drawn, label] = ["button", "span", "span"].map((tag) => document.createElement(tag));
  made.setAttribute("type", "button");
  made.className = "quiet";
  made.dataset.does = does;
  drawn.setAttribute("aria-hidden", "true");
  drawn.textContent = sign;
  label.className = "label";
  label.textContent = dock.dataset[does] || "";
  made.append(drawn, " ", label);
  return made;
}

/** @param {string[]} names @param {number} number @param {boolean} takes */
function groupOfCards(names, number, takes) {
  const [group, list, words, buttons] = ["div", "ul", "p", "div"].map((tag) => document.createElement(tag));
  group.className = "group";
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", String(dock.dataset.group).replace("#", String(number + 1)));
  list.className = "cards";
  words.className = "words";
  buttons.className = "buttons";
  list.append(...names.map(cardOf));
  buttons.append(...(takes ? [button("add", "+")] : []), button("return", "✕"));
  group.append(list, words, buttons);
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
  const focused = tray.contains(document.activeElement) ? document.activeElement : null;
  const number = focused ? groupOf(focused) : -1;
  laid = wanted;
  tray.hidden = !groups.length;
  tray.replaceChildren(...groups.map((names, place) => groupOfCards(names, place, takes)));
  write();
  if (focused) focusInstead(nameOf(focused), number);
}

// The focus goes where a card lies now, and from a button to one of the group that is there now.
/** @param {string} name @param {number} number */
function focusInstead(name, number) {
  const group = tray.children[number];
  const next = name === ""
    ? group && group.querySelector("button:last-child")
    : tray.querySelector(`[data-thing="${name}"]`) || live.querySelector(`#hand [data-thing="${name}"]`);
  /** @type {HTMLElement} */ (next || live.querySelector(".thumb")).focus({ preventScroll: true });
}

/**
 * Says below each group what it is, as HTML.
 * @param {string[]} named
 */
export function judge(named) {
  told = named;
  write();
}
