// At which things of the table the Tab key stops: at those that can be used now. Arrow keys lead to the others too,
// which are there to be read.
import { isPicked, kindOf, nameOf, things } from "./things.js";

/** @param {HTMLElement} thing @param {string[]} targets */
function isUseful(thing, targets) {
  if (!isPicked(thing)) return targets.includes(nameOf(thing));
  // The hand can always be sorted, and dice have roles to choose until they are assigned.
  if (thing.closest("#hand, #tray")) return true;
  if (kindOf(thing) === "die" && !thing.closest("[data-roles]")) return false;
  return Boolean(document.getElementById("turn"));
}

/**
 * Lets Tab stop at what can be picked now, and at things that take what is picked.
 * @param {string[]} targets their names
 */
export function markStops(targets) {
  for (const thing of things()) thing.tabIndex = isUseful(thing, targets) ? 0 : -1;
}
