// Sends the moves that are made on the table, and shows them there before the answer has come.
import { drawAtOnce, layAtOnce, markSent, takeBackAll } from "./atonce.js";
import { makeMove } from "./sending.js";
import { dock, live, thingNamed } from "./things.js";
import { gesture, pickedCards, pickedThings } from "./tray.js";

/** @typedef {{ type: string } & Record<string, unknown>} Move */

const DRAWS = ["draw", "take"];

/** @param {Move} move */
export const isDraw = ({ type }) => DRAWS.includes(type);

/** Returns what tells the server that a request comes from this page. */
export const token = () => dock.elements.csrfmiddlewaretoken.value;

/**
 * Puts what is picked onto a thing, and returns whether that is sent. One request makes the move, or is answered with
 * what the gesture means where that is not just one move: `explain` gets it.
 * @param {string} onto @param {boolean} mayDraw @param {(meaning: any) => void} explain @param {import("./sending.js").How} how
 */
export function put(onto, mayDraw, explain, how) {
  const body = { csrfmiddlewaretoken: token(), gesture: gesture(onto) };
  const target = thingNamed(onto);
  const refuse = (/** @type {any} */ meaning) => { takeBackAll(); explain(meaning); };
  if (!target || !makeMove(dock.action, body, Object.assign({ explain: refuse }, how))) return false;
  markSent(target);
  if (pickedCards().length) layAtOnce(pickedCards(), target);
  else if ("gives" in target.dataset && mayDraw) drawAtOnce(target);
  return true;
}

// The thing that a move made by its button is about.
/** @param {Move} move */
function targetOf({ type, from }) {
  const own = live.querySelector("[data-mine]");
  if (type === "discard") return thingNamed("pile:discard") || (own && thingNamed(`pile:${own.dataset.seat}`));
  if (type === "take") return thingNamed("pile:discard");
  return type === "draw" ? thingNamed(`pile:${from === undefined ? "deck" : from}`) : null;
}

/**
 * Makes a move that the server has offered, and returns whether it is sent.
 * @param {Move} move @param {string} told what it is
 */
export function make(move, told) {
  const body = { csrfmiddlewaretoken: token(), type: move.type, offer: JSON.stringify(move) };
  if (!makeMove(dock.action, body, { told })) return false;
  const target = targetOf(move);
  pickedThings().forEach(markSent);
  if (!target) return true;
  markSent(target);
  const held = live.querySelector("[data-held]");
  if (isDraw(move) && "gives" in target.dataset) drawAtOnce(target);
  else if (move.type === "discard") layAtOnce(held ? [held] : pickedCards(), target);
  return true;
}
