// Plays a seat by hand: things of the table are picked, put aside and put onto others, by tap, drag or keys.
//
// What that means is asked of the server with each gesture; its rules say which moves there are and what is
// missing. A move that a pile, a meld or a seat leaves no doubt about is made by the same request.
import { isWaited, turnAllBack } from "./peek.js";
import { drawAtOnce, layAtOnce, markSent, takeBackAll } from "./atonce.js";
import { makeMove, nextDeal, skip } from "./live.js";
import { markNew } from "./newcards.js";
import { keepOrder, keptOrder } from "./order.js";
import "./sound.js";
import "./travel.js";

/** @typedef {{ type: string } & Record<string, unknown>} Move */
/** @typedef {{ text: string, rule?: string, address?: string }} Refused */
/** @typedef {{ text: string, refused: Refused | null }} Group */
/** @typedef {{ move: Move, title: string }} Possible */
/** @typedef {{ thing: string, does: string, told: string }} Target */
/** @typedef {{ seq?: number, moves: Possible[], groups: Group[], refused: Refused | null, missing: Group[], hint: string, notes: Refused[], targets: Target[] }} Meaning */
/** @typedef {{ thing: HTMLElement, x: number, y: number, moved: boolean, ghost: HTMLElement | null }} Drag */

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const dock = /** @type {HTMLFormElement} */ (document.getElementById("dock"));
const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (dock.querySelector(`[data-part="${name}"]`));
const PICKED = ["card", "at", "top", "die"];
const DRAWS = ["draw", "take"];
const DRAGGED = 8;
/** @type {Meaning} */
const NOTHING = { moves: [], groups: [], refused: null, missing: [], hint: "", notes: [], targets: [] };

/** @type {HTMLElement[]} */
let picked = []; // in the order picked
/** @type {string[][]} */
let aside = []; // groups of names
let asked = 0;
/** @type {Possible[]} */
let free = []; // what may be done with nothing picked

dock.hidden = false;

// ---- Things

const THING = "#table [data-thing], #hand [data-thing]";
const nameOf = (/** @type {Element | null} */ element) => (element instanceof HTMLElement && element.dataset.thing) || "";
const kindOf = (/** @type {HTMLElement} */ element) => nameOf(element).split(":")[0];
const isPicked = (/** @type {HTMLElement} */ element) => PICKED.includes(kindOf(element));
const things = () => [...live.querySelectorAll(THING)];
const itemOf = (/** @type {HTMLElement} */ card) => /** @type {HTMLElement} */ (card.parentElement);
const thingAt = (/** @type {EventTarget | null} */ target) => (target instanceof Element ? target.closest(THING) : null);

let overtaken = false; // whether there is a move that the table does not show yet
let changed = false; // whether something was tapped on a table that was another one already
const isBehind = () => overtaken || live.classList.contains("behind");

function prepare() {
  if (!isBehind()) takeBackAll();
  const over = !live.querySelector("#status [data-running]");
  dock.hidden = over;
  live.classList.toggle("by-hand", !over);
  live.classList.remove("forms");
  fit();
  sortHand();
  for (const thing of things()) {
    thing.setAttribute("tabindex", "0");
    thing.setAttribute("role", "button");
    if (isPicked(thing)) thing.setAttribute("aria-pressed", "false");
  }
  picked = [];
  aside = [];
  free = [];
  clear();
  if (!isBehind()) markNew(dock.dataset);
  return ask();
}

// What could be done before a move is no longer offered once the move is on its way, or the table another one.
function clear() {
  part("said").textContent = "";
  part("moves").textContent = "";
}

// A move that was not made leaves all as it was, what is picked too.
function restore() {
  if (isBehind()) return;
  takeBackAll();
  ask();
}

// Moves of an older table are not offered: the one that is there now says what can be done.
function tellChanged() {
  changed = true;
  overtaken = true;
  asked += 1;
  takeBackAll();
  clear();
  part("said").innerHTML = `<p class="soft">${word("changed")}</p>`;
  dock.dataset.state = "following";
}

function overtake() {
  overtaken = true;
  if (part("moves").querySelector("[data-move]")) follow();
}

// The others' moves are shown one by one: what the player can do is told when all are.
function follow() {
  mark();
  asked += 1;
  clear();
  const ending = live.classList.contains("ending");
  part("said").innerHTML = ending ? `<p>${endInWords()}</p>` : `<p class="soft">${word("wait")}</p>`;
  part("moves").append(ending ? button(word("next"), nextDeal) : isWaited() ? seenButton() : button(word("skip"), skip, true));
  dock.dataset.state = ending ? "ended" : "following";
}

function endInWords() {
  const [title, turn] = ["ending-title", "turn"].map((id) => document.getElementById(id));
  return `${plain(title ? title.textContent || "" : "")}. ${word(turn && turn.dataset.own ? "yours" : "waits")}`;
}

const seenButton = () => button(word("seen"), turnAllBack, true);

function mark() {
  showTargets([]);
  for (const thing of things()) {
    const place = picked.indexOf(thing);
    thing.classList.toggle("picked", place >= 0);
    if (isPicked(thing)) thing.setAttribute("aria-pressed", String(place >= 0));
  }
  showRoles();
  /** @type {string[]} */
  const taken = [];
  for (const group of aside) taken.push(...group);
  for (const card of live.querySelectorAll("#hand [data-thing]")) {
    const place = taken.indexOf(nameOf(card));
    itemOf(card).classList.toggle("aside", place >= 0 && !picked.includes(card));
    if (place >= 0 && !picked.includes(card)) taken.splice(place, 1);
  }
}

// What a tap on a thing would do now stands on the thing before it is tapped.
/** @param {Target[]} targets */
function showTargets(targets) {
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

// Things whose roles come from the order in which they are picked are told theirs; the last one has no choice.
function showRoles() {
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

// The board takes what the screen has below the heading.
function fit() {
  const board = /** @type {HTMLElement} */ (live.querySelector(".board"));
  live.style.setProperty("--above", `${Math.ceil(board.getBoundingClientRect().top + scrollY)}px`);
}

// ---- The order of the hand, kept on this device

const kept = `trefoil hand ${live.dataset.news}`;

function sortHand() {
  const hand = live.querySelector("#hand .cards");
  if (!hand) return;
  const items = [...hand.children];
  hand.append(...keptOrder(kept, items.map((item) => nameOf(item.firstElementChild))).map((place) => items[place]));
}

function keepHand() {
  keepOrder(kept, [...live.querySelectorAll("#hand [data-thing]")].map(nameOf));
}

/** @param {HTMLElement} card @param {HTMLElement} other @param {boolean} after */
function moveBeside(card, other, after) {
  const place = itemOf(other);
  itemOf(place).insertBefore(itemOf(card), after ? place.nextSibling : place);
  keepHand();
}

// ---- What it means

/** @param {string=} onto */
function gesture(onto) {
  /** @type {{ picked: string[], aside: string[][], onto?: string }} */
  const made = { picked: picked.map(nameOf), aside };
  if (onto) made.onto = onto;
  return JSON.stringify(made);
}

// What can be done with nothing picked has come with the table.
/** @returns {Meaning} */
const idle = () => JSON.parse((/** @type {HTMLElement} */ (document.getElementById("idle"))).textContent || "null") || NOTHING;

function ask() {
  if (isBehind()) return follow();
  mark();
  asked += 1;
  if (!picked.length && !aside.length) return show(idle());
  const number = asked;
  dock.dataset.state = "asking";
  // What was possible with other cards is not made by a quick tap.
  for (const made of part("moves").querySelectorAll("[data-move]")) /** @type {HTMLButtonElement} */ (made).disabled = true;
  fetch(String(dock.dataset.ask), {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json", "X-CSRFToken": token() },
    body: gesture(),
  })
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
    .then((meaning) => {
      if (number !== asked) return;
      if (Number(meaning.seq) === Number(live.dataset.seq)) return show(meaning);
      tellChanged();
      skip();
    })
    .catch(() => { if (number === asked) show(NOTHING); });
}

const token = () => dock.elements.csrfmiddlewaretoken.value;

// One request makes the move, or is answered with what the gesture means where that is not just one move.
/** @param {string} onto */
function put(onto) {
  mark();
  asked += 1;
  const number = asked;
  const explain = (/** @type {Meaning} */ meaning) => {
    takeBackAll();
    if (number === asked) show(meaning);
  };
  const body = { csrfmiddlewaretoken: token(), gesture: gesture(onto) };
  const target = thingNamed(onto);
  if (!target || !makeMove(dock.action, body, explain)) return;
  dock.dataset.state = "asking";
  clear();
  markSent(target);
  if (cardsPicked().length) layAtOnce(cardsPicked(), target);
  else if ("gives" in target.dataset && free.some(({ move }) => DRAWS.includes(move.type))) drawAtOnce(target);
}

const thingNamed = (/** @type {string} */ name) => things().find((thing) => nameOf(thing) === name);
const cardsPicked = () => picked.filter((thing) => kindOf(thing) === "card");

// The thing that a move made by its button is about.
/** @param {Move} move */
function targetOf({ type, from }) {
  const own = live.querySelector("[data-mine]");
  if (type === "discard") return thingNamed("pile:discard") || (own && thingNamed(`pile:${own.dataset.seat}`));
  if (type === "take") return thingNamed("pile:discard");
  return type === "draw" ? thingNamed(`pile:${from === undefined ? "deck" : from}`) : null;
}

/** @param {Move} move */
function make(move) {
  const body = { csrfmiddlewaretoken: token(), type: move.type, offer: JSON.stringify(move) };
  if (!makeMove(dock.action, body)) return;
  dock.dataset.state = "sent";
  clear();
  const target = targetOf(move);
  picked.forEach(markSent);
  if (!target) return;
  markSent(target);
  const held = live.querySelector("[data-held]");
  if (DRAWS.includes(move.type) && "gives" in target.dataset) drawAtOnce(target);
  else if (move.type === "discard") layAtOnce(held ? [held] : cardsPicked(), target);
}

/** @param {string} text @param {() => void} act @param {boolean=} quiet */
function button(text, act, quiet) {
  const made = document.createElement("button");
  made.type = "button";
  if (quiet) made.className = "quiet";
  made.innerHTML = text;
  made.addEventListener("click", act);
  return made;
}

/** @param {string} text */
function plain(text) {
  const span = document.createElement("span");
  span.textContent = text;
  return span.innerHTML;
}

const word = (/** @type {string} */ name) => plain(dock.dataset[name] || "");

/** @param {Refused} refused */
function sentence(refused) {
  const rule = refused.rule ? ` <a href="${plain(refused.address || "")}">${plain(refused.rule)}</a>` : "";
  return `${refused.text}${rule}`;
}

// What the drawn card does is read where it is decided, not below the cloth's edge.
function deed() {
  const told = live.querySelector("#table [data-deed]");
  return told ? `<p>${told.innerHTML}</p>` : "";
}

/** @param {Meaning} meaning */
function show(meaning) {
  dock.dataset.state = "shown";
  const { refused } = meaning;
  if (!picked.length && !aside.length) free = meaning.moves;
  const said = meaning.groups.map((group) => (group.refused
    ? `<p class="lacks">${group.text}: ${sentence(group.refused)}</p>` : `<p class="fits">${group.text}</p>`));
  for (const note of meaning.notes) said.push(`<p>${sentence(note)}</p>`);
  if (refused && !said.some((line) => line.includes(refused.text))) {
    said.push(`<p class="lacks">${sentence(refused)}</p>`);
  }
  for (const { text, refused: why } of meaning.missing) {
    if (why) said.push(`<p class="soft">${text}: ${sentence(why)}</p>`);
  }
  if (!said.length && !picked.length && meaning.hint) said.push(`<p>${meaning.hint}</p>`);
  if (!said.length && !meaning.moves.length && !picked.length) said.push(`<p class="soft">${word("wait")}</p>`);
  if (deed()) said.unshift(deed());
  if (changed) said.unshift(`<p class="soft">${word("changed")}</p>`);
  changed = false;
  part("said").innerHTML = said.join("");
  showTargets(meaning.targets);
  const moves = part("moves");
  moves.textContent = "";
  for (const each of meaning.moves) {
    const made = button(each.title, () => make(each.move));
    made.dataset.move = JSON.stringify(each.move);
    moves.append(made);
  }
  // In a turn of one's own the cards turn back with the move that they are looked at for.
  if (isWaited()) moves.append(seenButton());
  if (mayBeAside(meaning)) moves.append(button(word("aside"), putAside, true));
  if (picked.length || aside.length) moves.append(button(word("back"), takeBack, true));
  else if (document.querySelector("#play .play")) moves.append(button(word("forms"), showForms, true));
}

// What is wrong is put aside only where the rules let it lie, and somebody may challenge it.
/** @param {Meaning} meaning */
function mayBeAside({ groups, moves }) {
  const own = picked.length > 1 ? groups[groups.length - 1] : null;
  return Boolean(own) && (!(/** @type {Group} */ (own)).refused || moves.some(({ move }) => move.type === "meld"));
}

function showForms() {
  live.classList.toggle("forms");
  const play = document.getElementById("play");
  if (live.classList.contains("forms") && play) play.scrollIntoView({ block: "start" });
}

function putAside() {
  aside.push(picked.map(nameOf));
  picked = [];
  ask();
}

// Takes back what is picked, then the last group that was put aside.
function takeBack() {
  if (!picked.length) aside.pop();
  picked = [];
  ask();
}

/** @param {HTMLElement} card */
function takeFromGroup(card) {
  const group = aside.findIndex((names) => names.includes(nameOf(card)));
  aside[group].splice(aside[group].indexOf(nameOf(card)), 1);
  if (!aside[group].length) aside.splice(group, 1);
  ask();
}

/** @param {HTMLElement} thing */
function pick(thing) {
  const place = picked.indexOf(thing);
  if (place >= 0) picked.splice(place, 1);
  else if (itemOf(thing).classList.contains("aside")) return takeFromGroup(thing);
  else picked.push(thing);
  return ask();
}

/** @param {HTMLElement} thing */
function use(thing) {
  if (isWaited()) turnAllBack();
  else if (isBehind()) skip();
  else if (isPicked(thing)) pick(thing);
  else put(nameOf(thing));
}

// ---- Tap, keys and drag

/** @type {Drag | null} */
let drag = null;

live.addEventListener("click", (event) => {
  const thing = thingAt(event.target);
  if (!thing || /** @type {Element} */ (event.target).closest("a")) return;
  if (drag && drag.moved) return;
  use(thing);
});

live.addEventListener("keydown", (event) => {
  const thing = thingAt(event.target);
  if (!thing || event.target !== thing) return;
  const card = kindOf(thing) === "card" ? thing : null;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    use(thing);
  } else if (card && event.shiftKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    event.preventDefault();
    const right = event.key === "ArrowRight";
    const other = right ? itemOf(card).nextElementSibling : itemOf(card).previousElementSibling;
    if (other) moveBeside(card, /** @type {HTMLElement} */ (other.firstElementChild), right);
    card.focus();
  } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    const all = things();
    const next = all[all.indexOf(thing) + (event.key === "ArrowRight" ? 1 : -1)];
    event.preventDefault();
    if (next) next.focus();
  } else if (event.key === "Escape") takeBack();
});

live.addEventListener("pointerdown", (event) => {
  const thing = thingAt(event.target);
  drag = null;
  if (!thing || !isPicked(thing) || event.button !== 0) return;
  drag = { thing, x: event.clientX, y: event.clientY, moved: false, ghost: null };
});

addEventListener("pointermove", (event) => {
  if (!drag) return;
  const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAGGED;
  if (!drag.moved && !far) return;
  if (!drag.ghost) {
    drag.moved = true;
    drag.ghost = /** @type {HTMLElement} */ (drag.thing.cloneNode(true));
    drag.ghost.classList.add("ghost");
    drag.ghost.removeAttribute("data-thing");
    document.body.append(drag.ghost);
  }
  drag.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -60%)`;
});

/** @param {PointerEvent} event @param {HTMLElement} thing */
function drop(event, thing) {
  const target = thingAt(document.elementFromPoint(event.clientX, event.clientY));
  if (!target || target === thing) return;
  if (kindOf(thing) === "card" && kindOf(target) === "card") {
    const box = target.getBoundingClientRect();
    moveBeside(thing, target, event.clientX > box.left + box.width / 2);
  } else if (!isPicked(target)) {
    if (!picked.includes(thing)) picked = [thing];
    put(nameOf(target));
  }
}

addEventListener("pointerup", (event) => {
  if (drag && drag.ghost) {
    drag.ghost.remove();
    drop(event, drag.thing);
  }
  // The click that follows a drag is no tap.
  setTimeout(() => { drag = null; });
});
addEventListener("pointercancel", () => {
  if (drag && drag.ghost) drag.ghost.remove();
  drag = null;
});

addEventListener("resize", fit);
document.addEventListener("trefoil:updated", () => { overtaken = false; prepare(); });
document.addEventListener("trefoil:overtaken", overtake);
document.addEventListener("trefoil:late", tellChanged);
document.addEventListener("trefoil:turn", follow);
document.addEventListener("trefoil:refused", restore);
document.addEventListener("trefoil:withdrawn", restore);
document.addEventListener("trefoil:seen", prepare);
prepare();
