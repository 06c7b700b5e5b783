// What a player is told and offered of what a gesture means: the line and the buttons of the dock.
import { button, word } from "./dock.js";
import { showForms, toggleForms } from "./forms.js";
import { areWanted } from "./lessons.js";
import { lineOf, plain } from "./line.js";
import { isWaited, turnAllBack } from "./peek.js";
import { listsFor } from "./questions.js";
import { leave } from "./standing.js";
import { dock, live } from "./things.js";
import { chosen, groupsAside, isBusy, isPicking, pickedThings } from "./tray.js";

/** @typedef {import("./meaning.js").Meaning} Meaning */
/** @typedef {import("./meaning.js").Possible} Possible */
/** @typedef {import("./standing.js").Standing} Standing */
/** @typedef {{ move: (possible: Possible, text: string) => void, putAside: () => void, takeBack: () => void, choose: (kind: string) => void, standing: (standing: Standing) => void }} Does */

// What is read where a move is decided, not below the cloth's edge.
const told = (/** @type {string} */ place) => {
  const found = live.querySelector(place);
  return found ? found.innerHTML : "";
};

/** Returns what is said while others are to move, as HTML. */
export const waitWord = () => `<span class="soft">${word(isWaited() ? "remember" : "wait")}</span>`;

// Once what the lesson asks for is picked, it goes on.
/** @param {Meaning} meaning */
function lessonFor(meaning) {
  const lesson = chosen() || !areWanted() ? "" : told("#guide p");
  return isPicking() && lesson ? pickedWord(meaning) || lesson : lesson;
}

// Where the move is made that is picked: by a button, or by a tap on a place that is marked on the table.
/** @param {Meaning} meaning */
function pickedWord({ moves, targets }) {
  if (targets.length) return word(moves.length ? "pickedBoth" : "pickedPlace");
  return moves.length ? word("picked") : "";
}

/**
 * Returns the line as HTML.
 * @param {Meaning} meaning @param {boolean=} isPut whether it was put onto a thing
 */
export const lineFor = (meaning, isPut) => lineOf(meaning, {
  // What is put aside for one's next turn is not judged before.
  busy: isPicking() || (isBusy() && isOwnTurn()),
  lesson: lessonFor(meaning),
  deed: told("#table [data-deed]"),
  several: isPut && meaning.moves.length > 1 ? word("several") : "",
  wait: meaning.moves.length ? "" : waitWord(),
  aside: groupsAside(),
  picked: pickedWord(meaning),
});

/** Returns whether something is asked of the reader now. */
export const isOwnTurn = () => document.getElementById("turn") !== null;

const deedToUse = () => /** @type {HTMLElement | null} */ (live.querySelector("#table [data-use]"));

// What a drawn card can do is chosen before cards are picked for it; until it is left, nothing else is meant.
/** @param {HTMLElement} deed @param {Does} does */
const useButton = (deed, { choose }) => button(plain(deed.dataset.use || ""), () => choose(deed.dataset.kind || ""), true);

/** @param {HTMLElement} deed @param {Does} does */
const leaveButton = (deed, { choose }) => button(plain(deed.dataset.leave || ""), () => choose(""), true);

export const seenButton = () => button(word("seen"), turnAllBack, true);

/** @param {Does} does */
function undoButton({ takeBack }) {
  const undo = button(`<span aria-hidden="true">↶</span> <span class="label">${word("back")}</span>`, takeBack, true, "undo");
  undo.element.classList.add("undo");
  undo.element.title = String(dock.dataset.back);
  return undo;
}

function formsButton() {
  const opener = button("", toggleForms, true, "forms");
  showForms(opener.element);
  return opener;
}

// What is asked again and again can be left to the page.
/** @param {Standing} standing @param {Does} does */
const standingButton = (standing, does) =>
  button(plain(standing.text), () => { leave(standing); does.standing(standing); }, true);

// It makes no move of another table than that on which a finger or key went down.
/** @param {Possible} possible @param {Does} does */
function moveButton(possible, does) {
  const move = JSON.stringify(possible.move);
  const made = button(possible.title, () => does.move(possible, made.element.textContent || ""), possible.costly, `${live.dataset.seq} ${move}`);
  made.element.dataset.move = move;
  if (possible.move.end) made.element.classList.add(`end-${possible.move.end}`);
  return made;
}

// What is wrong is put aside only where the rules let it lie, and somebody may challenge it.
/** @param {Meaning} meaning */
function mayBeAside({ groups, moves }) {
  const own = pickedThings().length > 1 && groups.length ? groups[groups.length - 1] : null;
  return own !== null && (!own.refused || moves.some(({ move }) => move.type === "meld"));
}

/**
 * Returns the buttons, each of which does what is given for it, and lists to choose from.
 * @param {Meaning} meaning @param {Does} does
 */
export function buttonsFor(meaning, does) {
  const deed = deedToUse();
  const hasThings = pickedThings().length + groupsAside() > 0;
  return [
    ...(deed && !isBusy() ? [useButton(deed, does)] : []),
    // Where its use was chosen: no move comes to lie there.
    ...(deed && chosen() ? [leaveButton(deed, does)] : []),
    ...listsFor(meaning.questions).map((element) => ({ element })),
    ...meaning.moves.map((each) => moveButton(each, does)),
    ...(meaning.standing && !isPicking() ? [standingButton(meaning.standing, does)] : []),
    ...(isWaited() ? [seenButton()] : []),
    ...(mayBeAside(meaning) ? [button(word("aside"), does.putAside, true)] : []),
    ...(hasThings ? [undoButton(does)] : []),
    ...(!isPicking() && document.querySelector("#play .play") ? [formsButton()] : []),
  ];
}
