// The list of moves, which lies on the cloth: nothing else moves for it, and the buttons below stay where they are.
import { allStanding, askAgain } from "./standing.js";
import { dock, live } from "./things.js";

const isOpen = () => live.classList.contains("forms");

function place() {
  const cloth = /** @type {HTMLElement} */ (document.getElementById("table"));
  live.style.setProperty("--cloth-width", `${cloth.offsetWidth}px`);
  live.style.setProperty("--cloth-height", `${cloth.offsetHeight}px`);
}

/**
 * Makes a button tell what it does to the list. It takes the focus when the list is closed.
 * @param {HTMLElement} button
 */
export function showForms(button) {
  button.classList.add("opener");
  const [sign, label] = [document.createElement("span"), document.createElement("span")];
  sign.setAttribute("aria-hidden", "true");
  sign.textContent = isOpen() ? "✕" : "⋯";
  label.className = "label";
  label.textContent = String(isOpen() ? dock.dataset.closeForms : dock.dataset.forms);
  button.replaceChildren(sign, label);
  button.title = label.textContent;
  place();
}

/** Opens or closes the list of moves, and moves the focus there and back. */
export function toggleForms() {
  live.classList.toggle("forms");
  const opener = dock.querySelector(".opener");
  if (opener) showForms(opener);
  const list = /** @type {HTMLElement | null} */ (document.querySelector("#play > .play"));
  const focused = isOpen() ? list : opener;
  if (!focused) return;
  if (focused === list) focused.tabIndex = -1;
  focused.focus({ preventScroll: true });
}

/**
 * Lets the reader be asked again, in the list, what is left to the page.
 * @param {() => void} again called once that is chosen
 */
export function offerToAsk(again) {
  const list = document.querySelector("#play > .play");
  const old = list && list.querySelector(".left-to-page");
  if (old) old.remove();
  if (!list || !allStanding().length) return;
  const place = document.createElement("p");
  place.className = "left-to-page";
  place.append(...allStanding().map((standing) => buttonToAsk(standing, again)));
  list.append(place);
}

/** @param {import("./standing.js").Standing} standing @param {() => void} again */
function buttonToAsk(standing, again) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = standing.stop;
  button.addEventListener("click", () => { askAgain(standing); again(); });
  return button;
}

live.addEventListener("keydown", (event) => { if (event.key === "Escape" && isOpen()) toggleForms(); });
addEventListener("resize", place);
