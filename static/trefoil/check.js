// The buttons "Check the draw here" and "Check the deal here": download a log and repeat what it promises, step by step.

/** @typedef {typeof import("./checks.js")} Checks */
/** @type {Record<string, (checks: Checks, asked: any) => Promise<Record<string, unknown>>>} */
const CHECKS = {
  game: async (checks, { log, draws, head, due }) =>
    checks.checkGame(await textOf(log), JSON.parse(await textOf(draws)).draws, head, due.split(" ").filter(Boolean)),
  draw: async (checks, { log, cutOff }) => checks.checkDraw(await textOf(log), Number(cutOff)),
};

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

/** @param {HTMLElement} part @param {string} wrongStep */
function mark(part, wrongStep) {
  const steps = [...part.querySelectorAll("[data-step]")];
  const wrong = steps.findIndex((step) => step.dataset.step === wrongStep);
  steps.forEach((step, index) => {
    const kind = index === wrong ? "bad" : "good";
    const shown = step.querySelector(`[data-mark="${kind}"]`);
    if (shown && (wrong < 0 || index <= wrong)) shown.hidden = false;
  });
}

/** @param {HTMLElement} part */
function start(part) {
  for (const shown of part.querySelectorAll("[data-outcome], [data-mark], [data-made]")) shown.hidden = true;
  /** @type {HTMLElement} */ (part.querySelector("ol")).hidden = false;
}

/** @param {HTMLElement} part */
async function check(part) {
  start(part);
  /** @type {Checks | undefined} */
  let checks;
  try {
    checks = await import("./checks.js");
    const found = await CHECKS[String(part.dataset.check)](checks, part.dataset);
    mark(part, "");
    show(part, "good", found);
    if (Array.isArray(found.made)) list(part, found.made);
  } catch (error) {
    const known = checks && error instanceof checks.Wrong && part.querySelector(`[data-step="${error.step}"]`) ? error : null;
    if (known) mark(part, known.step);
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
