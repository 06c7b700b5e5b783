// What the player has picked and put aside, until it is a move. Each step of it can be undone.
import { keepDraft, keptDraft } from "./draft.js";
import { groupOf, lay } from "./groups.js";
import { take } from "./taking.js";
import { isInTray, isPicked, itemOf, kindOf, live, nameOf, things } from "./things.js";

const DRAFT = `trefoil draft ${live.dataset.news}`;

/** @type {HTMLElement[]} */
let picked = []; // in the order picked
/** @type {string[][]} */
let aside = []; // groups of names
let kind = ""; // the type of moves that is chosen, "" where none is
/** @type {{ picked: HTMLElement[], aside: string[][], kind: string }[]} */
let before = []; // what was picked, put aside and chosen before each step

/** Returns the things that are picked, in the order picked. */
export const pickedThings = () => picked;

/** Returns the cards that are picked. */
export const pickedCards = () => picked.filter((thing) => kindOf(thing) === "card");

/** Returns how many groups are put aside. */
export const groupsAside = () => aside.length;

/** Returns the type of moves that is chosen, "" where none is. */
export const chosen = () => kind;

/** Returns whether anything is picked or chosen. */
export const isPicking = () => picked.length > 0 || kind !== "";

/** Returns whether anything is picked, put aside or chosen. */
export const isBusy = () => picked.length + aside.length > 0 || kind !== "";

/** @param {number} seq @returns {import("./draft.js").Moment} */
function momentOf(seq) {
  const title = document.getElementById("table-title");
  return { deal: title ? String(title.textContent) : "", seq };
}

/**
 * Takes up what was put aside in this deal, and what was picked on this very table before another page was read.
 * @param {number} seq
 */
export function takeUp(seq) {
  const choosable = things().filter((thing) => isPicked(thing) && !isInTray(thing));
  before = [];
  const draft = keptDraft(DRAFT, momentOf(seq), choosable.map(nameOf));
  aside = draft.aside;
  kind = draft.kind;
  picked = [];
  for (const name of draft.picked) {
    picked.push(/** @type {HTMLElement} */ (choosable.find((thing) => nameOf(thing) === name && !picked.includes(thing))));
  }
}

/** @param {number} seq */
export const keepTray = (seq) => keepDraft(DRAFT, momentOf(seq), { picked: picked.map(nameOf), aside, kind });

/**
 * Returns what is picked, put aside and put onto a thing, as the server reads it.
 * @param {string=} onto
 */
export function gesture(onto) {
  /** @type {{ picked: string[], aside: string[][], onto?: string, kind?: string }} */
  const made = { picked: picked.map(nameOf), aside };
  if (onto) made.onto = onto;
  if (kind) made.kind = kind;
  return JSON.stringify(made);
}

/**
 * Returns what a thing that is dragged would be put onto others with, as the server reads it.
 * @param {HTMLElement} thing
 */
export function gestureOf(thing) {
  const names = (picked.includes(thing) ? picked : [thing]).map(nameOf);
  return JSON.stringify({ picked: names, aside: isInTray(thing) ? without(thing) : aside });
}

// The groups without a card that lies in one of them.
/** @param {HTMLElement} card */
function without(card) {
  const left = aside.map((names) => [...names]);
  take(left[groupOf(card)], nameOf(card));
  return left.filter((each) => each.length);
}

function begin() {
  before.push({ picked: [...picked], aside: aside.map((names) => [...names]), kind });
}

/**
 * Chooses the type of moves that is meant from now on, "" for any, with nothing picked.
 * @param {string} name
 */
export function choose(name) {
  begin();
  kind = name;
  picked = [];
}

/**
 * Picks a thing, or takes it back where it is picked or put aside.
 * @param {HTMLElement} thing
 */
export function pick(thing) {
  begin();
  const place = picked.indexOf(thing);
  if (place >= 0) picked.splice(place, 1);
  else if (isInTray(thing)) aside = without(thing);
  else picked.push(thing);
}

/**
 * Picks a thing that is dragged, and no other unless it is one of those picked. A card of the tray leaves it.
 * @param {HTMLElement} thing
 */
export function pickAlone(thing) {
  if (picked.includes(thing)) return;
  begin();
  picked = [thing];
  if (!isInTray(thing)) return;
  aside = without(thing);
  markTray();
  picked = [...live.querySelectorAll("#hand :not(.aside) > [data-thing]")].filter((card) => nameOf(card) === nameOf(thing)).slice(0, 1);
}

/**
 * Puts aside what is picked, as a group of its own or with another one.
 * @param {number=} group
 */
export function putAside(group = aside.length) {
  begin();
  aside[group] = [...(aside[group] || []), ...picked.map(nameOf)];
  picked = [];
}

/**
 * Takes a group back into the hand.
 * @param {number} group
 */
export function takeGroupBack(group) {
  begin();
  aside = aside.filter((_names, place) => place !== group);
}

/**
 * Puts aside a card that is dragged, or takes it out of its group into another one, with those picked if it is one of them.
 * @param {HTMLElement} card @param {number=} group
 */
export function putCardAside(card, group = aside.length) {
  begin();
  const isOne = picked.includes(card);
  if (isInTray(card)) take(aside[groupOf(card)], nameOf(card));
  aside[group] = [...(aside[group] || []), ...(isOne ? picked.map(nameOf) : [nameOf(card)])];
  aside = aside.filter((each) => each.length);
  if (isOne) picked = [];
}

/**
 * Takes back things that can't be picked now.
 * @param {string[]} names
 */
export function drop(names) {
  picked = picked.filter((thing) => !names.includes(nameOf(thing)));
}

// Whether a step was to pick one more card of a group: it is taken back with the first one.
/** @param {{ picked: HTMLElement[], aside: string[][], kind: string }} step */
const isWithin = ({ picked: cards, aside: groups, kind: name }) =>
  cards.length > 0 && cards.every((card) => kindOf(card) === "card") && groups.length === aside.length && name === kind;

/** Takes back the last step, all cards picked one by one, or, of a draft that was taken up, what is picked and else the last group. */
export function takeBack() {
  let last = before.pop();
  while (last && picked.length && isWithin(last)) last = before.pop();
  if (!last && !picked.length) aside.pop();
  picked = last ? last.picked : [];
  kind = last ? last.kind : "";
  if (last) aside = last.aside;
}

/** Marks what is picked and put aside. */
export function markTray() {
  for (const thing of things()) {
    const isOn = picked.includes(thing);
    thing.classList.toggle("picked", isOn);
    if (isPicked(thing) && !isInTray(thing)) thing.setAttribute("aria-pressed", String(isOn));
  }
  markRoles();
  const taken = aside.flat();
  for (const card of live.querySelectorAll("#hand [data-thing]")) {
    itemOf(card).classList.toggle("aside", !picked.includes(card) && take(taken, nameOf(card)));
  }
  lay(aside, picked.length > 0);
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
