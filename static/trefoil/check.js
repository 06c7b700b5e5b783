// The buttons "Check the draw here" and "Check the deal here": download a log and repeat what it promises, step by step.

import { tableAt } from "./replay.js";

/** @typedef {typeof import("./checks.js")} Checks */
/** @typedef {AsyncGenerator<string, Record<string, unknown>>} Steps yields the name of each step that is done */
/** @type {Record<string, (checks: Checks, asked: any) => Steps>} */
const CHECKS = {
  async *game(checks, { log, draws, head, due, frames }) {
    const [text, told] = await Promise.all([textOf(log), textOf(draws)]);
    const game = yield* checks.checkGame(text, JSON.parse(told).draws, head, due.split(" ").filter(Boolean));
    const hands = frames ? yield* checks.checkHands(game, shownIn(JSON.parse(await textOf(frames)))) : {};
    return { ...game, ...hands };
  },
  async *draw(checks, { log, cutOff }) {
    return yield* checks.checkDraw(await textOf(log), Number(cutOff));
  },
};

// The hands on the first table of each deal, as the replay shows them.
/** @param {import("./replay.js").Replay} replay */
function shownIn(replay) {
  const codeOf = (/** @type {HTMLElement} */ card) => card.dataset.code || card.firstChild?.textContent?.trim() || "";
  return replay.deals.map((seq) => {
    const table = new DOMParser().parseFromString(tableAt(replay, seq), "text/html");
    const hands = replay.names.map((_, seat) =>
      [...table.querySelectorAll(`[data-seat="${seat}"] [data-cards-of-hand] .card`)].map(codeOf));
    return { seq, hands };
  });
}

/** @param {string} address */
async function textOf(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.text();
}

/** @param {HTMLElement} part @param {string} name @param {Record<string, unknown>} found */
function show(part, name, found) {
  const line = /** @type {HTMLElement} */ (part.querySelector(`[data-outcome="${name}"]`));
  for (const place of line.querySelectorAll("[data-value]")) place.textContent = String(found[String(place.dataset.value)]);
  line.hidden = false;
}

// What was drawn here, for those who want to compare it with the table.
/** @param {HTMLElement} part @param {{ purpose: string, gives: unknown }[]} made */
function list(part, made) {
  const place = part.querySelector("[data-made]");
  if (!place) return;
  const lines = /** @type {HTMLElement} */ (place.querySelector("dl"));
  lines.textContent = "";
  for (const { purpose, gives } of made) {
    const [name, given] = [document.createElement("dt"), document.createElement("dd")];
    name.textContent = purpose;
    given.textContent = Array.isArray(gives) ? gives.join(" ") : String(gives);
    lines.append(name, given);
  }
  place.hidden = false;
}

/** @param {HTMLElement} part @param {string} name @param {"good" | "bad"} kind */
function mark(part, name, kind) {
  const shown = part.querySelector(`[data-step="${name}"] [data-mark="${kind}"]`);
  if (shown) shown.hidden = false;
}

/** @param {HTMLElement} part */
function start(part) {
  for (const shown of part.querySelectorAll("[data-outcome], [data-mark], [data-made]")) shown.hidden = true;
  /** @type {HTMLElement} */ (part.querySelector("ol")).hidden = false;
}

/** @param {HTMLElement} part @param {Steps} steps */
async function done(part, steps) {
  for (;;) {
    const step = await steps.next();
    if (step.done) return step.value;
    mark(part, step.value, "good");
    await new Promise((resolve) => setTimeout(resolve)); // so that each mark is painted before the next step
  }
}

/** @param {HTMLElement} part */
async function check(part) {
  start(part);
  /** @type {Checks | undefined} */
  let checks;
  try {
    checks = await import("./checks.js");
    const found = await done(part, CHECKS[String(part.dataset.check)](checks, part.dataset));
    show(part, "good", found);
    if (Array.isArray(found.made)) list(part, found.made);
  } catch (error) {
    const known = checks && error instanceof checks.Wrong && part.querySelector(`[data-step="${error.step}"]`) ? error : null;
    if (known) mark(part, known.step, "bad");
    show(part, known ? "bad" : "lost", known ? { where: known.where } : {});
  }
}

for (const part of document.querySelectorAll("[data-check]")) {
  const button = /** @type {HTMLButtonElement} */ (part.querySelector("button"));
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    await check(part);
    button.disabled = false;
  });
}
