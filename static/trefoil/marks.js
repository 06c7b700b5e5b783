// Marks the things of the table that can be used: what takes what is picked, and what an action can be for.
import { nameOf, things } from "./things.js";

/** @typedef {{ thing: string, does: string, told: string, is_move: boolean }} Target */

/**
 * Tells on each thing what a tap on it would do, before it is tapped.
 * @param {Target[]} targets
 */
export function showTargets(targets) {
  for (const thing of things()) {
    const target = targets.find((each) => each.thing === nameOf(thing));
    thing.classList.toggle("takes", Boolean(target));
    if (target) {
      thing.dataset.does = target.does;
      thing.setAttribute("aria-description", target.told);
    } else if ("does" in thing.dataset) {
      delete thing.dataset.does;
      thing.removeAttribute("aria-description");
    }
  }
}

/**
 * Marks what an action can be for, once its button is pressed or while it goes on.
 * @param {string[]} choices names of things
 */
export function showChoices(choices) {
  for (const thing of things()) thing.classList.toggle("choice", choices.includes(nameOf(thing)));
}
