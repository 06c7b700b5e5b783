// Lets a player sort the cards of the hand: one by one, or all by suit or rank with one button.
import { keepOrder, keepSort, keptOrder, keptSort, sortedPlaces } from "./order.js";
import { itemOf, live, nameOf } from "./things.js";

/** @typedef {import("./order.js").By} By */

const button = /** @type {HTMLButtonElement} */ (document.getElementById("sort"));
const label = /** @type {HTMLElement} */ (button.querySelector(".label"));
const KEY = `trefoil hand ${live.dataset.news}`;

/** @param {ParentNode} within */
const cardsIn = (within) => [...within.querySelectorAll("#hand [data-thing]")];
const cards = () => cardsIn(live);
const names = () => cards().map(nameOf);
const isSorted = (/** @type {By} */ by) => sortedPlaces(names(), by).every((place, at) => place === at);

// What the button would do: sort as before where cards have come since, otherwise the other way.
/** @returns {By} */
function next() {
  const by = keptSort();
  if (!isSorted(by)) return by;
  return by === "rank" ? "suit" : "rank";
}

// Lays items first in their list. What lies in order already is not touched: it may have the focus.
/** @param {Element} list @param {Element[]} items */
function reorder(list, items) {
  const all = [...items, ...[...list.children].filter((item) => !items.includes(item))];
  if (all.some((item, at) => item !== list.children[at])) list.append(...all);
}

// Cards to choose from in a list lie in the order of the hand.
function sortLists() {
  const order = names();
  const place = (/** @type {HTMLElement} */ item) => order.indexOf(`card:${item.dataset.card}`);
  for (const list of live.querySelectorAll("#play .picks:has([data-card])")) {
    const items = /** @type {HTMLElement[]} */ ([...list.children]).filter((item) => place(item) >= 0);
    reorder(list, items.sort((one, other) => place(one) - place(other)));
  }
}

function shown() {
  button.hidden = cards().length < 2;
  label.textContent = button.dataset[next()] || "";
  button.title = label.textContent;
  sortLists();
}

/** @param {ParentNode} within @param {number[]} places */
function lay(within, places) {
  const items = cardsIn(within).map(itemOf);
  const list = items.length ? items[0].parentElement : null;
  if (list) reorder(list, places.map((place) => items[place]));
}

/** Lays the cards of the hand in the order that the player gave them. */
export function sortHand() {
  lay(live, keptOrder(KEY, names()));
  shown();
}

// A hand that is fetched is laid in this order before the page is patched: cards stay where they lie.
document.addEventListener("trefoil:updating", (event) => {
  const { news } = /** @type {CustomEvent<{ news: Document }>} */ (event).detail;
  lay(news, keptOrder(KEY, cardsIn(news).map(nameOf)));
});

/**
 * Lays a card beside another one of the hand.
 * @param {HTMLElement} card @param {HTMLElement} other @param {boolean} after
 */
export function moveBeside(card, other, after) {
  const place = itemOf(other);
  itemOf(place).insertBefore(itemOf(card), after ? place.nextSibling : place);
  keepHand();
}

/** Keeps the order in which the cards of the hand lie. */
export function keepHand() {
  keepOrder(KEY, names());
  shown();
}

button.addEventListener("click", () => {
  const by = next();
  keepSort(by);
  lay(live, sortedPlaces(names(), by));
  keepHand();
});
