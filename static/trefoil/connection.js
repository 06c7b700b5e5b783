// Whether the server can be reached: says so, and tries again, later after each failure.
import { waitAfter } from "./backoff.js";
import { giveUpAll, isTimeout } from "./request.js";
import { live } from "./things.js";

const ASLEEP = 20000;
const offline = /** @type {HTMLElement} */ (document.getElementById("offline"));

let failures = 0; // of requests, since the last answer
let losses = 0; // of streams, since the last one that was open
let retry = 0;
let hidden = 0;
/** @type {() => void} */
let tryAll = () => {};

/** Returns whether the last request has failed. */
export const isFailing = () => failures > 0;

/** Tries at once what has failed. */
export function reconnect() {
  clearTimeout(retry);
  tryAll();
}

function later() {
  clearTimeout(retry);
  retry = setTimeout(reconnect, waitAfter(Math.max(failures, losses), Math.random()));
}

/** @param {boolean} cut */
function show(cut) {
  offline.hidden = !cut;
  live.classList.toggle("cut", cut);
}

/**
 * Says that a request has failed, and tries again later. One that fails once at once is not told to the reader.
 * @param {unknown=} reason
 */
export function failed(reason) {
  failures += 1;
  show(failures > 1 || navigator.onLine === false || isTimeout(reason));
  later();
}

/** Says that a request was answered. */
export function answered() {
  const isBack = failures > 0;
  failures = 0;
  show(false);
  if (isBack) document.dispatchEvent(new CustomEvent("trefoil:connected"));
}

/** Says that a stream was lost, and tries again later. */
export function lost() {
  losses += 1;
  later();
}

/** Says that a stream is open. */
export function opened() {
  losses = 0;
}

/**
 * Tries again with a function, as often as the connection was lost.
 * @param {() => void} tries
 */
export function keepConnected(tries) {
  tryAll = tries;
  addEventListener("online", reconnect);
  addEventListener("offline", () => failed());
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hidden = Date.now();
    else if (Date.now() - hidden > ASLEEP) wake();
  });
}

// A device that slept may hold a stream that nobody writes to any more, and requests that nobody answers.
function wake() {
  giveUpAll();
  reconnect();
}
