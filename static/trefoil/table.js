// Plays a seat by hand: things of the table are picked, put aside and put onto others, by tap, drag or keys.
//
// What that means is asked of the server with each gesture; its rules say which moves there are and what is
// missing. A move that a pile, a meld or a seat leaves no doubt about is made by the same request.
import { fit } from "./onescreen.js";
import { isWaited, turnAllBack } from "./peek.js";
import { takeBackAll } from "./atonce.js";
import { button, clear, disableMoves, forgetHeight, moves, offer, say, word } from "./dock.js";
import { isDragged, letDrag } from "./drag.js";
import { failed } from "./connection.js";
import { focusAgain, listenToKeys } from "./keys.js";
import { isDraw, make, put } from "./made.js";
import { showChoices, showTargets } from "./marks.js";
import { idle, meant, NOTHING } from "./meaning.js";
import { nextDeal, skip } from "./news.js";
import { markNew } from "./newcards.js";
import { openApart } from "./apart.js";
import { groupOf, judge } from "./groups.js";
import { named, plain } from "./line.js";
import { offerToAsk } from "./forms.js";
import { buttonsFor, isOwnTurn, lineFor, seenButton, waitWord } from "./offers.js";
import { answered } from "./questions.js";
import { isWaiting, toldOfMove } from "./sending.js";
import { isLeft } from "./standing.js";
import { sortHand } from "./sorted.js";
import { dock, isInTray, isPicked, live, nameOf, thingAt, things } from "./things.js";
import { markStops } from "./stops.js";
import * as tray from "./tray.js";
import "./sound.js";
import "./travel.js";

/** @typedef {import("./meaning.js").Meaning} Meaning */

const seq = () => Number(live.dataset.seq);

let asked = 0;
/** @type {import("./meaning.js").Possible[]} */
let free = []; // what may be done with nothing picked
let known = NOTHING; // what is known of the things that are picked or dragged
let unasked = false; // whether that could not be asked
let overtaken = false; // whether there is a move that the table does not show yet
let leftAt = 0; // the move at which the last one was left to the page
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
    thing.setAttribute("role", "button");
    if (isPicked(thing) && !isInTray(thing)) thing.setAttribute("aria-pressed", "false");
  }
  markStops([], false);
  free = [];
  forgetHeight();
  tray.takeUp(isBehind() ? -1 : seq());
  if (!isBehind()) markNew(dock.dataset);
  return ask();
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
  say(`<span class="soft">${word("changed")}</span>`);
  dock.dataset.state = "following";
}

function overtake() {
  overtaken = true;
  if (moves.querySelector("[data-move]")) follow();
}

// The others' moves are shown one by one: what the player can do is told when all are.
function follow() {
  mark();
  markStops([], false);
  asked += 1;
  const ending = live.classList.contains("ending");
  say(ending ? endInWords() : waitWord());
  offer([ending ? button(word("next"), nextDeal) : isWaited() ? seenButton() : button(word("skip"), skip, true)]);
  dock.dataset.state = ending ? "ended" : "following";
}

function endInWords() {
  const [title, turn] = ["ending-title", "turn"].map((id) => document.getElementById(id));
  return `${plain(title ? title.textContent || "" : "")}. ${word(turn && turn.dataset.own ? "yours" : "waits")}`;
}

function mark() {
  showTargets([]);
  showChoices([]);
  tray.markTray();
  letDrag({ lift, drop, putAside, takeOut: takeUse, use, letGo: ask });
}

// ---- What it means

function ask() {
  if (isBehind()) return follow();
  mark();
  asked += 1;
  tray.keepTray(seq());
  unasked = false;
  if (!tray.isBusy() || (!tray.isPicking() && !isOwnTurn())) return show(idle());
  known = NOTHING;
  const number = asked;
  dock.dataset.state = "asking";
  disableMoves();
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
  if (isLeftToPage(meaning)) return;
  if (meaning.strays.length) takeAway(meaning.strays);
  if (!tray.isPicking()) free = meaning.moves;
  // Groups are judged once they can be laid; until then the tray goes on saying what they are.
  if (meaning.groups.length >= tray.groupsAside()) judge(meaning.groups.slice(0, tray.groupsAside()).map(named));
  say(`${changed ? `<span class="soft">${word("changed")}</span> ` : ""}${lineFor(meaning, isPut)}`);
  changed = false;
  showTargets(meaning.targets);
  showChoices(meaning.choices);
  markStops(meaning.targets.map(({ thing }) => thing), true);
  offer(buttonsFor(meaning, { move: makeOffered, putAside: putPickedAside, takeBack, choose, standing: makeStanding }));
  offerToAsk(ask);
  openApart();
}

// ---- Tap, keys and drag

// What is sent is said until the answer has come, or the connection is back.
/** @param {"asking" | "sent"} state */
function sent(state) {
  dock.dataset.state = state;
  clear();
  markStops([], false);
  say(`<span class="soft">${plain(toldOfMove())}</span>`);
}

/** @param {import("./meaning.js").Possible} possible @param {string} text */
function makeOffered({ move }, text) {
  if (make(answered(move), text)) sent("sent");
}

/** @param {import("./standing.js").Standing} standing */
function makeStanding({ move, made }) {
  const isSent = make(move, made);
  if (isSent) sent("sent");
  return isSent;
}

// Whether a move is made that the player leaves to the page: once, so that one that is refused is asked about.
/** @param {Meaning} meaning */
function isLeftToPage({ standing }) {
  if (!standing || tray.isPicking() || leftAt === seq() || !isLeft(standing)) return false;
  leftAt = seq();
  return makeStanding(standing);
}

function putPickedAside() {
  tray.putAside();
  ask();
}

/** @param {string} kind */
function choose(kind) {
  tray.choose(kind);
  ask();
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
  const target = known.targets.find(({ thing }) => thing === nameOf(onto));
  const how = target && target.is_move ? { told: target.told } : { lost };
  if (put(nameOf(onto), free.some(({ move }) => isDraw(move)), explain, how)) sent("asking");
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
document.addEventListener("trefoil:lessons", ask);
document.addEventListener("trefoil:refused", restore);
document.addEventListener("trefoil:withdrawn", restore);
document.addEventListener("trefoil:seen", prepare);
prepare();
// With all that the dock says, before anything is painted.
fit();
// A move that was made before the page was loaded is sent first.
if (isWaiting()) {
  asked += 1;
  sent("sent");
}
