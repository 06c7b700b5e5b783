// The page of a finished game: a rematch that somebody asks for is offered there at once.
//
// The account's stream tells of it. It is read while the page is seen, so that tabs left open hold no connection.
import { waitAfter } from "./backoff.js";
import { request, textOf } from "./request.js";
import { alive, watch } from "./stream.js";

const STREAM = "/api/v1/me/events/";

/** @type {EventSource | null} */
let source = null;
let losses = 0;
let retry = 0;

function unasked() {
  const offer = document.getElementById("rematch");
  return offer && !offer.dataset.asked ? offer : null;
}

/** @param {string} page */
function show(page) {
  const [offer, fresh] = [unasked(), new DOMParser().parseFromString(page, "text/html").getElementById("rematch")];
  if (!offer || !fresh || !fresh.dataset.asked) return;
  offer.replaceWith(fresh);
  const told = fresh.querySelector("p");
  const announcer = /** @type {HTMLElement} */ (document.getElementById("announcer"));
  announcer.textContent = String(told && told.textContent).replace(/\s+/g, " ").trim();
  document.dispatchEvent(new CustomEvent("trefoil:asked"));
  follow();
}

function ask() {
  const offer = unasked();
  if (!offer) return;
  request(`/games/${offer.dataset.of}/`, textOf, { cache: "no-store" })
    .then(show)
    .catch(lost);
}

function stop() {
  clearTimeout(retry);
  if (source) source.close();
  source = null;
}

// The stream that comes next begins with the games that wait for an answer.
function lost() {
  stop();
  losses += 1;
  retry = setTimeout(follow, waitAfter(losses, Math.random()));
}

/** @param {MessageEvent} event */
function askWhereInvited(event) {
  losses = 0;
  if (JSON.parse(event.data).invited.length) ask();
}

function follow() {
  if (document.hidden || !unasked()) { stop(); return; }
  if (source) return;
  clearTimeout(retry);
  const stream = new EventSource(alive(STREAM));
  source = stream;
  for (const name of ["now", "reset"]) stream.addEventListener(name, askWhereInvited);
  for (const name of ["invitation", "game_begun"]) stream.addEventListener(name, ask);
  stream.addEventListener("error", () => { if (source === stream) lost(); });
  watch(stream, ["now", "reset", "invitation", "game_begun"], () => { if (source === stream) lost(); });
}

document.addEventListener("visibilitychange", follow);
document.addEventListener("trefoil:updated", follow);
follow();
