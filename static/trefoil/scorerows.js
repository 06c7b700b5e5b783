// The rows of score cards: what is typed into them, what of it the server has, and what is wrong with it.
import * as store from "./kept.js";

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */
/** @typedef {Record<string, string>} Values */
/**
 * @typedef {{ prefix: string, state: string, seen: string, values: Values, scores: number[], wrong: string[],
 *   marked: string[], doubt?: string, conflict: boolean }} Answer
 */

const PAUSE = 1500; // milliseconds without a key after which a complete row is sent
const EMPTY = ["", "?"]; // what a field holds in which nothing was typed or chosen
/** @type {Values} */
const MARKS = { typed: "…", saving: "…", refused: "!", conflict: "!" };

/** The form of the page; a page without results that can be entered has none. */
export const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-results]"));

/** @param {string} selector @param {ParentNode=} within @returns {HTMLElement[]} */
export const all = (selector, within) => [...(within || document).querySelectorAll(selector)];

/** @param {ParentNode} within @param {string} selector */
export const one = (within, selector) => /** @type {HTMLElement} */ (within.querySelector(selector));

/** @param {string} title @param {() => void} act */
function button(title, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "quiet small";
  made.textContent = title;
  made.addEventListener("click", act);
  return made;
}

/** @param {Field} field */
const numberIn = (field) => (/^\s*\d{1,5}\s*$/.test(field.value) ? Number(field.value) : 0);

/** Returns what the numbers within an element add to the score. @param {HTMLElement} element */
export const worthOf = (element) => /** @type {HTMLInputElement[]} */ (all("[data-worth]", element))
  .reduce((sum, field) => sum + numberIn(field) * Number(field.dataset.worth), 0);

/** The inputs of a row, on a sheet or alone in a form; each is called by the path of its value, which ends its name. */
export class Inputs {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.fields = /** @type {Field[]} */ (all("input:not([type=hidden]), select", element));
  }

  /** @param {Field} field */
  short(field) { return field.name.slice(field.name.lastIndexOf(".") + 1); }

  values() {
    /** @type {Values} */
    const values = {};
    for (const field of this.fields) values[this.short(field)] = field.value.trim();
    return values;
  }

  /** @param {Values} values */
  fill(values) {
    for (const field of this.fields) {
      const value = values[this.short(field)];
      if (value !== undefined && field.value !== value) field.value = value;
    }
  }
}

/** A row of a sheet, which waits in the browser until the server has taken it. */
export class Row extends Inputs {
  /** @param {HTMLElement} element */
  constructor(element) {
    super(element);
    this.prefix = element.dataset.row || "";
    this.note = /** @type {HTMLElement | null} */ (document.querySelector(`[data-note="${this.prefix}"]`));
    this.seen = /** @type {HTMLInputElement} */ (element.querySelector(`[name="${this.prefix}seen"]`));
    this.key = `trefoil scores ${this.prefix}`;
    this.state = "clean"; // clean, typed, refused, conflict
    this.saved = this.values();
    this.due = false; // to be sent as it is: complete, and not typed in since
    this.idle = 0;
    this.waitsFor = ""; // the number of the row before it that is not saved yet
    /** @type {Answer | null} */
    this.theirs = null;
  }

  get number() { return this.prefix.split(".")[1]; }

  get card() { return this.element.closest("[data-card]"); }

  /** @param {Values} values */
  fill(values) {
    super.fill(values);
    this.count();
  }

  isChanged() { return JSON.stringify(this.values()) !== JSON.stringify(this.saved); }

  isComplete() { return this.fields.every((field) => !this.isNeeded(field) || !EMPTY.includes(field.value.trim())); }

  // Some fields are needed only where another one is filled in: nobody plays, so nobody has won.
  /** @param {Field} field */
  isNeeded(field) {
    const other = this.fields.find((each) => this.short(each) === field.dataset.neededWith);
    return "needed" in field.dataset || Boolean(other && ![...EMPTY, "nobody"].includes(other.value.trim()));
  }

  isReady() { return this.state === "typed" && this.isComplete(); }

  // What a seat's bonuses and penalties come to stands beside the folded list of them; how many, where a card can't tell.
  count() {
    for (const details of all("details", this.element)) {
      const counted = /** @type {HTMLInputElement[]} */ (all("input", details)).filter(numberIn);
      const number = counted.reduce((before, field) => before + numberIn(field), 0);
      const sum = worthOf(details);
      const isKnown = counted.every((field) => field.dataset.worth !== "0");
      const told = isKnown ? (sum < 0 ? "\u2212" : "+") + Math.abs(sum) : `${number}\u00d7`;
      one(details, "[data-counted]").textContent = number ? told : "\u00b1";
    }
  }

  /** @param {string} state @param {string[]=} sentences */
  show(state, sentences) {
    this.state = state;
    const { dataset } = this.element;
    const mark = one(this.element, "[data-mark]");
    mark.textContent = MARKS[state] || (dataset.state === "coming" ? "" : dataset.state === "agreed" ? "✓" : "?");
    mark.className = `mark ${state} ${dataset.state}`;
    for (const spoken of all("[data-spoken]", this.element)) spoken.textContent = form.dataset[dataset.state || ""] || "";
    this.element.classList.toggle("wrong", state === "refused" || state === "conflict");
    if (this.note) this.tell(this.note, sentences);
  }

  /** @param {HTMLElement} note @param {string[]=} sentences */
  tell(note, sentences) {
    const place = /** @type {HTMLElement} */ (note.firstElementChild);
    place.textContent = "";
    // A question about what is saved; nothing is refused for it.
    const doubt = (this.state === "clean" && note.dataset.doubt) || "";
    note.classList.toggle("doubt", Boolean(doubt));
    for (const sentence of sentences || (doubt ? [doubt] : [])) {
      const line = document.createElement("p");
      line.textContent = sentence;
      place.append(line);
    }
    if (this.state === "conflict") {
      place.append(button(form.dataset.theirs || "", () => this.keepTheirs()));
      place.append(button(form.dataset.mine || "", () => this.replaceByMine()));
    }
    note.hidden = !place.childNodes.length;
  }

  keepTheirs() {
    if (!this.theirs) return;
    store.drop(this.key);
    this.settle(this.theirs);
    this.fields[0].focus();
  }

  replaceByMine() {
    if (!this.theirs) return;
    this.seen.value = this.theirs.seen;
    this.saved = this.theirs.values;
    this.touch();
    this.send();
    this.fields[0].focus();
  }

  // A row that is sent after another one says so.
  /** @param {string} number */
  wait(number) {
    if (this.waitsFor === number) return;
    this.waitsFor = number;
    this.show("typed", number ? [(form.dataset.waits || "").replace("{number}", number)] : []);
  }

  // Something was typed: that is sent once the row is left, or after a pause.
  type() {
    this.due = false;
    this.touch();
  }

  // What is not saved is kept until the server has it.
  touch() {
    clearTimeout(this.idle);
    this.waitsFor = "";
    this.count();
    if (this.isChanged()) {
      store.keep(this.key, { values: this.values(), seen: this.seen.value });
      this.show("typed");
      this.idle = setTimeout(() => this.send(), PAUSE);
    } else {
      store.drop(this.key);
      this.unmark([]);
      this.show("clean");
    }
    document.dispatchEvent(new CustomEvent("trefoil:typed"));
  }

  send() {
    clearTimeout(this.idle);
    if (!this.isReady()) return;
    this.due = true;
    document.dispatchEvent(new CustomEvent("trefoil:due"));
  }

  /** @param {string[]} wrong */
  unmark(wrong) {
    for (const field of this.fields) {
      if (wrong.includes(this.short(field))) {
        field.setAttribute("aria-invalid", "true");
        field.setAttribute("aria-describedby", `${this.prefix}note`);
      } else field.removeAttribute("aria-invalid");
    }
  }

  /**
   * Takes the server's answer about a row that holds nothing unsaved.
   * @param {Answer} answer
   */
  settle(answer) {
    this.element.dataset.state = answer.state;
    if (this.note) this.note.dataset.doubt = answer.doubt || "";
    this.seen.value = answer.seen;
    this.saved = answer.values;
    this.fill(answer.values);
    this.saved = this.values();
    this.unmark([]);
    this.show("clean");
  }

  // What an earlier visit could not save is typed in again; the server says if it has changed meanwhile.
  restore() {
    const kept = store.getKept(this.key);
    if (!kept || this.fields.some((field) => field.disabled)) return;
    this.fill(kept.values);
    if (!this.isChanged()) { store.drop(this.key); return; }
    this.seen.value = kept.seen;
    this.touch();
    this.send();
  }

  /**
   * Takes the server's answer about what was sent of this row, where `typed` was in it.
   * @param {Answer} answer @param {string} typed
   */
  answer(answer, typed) {
    const isAsSent = JSON.stringify(this.values()) === typed;
    if (answer.wrong.length) {
      this.theirs = answer;
      if (!isAsSent) return;
      this.unmark(answer.marked);
      this.show(answer.conflict ? "conflict" : "refused", answer.wrong);
    } else if (isAsSent) {
      store.drop(this.key);
      this.settle(answer);
    } else {
      // More was typed while it was sent: that corrects what is saved now.
      this.element.dataset.state = answer.state;
      this.seen.value = answer.seen;
      this.saved = answer.values;
      this.touch();
    }
  }
}

/** All rows, in the order of the page, in which rounds are sent and Enter goes. @type {Row[]} */
export const rows = [];
/** @type {Map<string, Row>} */
const byPrefix = new Map();

/** @param {string | undefined} prefix */
export const rowNamed = (prefix) => byPrefix.get(String(prefix));

/** @param {Element} element @returns {Row | undefined} */
export function rowOf(element) {
  const line = element.closest("[data-row]");
  return line ? rowNamed(line.dataset.row) : undefined;
}

/** Takes up the rows of the page that are new. */
export function adopt() {
  for (const element of all("[data-row]", form)) {
    if (rowOf(element)) continue;
    const row = new Row(element);
    byPrefix.set(row.prefix, row);
    rows.push(row);
    for (const part of all(".scripted", element)) part.hidden = false;
    row.count();
    if (!element.classList.contains("wrong")) row.show("clean");
  }
  rows.sort((row, other) =>
    (row.element.compareDocumentPosition(other.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
}
