// Plays a seat by hand: things of the table are picked, put aside and put onto others, by tap, drag or keys.
//
// What that means is asked of the server with each gesture; its rules say which moves there are and what is
// missing. A move that a pile, a meld or a seat leaves no doubt about is made by the same request.
import { fit } from "./onescreen.js";
import { isWaited, turnAllBack } from "./peek.js";
import { takeBackAll } from "./atonce.js";
import { isDragged, letDrag } from "./drag.js";
import { failed } from "./connection.js";
import { focusAgain, listenToKeys } from "./keys.js";
import { isDraw, make, put, token } from "./made.js";
import { nextDeal, skip } from "./news.js";
import { markNew } from "./newcards.js";
import { openApart } from "./apart.js";
import { opensForms, toggleForms } from "./forms.js";
import { groupOf, judge } from "./groups.js";
import { lineOf, named, plain } from "./line.js";
import { answered, listsFor } from "./questions.js";
import { dataOf, request } from "./request.js";
import { isWaiting } from "./sending.js";
import { sortHand } from "./sorted.js";
import { dock, isInTray, isPicked, live, nameOf, thingAt, things } from "./things.js";
import { markStops } from "./stops.js";
import * as tray from "./tray.js";
import "./sound.js";
import "./travel.js";

/** @typedef {import("./made.js").Move} Move */
/** @typedef {{ move: Move, title: string }} Possible */
/** @typedef {{ thing: string, does: string, told: string, is_move: boolean }} Target */
/** @typedef {import("./line.js").Group} Group */
/** @typedef {import("./line.js").Judged & { seq?: number, moves: Possible[], targets: Target[], choices: string[], strays: string[], questions: import("./questions.js").Question[] }} Meaning */

const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (dock.querySelector(`[data-part="${name}"]`));
const seq = () => Number(live.dataset.seq);
/** @type {Meaning} */
const NOTHING = { moves: [], groups: [], refused: null, astray: null, missing: [], hint: "", notes: [], targets: [], choices: [], strays: [], questions: [] };

let asked = 0;
/** @type {Possible[]} */
let free = []; // what may be done with nothing picked
let known = NOTHING; // what is known of the things that are picked or dragged
let unasked = false; // whether that could not be asked
let overtaken = false; // whether there is a move that the table does not show yet
let changed = false; // whether something was tapped on a table that was another one already
const isBehind = () => overtaken || live.classList.contains("behind");

dock.hidden = false;

function prepare() {
  if (!isBehind()) takeBackAll();
  const over = !live.querySelector("#status [data-running]");
  dock.hidden = over;
  live.classList.toggle("by-hand", !over);
  live.classList.remove("forms");
  fit();
  sortHand();
  for (const thing of things()) {
    thing.setAttribute("role", "button");
    if (isPicked(thing) && !isInTray(thing)) thing.setAttribute("aria-pressed", "false");
  }
  markStops([]);
  free = [];
  tray.takeUp(isBehind() ? -1 : seq());
  clear();
  if (!isBehind()) markNew(dock.dataset);
  return ask();
}

// What could be done before a move is no longer offered once the move is on its way, or the table another one.
function clear() {
  const focused = isFocused();
  part("said").textContent = "";
  part("moves").textContent = "";
  if (focused) part("said").focus({ preventScroll: true });
}

// The buttons of the dock come and go: the focus stays in it, on the button that does the same where there is one.
const isFocused = () => part("moves").contains(document.activeElement);
const textOfFocused = () => (isFocused() ? /** @type {Element} */ (document.activeElement).textContent : null);

/** @param {string | null} text */
function focusOn(text) {
  if (text === null) return;
  const same = [...part("moves").querySelectorAll("button")].find((made) => made.textContent === text);
  (same || part("said")).focus({ preventScroll: true });
}

// A move that was not made leaves all as it was, what is picked too.
function restore() {
  if (isBehind()) return;
  takeBackAll();
  ask();
}

// A move came too late: the table has changed, whether that is shown already or not.
/** @param {Event} event */
function tellLate(event) {
  const { missed } = /** @type {CustomEvent<{ missed: boolean }>} */ (event).detail;
  changed = true;
  if (missed && !live.classList.contains("ending")) tellChanged();
  else restore();
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
  markStops([]);
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
  showChoices([]);
  tray.markTray();
  letDrag({ lift, drop, putAside, takeOut: takeUse, letGo: ask });
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

// What an action can be for is marked once its button is pressed, or while it goes on.
/** @param {string[]} choices */
function showChoices(choices) {
  for (const thing of things()) thing.classList.toggle("choice", choices.includes(nameOf(thing)));
}

// ---- What it means

// What can be done with nothing picked has come with the table.
/** @returns {Meaning} */
const idle = () => JSON.parse((/** @type {HTMLElement} */ (document.getElementById("idle"))).textContent || "null") || NOTHING;

/** @param {string} body @returns {Promise<Meaning>} */
const meant = (body) => request(String(dock.dataset.ask), dataOf, {
  method: "POST",
  headers: { "Content-Type": "application/json", "X-CSRFToken": token() },
  body,
});

function ask() {
  if (isBehind()) return follow();
  mark();
  asked += 1;
  tray.keepTray(seq());
  unasked = false;
  if (!tray.isBusy()) return show(idle());
  known = NOTHING;
  const number = asked;
  dock.dataset.state = "asking";
  // What was possible with other cards is not made by a quick tap.
  for (const made of part("moves").querySelectorAll("[data-move]")) /** @type {HTMLButtonElement} */ (made).disabled = true;
  meant(tray.gesture())
    .then((meaning) => {
      if (number !== asked) return;
      if (Number(meaning.seq) === seq()) return show(meaning);
      tellChanged();
      skip();
    }, (error) => {
      if (number !== asked) return;
      if (typeof error === "number") return show(NOTHING);
      failed(error);
      tellUnasked();
    });
}

// Without a connection nothing can be asked; what is known of what is picked stays.
function tellUnasked() {
  unasked = true;
  show(Object.assign({}, known, { astray: { text: word("unasked") } }));
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

const word = (/** @type {string} */ name) => plain(dock.dataset[name] || "");

// What is read where a move is decided, not below the cloth's edge.
const told = (/** @type {string} */ place) => {
  const found = live.querySelector(place);
  return found ? found.innerHTML : "";
};

// Once what the lesson asks for is picked, it goes on.
/** @param {Meaning} meaning */
function lessonFor({ moves }) {
  const lesson = told("#guide p");
  return lesson && tray.isBusy() && moves.length ? word("picked") : lesson;
}

// What can't be picked now is taken back, and the line says why.
/** @param {string[]} names */
function takeAway(names) {
  tray.drop(names);
  tray.markTray();
  tray.keepTray(seq());
}

/** @param {Meaning} meaning @param {boolean=} isPut */
function show(meaning, isPut) {
  known = meaning;
  dock.dataset.state = "shown";
  if (meaning.strays.length) takeAway(meaning.strays);
  if (!tray.isBusy()) free = meaning.moves;
  const line = lineOf(meaning, {
    busy: tray.isBusy(),
    lesson: lessonFor(meaning),
    deed: told("#table [data-deed]"),
    several: isPut && meaning.moves.length > 1 ? word("several") : "",
    wait: meaning.moves.length ? "" : `<span class="soft">${word("wait")}</span>`,
    aside: tray.groupsAside(),
    picked: meaning.moves.length ? word("picked") : "",
  });
  judge(meaning.groups.slice(0, tray.groupsAside()).map(named));
  holdLine();
  part("said").classList.remove("guided");
  part("said").innerHTML = `<p>${changed ? `<span class="soft">${word("changed")}</span> ` : ""}${line}</p>`;
  changed = false;
  showTargets(meaning.targets);
  showChoices(deedToUse() ? [] : meaning.choices);
  markStops(meaning.targets.map(({ thing }) => thing));
  const moves = part("moves");
  const focused = textOfFocused();
  moves.textContent = "";
  moves.append(...listsFor(meaning.questions));
  for (const each of meaning.moves) {
    const made = button(each.title, () => { if (make(answered(each.move))) sent("sent"); });
    made.dataset.move = JSON.stringify(each.move);
    moves.append(made);
  }
  const guide = tray.isBusy() ? null : guideButton();
  if (guide) moves.prepend(guide);
  // In a turn of one's own the cards turn back with the move that they are looked at for.
  if (isWaited()) moves.append(seenButton());
  if (mayBeAside(meaning)) moves.append(button(word("aside"), () => { tray.putAside(); ask(); }, true));
  if (tray.isBusy()) moves.append(button(word("back"), takeBack, true));
  else if (document.querySelector("#play .play")) {
    const opener = button("", toggleForms, true);
    moves.append(opener);
    opensForms(opener);
  }
  focusOn(focused);
  openApart();
}

// While a move is picked the line is as high as it was before, so that nothing on the cloth moves with what it says.
function holdLine() {
  const said = part("said");
  said.style.height = tray.isBusy() ? said.style.height || `${said.offsetHeight}px` : "";
}

const deedToUse = () => live.querySelector("#table [data-use]");

// What a drawn card can do begins with picking cards: its button says and marks which, and is there before any is.
function guideButton() {
  const deed = deedToUse();
  if (!deed) return null;
  const guide = button(plain(deed.dataset.use || ""), () => {
    const said = part("said");
    const isOn = said.classList.toggle("guided");
    guide.setAttribute("aria-pressed", String(isOn));
    showChoices(isOn ? known.choices : []);
    said.focus({ preventScroll: true });
  }, true);
  guide.setAttribute("aria-pressed", "false");
  return guide;
}

// What is wrong is put aside only where the rules let it lie, and somebody may challenge it.
/** @param {Meaning} meaning */
function mayBeAside({ groups, moves }) {
  const own = tray.pickedThings().length > 1 ? groups[groups.length - 1] : null;
  return Boolean(own) && (!(/** @type {Group} */ (own)).refused || moves.some(({ move }) => move.type === "meld"));
}

// ---- Tap, keys and drag

/** @param {"asking" | "sent"} state */
function sent(state) {
  dock.dataset.state = state;
  clear();
}

function takeBack() {
  tray.takeBack();
  ask();
}

/** @param {HTMLElement} onto */
function putOnto(onto) {
  mark();
  asked += 1;
  const number = asked;
  const explain = (/** @type {Meaning} */ meaning) => { if (number === asked) show(meaning, true); };
  const lost = () => {
    takeBackAll();
    if (number === asked) tellUnasked();
  };
  const isMove = known.targets.some((target) => target.thing === nameOf(onto) && target.is_move);
  if (put(nameOf(onto), free.some(({ move }) => isDraw(move)), explain, isMove ? undefined : lost)) sent("asking");
}

// Where a thing can be put is marked while it is dragged; what is said and offered waits until it is let go.
/** @param {HTMLElement} thing */
function lift(thing) {
  if (isBehind()) return;
  asked += 1;
  const number = asked;
  known = NOTHING;
  meant(tray.gestureOf(thing))
    .then((meaning) => {
      if (number !== asked || Number(meaning.seq) !== seq()) return;
      known = meaning;
      showTargets(meaning.targets);
    })
    .catch(() => {});
}

/** @param {HTMLElement} thing @param {HTMLElement} onto */
function drop(thing, onto) {
  tray.pickAlone(thing);
  putOnto(onto);
}

// A group takes the cards that are picked, or a card that is dragged onto it.
/** @param {HTMLElement} card @param {number=} group */
function putAside(card, group) {
  if (isBehind()) return;
  tray.putCardAside(card, group);
  ask();
}

/** @param {HTMLElement} card */
function takeUse(card) {
  if (isBehind()) return;
  tray.pick(card);
  ask();
}

/** @param {HTMLElement} thing */
function use(thing) {
  if (isWaited()) turnAllBack();
  else if (isBehind()) skip();
  else if (!isPicked(thing)) putOnto(thing);
  else takeUse(thing);
}

live.addEventListener("click", (event) => {
  const thing = thingAt(event.target);
  const pressed = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("#tray button"));
  if (thing && !isDragged() && !(/** @type {Element} */ (event.target).closest("a"))) use(thing);
  if (!pressed || isBehind()) return;
  if (pressed.dataset.does === "add") tray.putAside(groupOf(pressed));
  else tray.takeGroupBack(groupOf(pressed));
  ask();
});
listenToKeys({ use, back: takeBack });

document.addEventListener("trefoil:updated", () => {
  overtaken = false;
  prepare();
  focusAgain();
});
document.addEventListener("trefoil:overtaken", overtake);
document.addEventListener("trefoil:late", tellLate);
document.addEventListener("trefoil:connected", () => { if (unasked) ask(); });
document.addEventListener("trefoil:turn", follow);
document.addEventListener("trefoil:refused", restore);
document.addEventListener("trefoil:withdrawn", restore);
document.addEventListener("trefoil:seen", prepare);
prepare();
// A move that was made before the page was loaded is sent first.
if (isWaiting()) {
  asked += 1;
  sent("sent");
}
