// What a gesture means: the rules, on the server, say which moves there are and what is missing.
import { token } from "./made.js";
import { dataOf, request } from "./request.js";
import { dock } from "./things.js";

/** @typedef {{ move: import("./made.js").Move, title: string, costly: boolean }} Possible */
/** @typedef {import("./line.js").Judged & { seq?: number, moves: Possible[], targets: import("./marks.js").Target[], choices: string[], strays: string[], questions: import("./questions.js").Question[], standing: import("./standing.js").Standing | null }} Meaning */

/** @type {Meaning} */
export const NOTHING = { moves: [], groups: [], refused: null, astray: null, hint: "", notes: [], targets: [], choices: [], strays: [], questions: [], standing: null };

/**
 * Returns what can be done with nothing picked, which comes with the table.
 * @returns {Meaning}
 */
export const idle = () => JSON.parse((/** @type {HTMLElement} */ (document.getElementById("idle"))).textContent || "null") || NOTHING;

/**
 * Asks what a gesture means.
 * @param {string} body @returns {Promise<Meaning>}
 */
export const meant = (body) => request(String(dock.dataset.ask), dataOf, {
  method: "POST",
  headers: { "Content-Type": "application/json", "X-CSRFToken": token() },
  body,
});
