// At which things of the table the Tab key stops: at those that can be used now. Arrow keys lead to the others too,
// which are there to be read.
import { isPicked, kindOf, nameOf, things } from "./things.js";

/** @param {HTMLElement} thing @param {string[]} targets @param {boolean} usable */
function isUseful(thing, targets, usable) {
  if (!isPicked(thing)) return targets.includes(nameOf(thing));
  // The hand can always be sorted, and dice have roles to choose until they are assigned.
  if (thing.closest("#hand, #tray")) return true;
  if (kindOf(thing) === "die" && !thing.closest("[data-roles]")) return false;
  return usable && Boolean(document.getElementById("turn"));
}

/**
 * Lets Tab stop at what can be picked now, and at things that take what is picked.
 * @param {string[]} targets their names
 * @param {boolean} usable whether a move can be made on the table that is shown
 */
export function markStops(targets, usable) {
  for (const thing of things()) thing.tabIndex = isUseful(thing, targets, usable) ? 0 : -1;
}
