// Keeps the whole table of a running game on one screen, whatever lies on it and however long the dock below is.
import { fitting } from "./fitting.js";
import { live } from "./things.js";
import "./popups.js";

const board = /** @type {HTMLElement} */ (live.querySelector(".board"));
const cloth = /** @type {HTMLElement} */ (document.getElementById("table"));

// Within a deal the cards keep their size; how it ended is another table.
const name = () => {
  const title = document.getElementById("table-title");
  return `${title ? title.textContent : ""} ${live.classList.contains("ending")}`;
};

const fitBoard = fitting(board, cloth, name);

// With each turn the dock is as long as it usually is: cards that had become small for something passing grow again.
const SPARE = 64;
const isMine = () => Boolean(document.getElementById("turn"));
let mine = isMine();
let begins = true;

function isSettled() {
  const dock = document.getElementById("dock");
  return !dock || (dock.dataset.state === "shown" && !live.querySelector(".picked"));
}

// Where the others sit in a row that is scrolled, whose turn it is is seen.
function showTurn() {
  const [row, seat] = [".seats", ".seat.turn:not([data-place=near])"].map((part) => /** @type {HTMLElement | null} */ (cloth.querySelector(part)));
  if (!row || !seat || row.scrollWidth <= row.clientWidth) return;
  const [within, own] = [row.getBoundingClientRect(), seat.getBoundingClientRect()];
  if (own.left < within.left || own.right > within.right) row.scrollLeft += own.left - within.left - (within.width - own.width) / 2;
}

/** Fits the table to the screen as it is now, while the game runs. */
export function fit() {
  live.classList.toggle("one-screen", Boolean(live.querySelector("#status [data-running]")));
  const grows = begins && isSettled();
  if (grows) begins = false;
  fitBoard(grows ? SPARE : undefined);
  showTurn();
}

document.addEventListener("trefoil:updated", () => {
  begins ||= isMine() && !mine;
  mine = isMine();
  fit();
});
addEventListener("resize", () => fit());
// What is said above the board or in the dock below may take a line more than before.
const observer = new ResizeObserver(() => requestAnimationFrame(fit));
for (const part of [cloth, ...["messages", "status", "offline", "unsent"].map((id) => document.getElementById(id))]) if (part) observer.observe(part);
fit();
