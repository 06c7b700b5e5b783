// Replays a game that is over, on its page and in the player for other sites: everything comes in one answer.
import { lengthOf, roundBeside, roundsOf, sheetAt, tableAt, valueAt } from "./replay.js";

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

/** @param {Replay} replay */
function start(replay) {
  const last = lengthOf(replay);
  // The page may say more of the table on which the game ended than a spectator's answer does.
  const own = Number(studio.dataset.at) === last ? [place("table")?.innerHTML, place("sheet")?.innerHTML] : [];
  let seq = Number(studio.dataset.at);
  let timer = 0;
  /** @type {((seq: number) => void)[]} */
  const followers = [];

  // ---- The move that is shown

  /** @param {HTMLElement | null} element @param {string} html */
  function put(element, html) {
    if (element && element.innerHTML !== html) element.innerHTML = html;
  }

  function show() {
    put(place("table"), (seq === last && own[0]) || tableAt(replay, seq));
    put(place("sheet"), (seq === last && own[1]) || sheetAt(replay, seq));
    slider.value = String(seq);
    rounds.value = String(valueAt(replay.rounds, seq));
    const said = document.createElement("div");
    said.innerHTML = replay.moves[seq - 1];
    const [, text] = said.querySelectorAll("li > *");
    text?.querySelector("time")?.remove();
    const where = `${slider.dataset.move?.replace("{at}", String(seq))}`;
    slider.setAttribute("aria-valuetext", `${where}: ${text?.textContent?.trim()}`);
    put(part("where"), `<strong>${where}</strong>: ${text?.innerHTML.trim()}`);
    for (const name of ["Home", "ArrowLeft"]) button(name).disabled = seq === 1;
    for (const name of ["End", "ArrowRight"]) button(name).disabled = seq === last;
    markMove();
    for (const follow of followers) follow(seq);
  }

  /** @param {number} to */
  function go(to) {
    seq = Math.min(last, Math.max(1, to));
    show();
    if (!timer) keepAddress();
  }

  function keepAddress() {
    const query = seq === last ? "" : `?at=${seq}`;
    if (studio.dataset.keeps) history.replaceState(null, "", `${location.pathname}${query}`);
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

  /** @type {Record<string, () => void>} */
  const actions = {
    Home: () => go(1),
    ArrowLeft: () => go(seq - 1),
    play: () => play(!timer),
    ArrowRight: () => go(seq + 1),
    End: () => go(last),
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
    go(roundBeside(replay, seq, by));
  });
  rounds.addEventListener("change", () => {
    play(false);
    go(roundsOf(replay).find(([, round]) => String(round) === rounds.value)?.[0] || 1);
  });
  speed.addEventListener("change", () => { if (timer) { clearTimeout(timer); next(); } });

  // ---- The list of moves

  const list = place("moves-list");

  function fillList() {
    if (!list) return;
    list.innerHTML = replay.moves.slice().reverse().join("\n");
    document.querySelector("[data-more]")?.remove();
  }

  function markMove() {
    if (!list) return;
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const item = /** @type {HTMLElement} */ (list.children[last - seq]);
    item.setAttribute("aria-current", "step");
    const top = item.offsetTop - list.clientHeight / 2;
    list.scrollTo({ top, behavior: calm.matches || timer ? "auto" : "smooth" });
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

  function fill() {
    const above = board.getBoundingClientRect().top + scrollY;
    document.documentElement.style.setProperty("--above", `${Math.round(above)}px`);
  }

  function dock() {
    document.body.classList.add("docked-page");
    board.classList.add("docked");
    cloth.tabIndex = 0;
    cloth.setAttribute("role", "region");
    cloth.setAttribute("aria-label", String(studio.dataset.cloth));
    fill();
    addEventListener("resize", fill);
  }

  // ---- The start

  for (const [from, round] of roundsOf(replay)) {
    rounds.add(new Option(String(round), String(round)));
    part("ticks")?.append(new Option(String(round), String(from)));
  }
  slider.max = String(last);
  place("steps")?.remove();
  studio.hidden = false;
  dock();
  fillList();
  show();
  keepAddress();
  if (place("course")) import("./course.js").then((course) => followers.push(course.start(replay, seq, go)));
}

fetch(String(studio.dataset.frames), { credentials: studio.dataset.keeps ? "same-origin" : "omit" })
  .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
  .then(start);
