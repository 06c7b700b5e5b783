// The buttons "Check the draw here" and "Check the deal here": download a log and repeat what it promises, step by step.
import { Wrong, checkDraw, checkGame } from "./checks.js";

const CHECKS = {
  game: async ({ log, draws, head }) => checkGame(await textOf(log), JSON.parse(await textOf(draws)).draws, head),
  draw: async ({ log, cutOff }) => checkDraw(await textOf(log), Number(cutOff)),
};

async function textOf(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.text();
}

function show(part, name, found) {
  const line = part.querySelector(`[data-outcome="${name}"]`);
  for (const place of line.querySelectorAll("[data-value]")) place.textContent = found[place.dataset.value];
  line.hidden = false;
}

function mark(part, wrongStep) {
  const steps = [...part.querySelectorAll("[data-step]")];
  const wrong = steps.findIndex((step) => step.dataset.step === wrongStep);
  steps.forEach((step, index) => {
    const kind = index === wrong ? "bad" : "good";
    if (wrong < 0 || index <= wrong) step.querySelector(`[data-mark="${kind}"]`).hidden = false;
  });
}

function start(part) {
  for (const shown of part.querySelectorAll("[data-outcome], [data-mark]")) shown.hidden = true;
  part.querySelector("ol").hidden = false;
}

async function check(part) {
  start(part);
  try {
    const found = await CHECKS[part.dataset.check](part.dataset);
    mark(part, "");
    show(part, "good", found);
  } catch (error) {
    const known = error instanceof Wrong && part.querySelector(`[data-step="${error.step}"]`);
    if (known) mark(part, error.step);
    show(part, known ? "bad" : "lost", { where: error.where });
  }
}

for (const part of document.querySelectorAll("[data-check]")) {
  const button = part.querySelector("button");
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    await check(part);
    button.disabled = false;
  });
}
