// What may be answered beside the moves of a gesture: a list to choose from, whose first answer leaves all as it is.

/** @typedef {{ type: string } & Record<string, unknown>} Move */
/** @typedef {{ type: string, field: string, text: string, answers: { value: unknown, text: string }[] }} Question */

/** @type {Question[]} */
let asked = [];

/** @param {Question} question */
const idOf = ({ type, field }) => `answer-${type}-${field}`;

/** @param {Question} question */
function listFor(question) {
  const [label, select] = [document.createElement("label"), document.createElement("select")];
  for (const { text } of question.answers) select.append(new Option(text));
  select.id = idOf(question);
  label.className = "asked small";
  label.append(question.text, " ", select);
  return label;
}

/**
 * Returns the lists to choose from, each in its label.
 * @param {Question[]} questions
 */
export function listsFor(questions) {
  asked = questions;
  return questions.map(listFor);
}

/**
 * Returns a move with what was answered about moves of its type.
 * @param {Move} move @returns {Move}
 */
export function answered(move) {
  const whole = Object.assign({}, move);
  for (const question of asked.filter(({ type }) => type === move.type)) {
    const list = /** @type {HTMLSelectElement | null} */ (document.getElementById(idOf(question)));
    if (list && list.selectedIndex > 0) whole[question.field] = question.answers[list.selectedIndex].value;
  }
  return whole;
}
