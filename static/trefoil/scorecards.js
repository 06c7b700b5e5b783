// Shows on score cards what the server says of them, and leaves alone what is typed and not saved yet.
import { adopt, all, one, rowNamed, rows } from "./scorerows.js";

/** @typedef {import("./scorerows.js").Row} Row */
/** @typedef {import("./scorerows.js").Answer} Answer */
/** @typedef {{ value: string, title: string }} Confirm */
/** @typedef {{ text: string, seq: number, seconds: number }} Closing */
/**
 * @typedef {{ key: string, state: string, status: string, disputed: boolean, decided: boolean,
 *   gone: Record<string, string>, rows: Answer[], totals: (number | null)[], places: string[],
 *   match: string, confirm: Confirm | null }} Card
 */

/**
 * Shows a card; `sent` is the row that this answers, with what was in it then. Returns whether the page has it.
 * @param {Card} card @param {Row | null} sent @param {string} typed
 */
export function showCard(card, sent, typed) {
  const section = /** @type {HTMLElement | null} */ (document.querySelector(`[data-card="${card.key}"]`));
  if (!section) return false;
  for (const answer of card.rows) {
    const row = rowNamed(answer.prefix);
    if (row) showRow(row, answer, row === sent ? typed : null);
  }
  showGone(section, card.gone);
  hideUnplayed(section, card);
  showConfirm(section, card.confirm);
  showNumbers(section, card);
  const match = section.querySelector("[data-match]");
  if (match) match.textContent = card.match;
  const status = one(section, "[data-status]");
  status.textContent = card.status;
  status.className = `badge end ${card.state === "done" ? "good" : card.state}`;
  const dispute = /** @type {HTMLElement | null} */ (section.querySelector("[data-dispute-note]"));
  if (dispute) dispute.hidden = !card.disputed;
  if (card.rows.some(({ prefix }) => !rowNamed(prefix))) addRows(section);
  return true;
}

/** @param {Row} row @param {Answer} answer @param {string | null} typed */
function showRow(row, answer, typed) {
  all("[data-score]", row.element).forEach((place) => {
    place.textContent = answer.scores.length ? withMinus(answer.scores[Number(place.dataset.score)]) : "";
  });
  if (typed !== null) {
    if (!answer.wrong.length) tryAgain(row.card);
    row.answer(answer, typed);
  } else if (row.state === "clean" && !row.isChanged()) row.settle(answer);
}

// Rows that were refused because of a round before them may be right now.
/** @param {HTMLElement | null} card */
function tryAgain(card) {
  for (const row of rows) {
    if (row.card === card && row.state === "refused" && row.isChanged()) {
      row.state = "typed";
      row.due = true;
    }
  }
}

/**
 * Says when the round will be closed, all tables being decided, with a button to close it now.
 * @param {Closing | null} closing
 */
export function showClosing(closing) {
  const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-closing]"));
  if (!place) return;
  place.hidden = !closing;
  if (!closing) return;
  const said = one(place, "[data-closing-text]");
  if (said.textContent !== closing.text) said.textContent = closing.text;
  /** @type {HTMLInputElement} */ (place.querySelector("[name=seq]")).value = String(closing.seq);
  one(place, "[data-countdown]").dataset.countdown = String(closing.seconds || "");
}

// Seats that have left the game need no scores any more.
/** @param {HTMLElement} section @param {Record<string, string>} gone */
function showGone(section, gone) {
  all("[data-gone]", section).forEach((badge) => {
    const seat = badge.dataset.gone || "";
    badge.textContent = gone[seat] || "";
    badge.hidden = !gone[seat];
  });
  for (const field of all("[data-row] input", section)) {
    const seat = /\.\w+-(\d+)-\w+$/.exec(/** @type {HTMLInputElement} */ (field).name);
    if (seat && gone[seat[1]]) field.removeAttribute("data-needed");
  }
}

// Rounds that the page foresaw, and that are not played because the game has ended; of a table whose result
// was set, all rounds.
/** @param {HTMLElement} section @param {Card} card */
function hideUnplayed(section, card) {
  const played = card.rows.map(({ prefix }) => prefix);
  for (const row of rows) {
    if (row.card !== section || row.element.tagName !== "TR") continue;
    const isIdle = card.decided || (row.element.dataset.state === "coming" && row.state === "clean");
    row.element.hidden = isIdle && !played.includes(row.prefix);
    if (row.note && row.element.hidden) row.note.hidden = true;
  }
}

/** @param {HTMLElement} section @param {Confirm | null} confirm */
function showConfirm(section, confirm) {
  const place = one(section, "[data-confirm]");
  place.hidden = !confirm;
  if (!confirm) return;
  const button = /** @type {HTMLButtonElement} */ (place.querySelector("button"));
  button.value = confirm.value;
  button.textContent = confirm.title;
}

/** @param {number | null | undefined} number */
const withMinus = (number) => (number == null ? "" : String(number).replace("-", "−"));

/** @param {HTMLElement} section @param {Card} card */
function showNumbers(section, card) {
  for (const place of all("[data-total]", section)) place.textContent = withMinus(card.totals[Number(place.dataset.total)]);
  for (const place of all("[data-place]", section)) place.textContent = card.places[Number(place.dataset.place)] || "";
}

// A card that goes on longer than the page foresaw: its new rows come with the page.
/** @param {HTMLElement} section */
function addRows(section) {
  fetch(location.href, { credentials: "same-origin", headers: { Accept: "text/html" } })
    .then((answer) => answer.text())
    .then((html) => {
      const fresh = new DOMParser().parseFromString(html, "text/html").getElementById(section.id);
      const body = one(section, "tbody");
      for (const line of fresh ? all("tbody > tr", fresh) : []) {
        const { row, note } = line.dataset;
        if (!(row ? rowNamed(row) : document.querySelector(`[data-note="${note}"]`))) body.append(document.importNode(line, true));
      }
      adopt();
    }, () => { /* the next answer brings them */ });
}
