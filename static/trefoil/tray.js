// What the player has picked and put aside, until it is a move.
import { keepDraft, keptDraft } from "./draft.js";
import { isPicked, itemOf, kindOf, live, nameOf, things } from "./things.js";

const DRAFT = `trefoil draft ${live.dataset.news}`;

/** @type {HTMLElement[]} */
let picked = []; // in the order picked
/** @type {string[][]} */
let aside = []; // groups of names

/** Returns the things that are picked, in the order picked. */
export const pickedThings = () => picked;

/** Returns the cards that are picked. */
export const pickedCards = () => picked.filter((thing) => kindOf(thing) === "card");

/** Returns whether anything is picked or put aside. */
export const isBusy = () => picked.length + aside.length > 0;

/**
 * Takes up what was picked and put aside on this very table, before another page was read; on another one nothing.
 * @param {number} seq
 */
export function takeUp(seq) {
  const choosable = things().filter(isPicked);
  const draft = keptDraft(DRAFT, seq, choosable.map(nameOf));
  aside = draft.aside;
  picked = [];
  for (const name of draft.picked) {
    picked.push(/** @type {HTMLElement} */ (choosable.find((thing) => nameOf(thing) === name && !picked.includes(thing))));
  }
}

/** @param {number} seq */
export const keepTray = (seq) => keepDraft(DRAFT, seq, { picked: picked.map(nameOf), aside });

/**
 * Returns what is picked, put aside and put onto a thing, as the server reads it.
 * @param {string=} onto
 */
export function gesture(onto) {
  /** @type {{ picked: string[], aside: string[][], onto?: string }} */
  const made = { picked: picked.map(nameOf), aside };
  if (onto) made.onto = onto;
  return JSON.stringify(made);
}

/**
 * Returns what a thing that is dragged would be put onto others with, as the server reads it.
 * @param {HTMLElement} thing
 */
export const gestureOf = (thing) => JSON.stringify({ picked: (picked.includes(thing) ? picked : [thing]).map(nameOf), aside });

/** @param {HTMLElement} card */
function takeFromGroup(card) {
  const group = aside.findIndex((names) => names.includes(nameOf(card)));
  aside[group].splice(aside[group].indexOf(nameOf(card)), 1);
  if (!aside[group].length) aside.splice(group, 1);
}

/**
 * Picks a thing, or takes it back where it is picked or put aside.
 * @param {HTMLElement} thing
 */
export function pick(thing) {
  const place = picked.indexOf(thing);
  if (place >= 0) picked.splice(place, 1);
  else if (itemOf(thing).classList.contains("aside")) takeFromGroup(thing);
  else picked.push(thing);
}

/**
 * Picks a thing that is dragged, and no other unless it is one of those picked.
 * @param {HTMLElement} thing
 */
export function pickAlone(thing) {
  if (!picked.includes(thing)) picked = [thing];
}

/** Puts aside what is picked, as a group. */
export function putAside() {
  aside.push(picked.map(nameOf));
  picked = [];
}

/**
 * Takes back things that can't be picked now.
 * @param {string[]} names
 */
export function drop(names) {
  picked = picked.filter((thing) => !names.includes(nameOf(thing)));
}

/** Takes back what is picked, or else the last group that was put aside. */
export function takeBack() {
  if (!picked.length) aside.pop();
  picked = [];
}

/** Marks what is picked and put aside. */
export function markTray() {
  for (const thing of things()) {
    const isOn = picked.includes(thing);
    thing.classList.toggle("picked", isOn);
    if (isPicked(thing)) thing.setAttribute("aria-pressed", String(isOn));
  }
  markRoles();
  const taken = aside.flat();
  for (const card of live.querySelectorAll("#hand [data-thing]")) {
    const place = picked.includes(card) ? -1 : taken.indexOf(nameOf(card));
    itemOf(card).classList.toggle("aside", place >= 0);
    if (place >= 0) taken.splice(place, 1);
  }
}

// Things whose roles come from the order in which they are picked are told theirs; the last one has no choice.
function markRoles() {
  for (const list of live.querySelectorAll("[data-roles]")) {
    const roles = String(list.dataset.roles).split("|");
    const chosen = picked.filter((thing) => list.contains(thing));
    for (const thing of list.querySelectorAll("[data-thing]")) {
      const place = chosen.includes(thing) ? chosen.indexOf(thing) : roles.length - 1;
      const known = chosen.includes(thing) || chosen.length >= roles.length - 1;
      const role = itemOf(thing).querySelector("[data-role]");
      if (role) role.textContent = known ? roles[place] : "";
    }
  }
}
