// The list of moves, which lies on the cloth: nothing else moves for it, and the buttons below stay where they are.
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
  sign.textContent = isOpen() ? "✕" : "☰";
  label.className = "label";
  label.textContent = String(isOpen() ? dock.dataset.closeForms : dock.dataset.forms);
  button.replaceChildren(sign, label);
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

live.addEventListener("keydown", (event) => { if (event.key === "Escape" && isOpen()) toggleForms(); });
addEventListener("resize", place);
