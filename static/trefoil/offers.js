// What a player is told and offered of what a gesture means: the line and the buttons of the dock.
import { button, said, word } from "./dock.js";
import { opensForms, toggleForms } from "./forms.js";
import { lineOf, plain } from "./line.js";
import { showChoices } from "./marks.js";
import { isWaited, turnAllBack } from "./peek.js";
import { listsFor } from "./questions.js";
import { live } from "./things.js";
import { groupsAside, isBusy, pickedThings } from "./tray.js";

/** @typedef {import("./meaning.js").Meaning} Meaning */
/** @typedef {import("./meaning.js").Possible} Possible */
/** @typedef {{ move: (possible: Possible, text: string) => void, putAside: () => void, takeBack: () => void }} Does */

// What is read where a move is decided, not below the cloth's edge.
const told = (/** @type {string} */ place) => {
  const found = live.querySelector(place);
  return found ? found.innerHTML : "";
};

// Once what the lesson asks for is picked, it goes on.
/** @param {Meaning} meaning */
function lessonFor({ moves }) {
  const lesson = told("#guide p");
  return lesson && isBusy() && moves.length ? word("picked") : lesson;
}

/**
 * Returns the line as HTML.
 * @param {Meaning} meaning @param {boolean=} isPut whether it was put onto a thing
 */
export const lineFor = (meaning, isPut) => lineOf(meaning, {
  busy: isBusy(),
  lesson: lessonFor(meaning),
  deed: told("#table [data-deed]"),
  several: isPut && meaning.moves.length > 1 ? word("several") : "",
  wait: meaning.moves.length ? "" : `<span class="soft">${word("wait")}</span>`,
  aside: groupsAside(),
  picked: meaning.moves.length ? word("picked") : "",
});

const deedToUse = () => /** @type {HTMLElement | null} */ (live.querySelector("#table [data-use]"));

/** Returns what is marked as a choice before a button is pressed. @param {Meaning} meaning */
export const choicesOf = (meaning) => (deedToUse() ? [] : meaning.choices);

// What a drawn card can do begins with picking cards: its button says and marks which, and is there before any is.
/** @param {HTMLElement} deed @param {Meaning} meaning */
function guideButton(deed, { choices }) {
  const guide = button(plain(deed.dataset.use || ""), () => {
    const isOn = said.classList.toggle("guided");
    guide.setAttribute("aria-pressed", String(isOn));
    showChoices(isOn ? choices : []);
    said.focus({ preventScroll: true });
  }, true);
  guide.setAttribute("aria-pressed", "false");
  return guide;
}

export const seenButton = () => button(word("seen"), turnAllBack, true);

function formsButton() {
  const opener = button("", toggleForms, true);
  opensForms(opener);
  return opener;
}

/** @param {Possible} possible @param {Does} does */
function moveButton(possible, does) {
  const made = button(possible.title, () => does.move(possible, made.textContent || ""));
  made.dataset.move = JSON.stringify(possible.move);
  return made;
}

// What is wrong is put aside only where the rules let it lie, and somebody may challenge it.
/** @param {Meaning} meaning */
function mayBeAside({ groups, moves }) {
  const own = pickedThings().length > 1 && groups.length ? groups[groups.length - 1] : null;
  return own !== null && (!own.refused || moves.some(({ move }) => move.type === "meld"));
}

/**
 * Returns the buttons, each of which does what is given for it.
 * @param {Meaning} meaning @param {Does} does
 */
export function buttonsFor(meaning, does) {
  const deed = isBusy() ? null : deedToUse();
  return [
    ...(deed ? [guideButton(deed, meaning)] : []),
    ...listsFor(meaning.questions),
    ...meaning.moves.map((each) => moveButton(each, does)),
    // In a turn of one's own the cards turn back with the move that they are looked at for.
    ...(isWaited() ? [seenButton()] : []),
    ...(mayBeAside(meaning) ? [button(word("aside"), does.putAside, true)] : []),
    ...(isBusy() ? [button(word("back"), does.takeBack, true)] : []),
    ...(!isBusy() && document.querySelector("#play .play") ? [formsButton()] : []),
  ];
}
