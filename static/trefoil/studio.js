// Replays a game that is over, on its page and in the player for other sites: everything comes in one answer.
import { fitting, showMoved } from "./fitting.js";
import { hasRoundAfter, roundBeside, roundsOf, sheetAt, tableAt, valueAt } from "./replay.js";
import { letReadOn } from "./where.js";

/** @typedef {import("./replay.js").Replay} Replay */

const studio = /** @type {HTMLElement} */ (document.getElementById("studio"));
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {string} name */
const part = (name) => document.querySelector(`[data-part="${name}"]`);
/** @param {string} id */
const place = (id) => document.getElementById(id);
/** @param {string} name */
const button = (name) => /** @type {HTMLButtonElement} */ (studio.querySelector(`[data-do="${name}"]`));
const slider = /** @type {HTMLInputElement} */ (part("slider"));
const speed = /** @type {HTMLSelectElement} */ (part("speed"));
const rounds = /** @type {HTMLSelectElement} */ (part("round"));
const failed = /** @type {HTMLElement} */ (part("failed"));

// ---- The move that is shown

const last = Number(slider.max);
// The page may say more of the table on which the game ended than a spectator's answer does.
let own = Number(studio.dataset.at) === last ? partsOf(document) : [];
const list = place("moves-list");
const words = String(slider.dataset.move);
/** @type {Replay | null} */
let replay = null; // until the answer is there
let seq = Number(studio.dataset.at);
let timer = 0;
const RESTS = 200; // milliseconds that the slider rests: Safari refuses to keep more than 100 addresses in ten seconds
let keeping = 0;
const asksToPlay = location.hash === "#replay";
/** @type {((seq: number) => void)[]} */
const followers = [];

/** @param {Document} page */
function partsOf(page) {
  return ["table", "sheet"].map((id) => page.getElementById(id)?.innerHTML);
}

// Whoever plays here is offered another game at the end, which is in no spectator's answer.
function loadOwn() {
  fetch(location.pathname, { credentials: "same-origin" })
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(answer.status)))
    .then((html) => {
      own = partsOf(new DOMParser().parseFromString(html, "text/html"));
      if (replay && seq === last) show();
    })
    .catch(() => {});
}

/** @param {HTMLElement | null} element @param {string} html */
function put(element, html) {
  if (element && element.innerHTML !== html) element.innerHTML = html;
}

function show() {
  slider.value = String(seq);
  for (const name of ["Home", "ArrowLeft"]) button(name).disabled = seq === 1;
  for (const name of ["End", "ArrowRight"]) button(name).disabled = seq === last;
  markMove();
  if (replay) showOf(replay);
  else showFromPage();
}

/** @param {Replay} of */
function showOf(of) {
  put(place("table"), (seq === last && own[0]) || tableAt(of, seq));
  put(place("sheet"), (seq === last && own[1]) || sheetAt(of, seq));
  rounds.value = String(valueAt(of.rounds, seq));
  button("before").disabled = seq === 1;
  button("after").disabled = !hasRoundAfter(of, seq);
  const item = document.createElement("div");
  item.innerHTML = of.moves[seq - 1];
  tell(item);
  for (const follow of followers) follow(seq);
}

// A long game takes the server a while: until then its page of the move is asked for.
function showFromPage() {
  const asked = seq;
  fetch(`?at=${asked}`, { credentials: studio.dataset.keeps ? "same-origin" : "omit" })
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(answer.status)))
    .then((html) => {
      if (replay || asked !== seq) return;
      const page = new DOMParser().parseFromString(html, "text/html");
      for (const id of ["table", "sheet", "moves-list"]) put(place(id), page.getElementById(id)?.innerHTML || "");
      markMove(true);
      tell(list);
    })
    .catch(fail);
}

// Says the move that is shown, and who made it on the cloth: the item of the list that has it is within some element.
/** @param {Element | null} within */
function tell(within) {
  const found = /** @type {HTMLElement | null | undefined} */ (within?.querySelector(`[data-seq="${seq}"]`));
  fit();
  showMoved(cloth, found?.dataset.by || "");
  const said = found?.lastElementChild?.cloneNode(true);
  const text = said instanceof Element ? said : document.createElement("span");
  text.querySelector("time")?.remove();
  const where = words.replace("{at}", String(seq));
  slider.setAttribute("aria-valuetext", `${where}: ${text.textContent?.trim()}`);
  put(part("where"), `<span><strong>${where}</strong>${text.innerHTML ? `: ${text.innerHTML.trim()}` : ""}</span>`);
  letReadOn();
}

/** @param {number} to */
function go(to) {
  seq = Math.min(last, Math.max(1, to));
  show();
  if (!timer) keepAddress();
}

function keepAddress() {
  const query = seq === last ? "" : `?at=${seq}`;
  clearTimeout(keeping);
  if (studio.dataset.keeps) keeping = setTimeout(() => history.replaceState(null, "", `${location.pathname}${query}`), RESTS);
  const link = /** @type {HTMLInputElement | null} */ (part("link"));
  if (link) link.value = `${link.dataset.page}${query}`;
}

// ---- Playing

/** @param {boolean} plays */
function play(plays) {
  clearTimeout(timer);
  timer = 0;
  button("play").setAttribute("aria-pressed", String(plays));
  if (!plays) {
    keepAddress();
    return;
  }
  if (seq === last) go(1);
  next();
}

function next() {
  timer = setTimeout(() => {
    go(seq + 1);
    if (seq === last) play(false);
    else next();
  }, Number(speed.value));
}

/** @param {number} by */
function goRound(by) {
  if (replay) go(roundBeside(replay, seq, by));
}

/** @type {Record<string, () => void>} */
const actions = {
  Home: () => go(1),
  ArrowLeft: () => go(seq - 1),
  play: () => play(!timer),
  ArrowRight: () => go(seq + 1),
  End: () => go(last),
  before: () => goRound(-1),
  after: () => goRound(1),
  load: () => { slider.focus({ preventScroll: true }); load(); },
};

studio.addEventListener("click", (event) => {
  const pressed = /** @type {Element} */ (event.target).closest("[data-do]");
  const act = pressed && actions[String(pressed.dataset.do)];
  if (!act) return;
  if (pressed !== button("play")) play(false);
  act();
});

slider.addEventListener("input", () => { play(false); go(Number(slider.value)); });
slider.addEventListener("keydown", (event) => {
  const by = { PageUp: 1, PageDown: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  play(false);
  goRound(by);
});
rounds.addEventListener("change", () => {
  play(false);
  if (replay) go(roundsOf(replay).find(([, round]) => String(round) === rounds.value)?.[0] || 1);
});
speed.addEventListener("change", () => { if (timer) { clearTimeout(timer); next(); } });

// ---- The list of moves

/** @param {Replay} of */
function fillList(of) {
  if (!list) return;
  list.innerHTML = of.moves.slice().reverse().join("\n");
  document.querySelector("[data-more]")?.remove();
  markMove(true);
}

// Marks the move in the list and brings it to the middle; a far one at once.
/** @param {boolean=} atOnce */
function markMove(atOnce) {
  list?.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const item = /** @type {HTMLElement | null | undefined} */ (list?.querySelector(`[data-seq="${seq}"]`));
  if (!list || !item) return;
  item.setAttribute("aria-current", "step");
  const top = item.offsetTop - list.clientHeight / 2;
  const isFar = Math.abs(top - list.scrollTop) > list.clientHeight;
  list.scrollTo({ top, behavior: atOnce || isFar || calm.matches || timer ? "auto" : "smooth" });
}

// Every link to a move of this game leads to it here.
document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest("a");
  const to = link && /^\?at=(\d+)$/.exec(link.getAttribute("href") || "");
  if (!to || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  play(false);
  go(Number(to[1]));
});

// ---- The screen

// The cloth and the keys below it fill what the head of the page leaves; the cloth is scrolled by itself.
const board = /** @type {HTMLElement} */ (studio.parentElement);
const cloth = /** @type {HTMLElement} */ (place("table"));

// Within a deal the cards keep their size; how it ended is another table.
const fit = fitting(board, cloth, () =>
  `${replay ? valueAt(replay.rounds, seq) : ""} ${cloth.querySelector(":scope > .panel") ? "ended" : ""}`);

function dock() {
  document.body.classList.add("docked-page");
  board.classList.add("docked");
  cloth.tabIndex = 0;
  cloth.setAttribute("role", "region");
  cloth.setAttribute("aria-label", String(studio.dataset.cloth));
  fit();
  addEventListener("resize", () => fit());
}

// ---- The start

/** @param {Replay} found */
function start(found) {
  replay = found;
  rounds.replaceChildren();
  for (const [from, round] of roundsOf(found)) {
    rounds.add(new Option(String(round), String(round)));
    part("ticks")?.append(new Option(String(round), String(from)));
  }
  /** @type {NodeListOf<HTMLButtonElement>} */
  const waiting = studio.querySelectorAll("[data-waits]");
  for (const control of waiting) control.disabled = false;
  studio.removeAttribute("aria-busy");
  fillList(found);
  show();
  if (asksToPlay && !calm.matches) play(true);
  else keepAddress();
  if (place("course")) import("./course.js").then((course) => followers.push(course.start(found, seq, go)));
}

// Without the answer a game is stepped through page by page: the reader is told why it does not play.
function load() {
  studio.setAttribute("aria-busy", "true");
  failed.hidden = true;
  fetch(String(studio.dataset.frames), { credentials: studio.dataset.keeps ? "same-origin" : "omit" })
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
    .then(start)
    .catch(fail);
}

function fail() {
  if (replay) return;
  studio.removeAttribute("aria-busy");
  failed.hidden = false;
}

addEventListener("online", () => { if (!failed.hidden) load(); });
// A page that was left before the answer came is shown again as it was.
addEventListener("pageshow", ({ persisted }) => { if (persisted && !replay) load(); });

place("steps")?.remove();
studio.hidden = false;
dock();
slider.value = String(seq);
for (const name of ["Home", "ArrowLeft"]) button(name).disabled = seq === 1;
for (const name of ["End", "ArrowRight"]) button(name).disabled = seq === last;
markMove(true);
load();
if (studio.dataset.own && !own.length) loadOwn();
// Whoever saw the last move at the table reads on here.
const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
if (own.length && navigation?.type === "reload") place("ending")?.focus({ preventScroll: true });
