// The things of a table that its player picks, or puts what is picked onto: cards, dice, piles, melds and seats.
// A card that is put aside lies in the tray, and is hidden in the hand.

export const live = /** @type {HTMLElement} */ (document.getElementById("live"));
export const dock = /** @type {HTMLFormElement} */ (document.getElementById("dock"));

const THING = "#table [data-thing], #hand [data-thing], #tray [data-thing]";
const PICKED = ["card", "at", "top", "die"];

/** Returns all things of the table, the hand and the tray. */
export const things = () => [...live.querySelectorAll(THING)];

/** @param {Element | null} element */
export const nameOf = (element) => (element instanceof HTMLElement && element.dataset.thing) || "";

/** @param {HTMLElement} thing */
export const kindOf = (thing) => nameOf(thing).split(":")[0];

/**
 * Returns whether a thing is picked; what is picked is put onto the others.
 * @param {HTMLElement} thing
 */
export const isPicked = (thing) => PICKED.includes(kindOf(thing));

/**
 * Returns the element of a list that holds a thing.
 * @param {HTMLElement} thing
 */
export const itemOf = (thing) => /** @type {HTMLElement} */ (thing.parentElement);

/**
 * Returns whether a thing lies in the tray.
 * @param {HTMLElement} thing
 */
export const isInTray = (thing) => thing.closest("#tray") !== null;

/** @param {EventTarget | null} target */
export const thingAt = (target) => (target instanceof Element ? target.closest(THING) : null);

/** @param {string} name */
export const thingNamed = (name) => things().find((thing) => nameOf(thing) === name);

/** Returns the first of the player's own things to pick, in the hand or on the table. */
export const ownThing = () => things().find((thing) => isPicked(thing) && thing.closest("#hand, [data-mine]"));
