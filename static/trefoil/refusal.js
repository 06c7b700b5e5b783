// Why a move was refused, told above the table.
import { live } from "./things.js";

let late = false; // whether the last move was refused because somebody else was first

/** Notes how the server has answered a move. @param {Response} answer */
export function note(answer) {
  late = answer.status === 409;
}

/** Returns whether the last move came too late. */
export const isLate = () => late;

function remove() {
  const refusal = document.getElementById("refusal");
  if (refusal) refusal.remove();
}

/** Removes it where the form that was refused is no longer there. What came too late is told until the next try. */
export function removeRefusal() {
  if (!late && !live.querySelector("[aria-invalid]")) remove();
}

/**
 * Shows a refusal with the form that comes back, filled in as it was sent, and returns whether the table that it is
 * about is not shown yet.
 * @param {string} html
 */
export function showRefusal(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const refusal = page.getElementById("refusal");
  remove();
  if (refusal) live.prepend(refusal);
  const play = /** @type {HTMLElement} */ (document.getElementById("play"));
  play.innerHTML = (/** @type {HTMLElement} */ (page.getElementById("play"))).innerHTML;
  play.focus({ preventScroll: true });
  if (refusal) refusal.scrollIntoView({ block: "nearest" });
  // The table may be shown already as it is now: news are asked for while a move is sent again.
  const { seq } = /** @type {HTMLElement} */ (page.getElementById("live")).dataset;
  const missed = !(Number(seq) <= Number(live.dataset.seq));
  document.dispatchEvent(new CustomEvent(late ? "trefoil:late" : "trefoil:refused", { detail: { missed } }));
  return missed;
}
