// What may be answered beside the moves of a gesture: a list to choose from, whose first answer leaves all as it is.

/** @typedef {{ type: string } & Record<string, unknown>} Move */
/** @typedef {{ type: string, field: string, text: string, answers: { value: unknown, text: string }[] }} Question */

/** @type {{ question: Question, select: HTMLSelectElement }[]} */
let asked = [];

/**
 * Returns the lists to choose from, each in its label.
 * @param {Question[]} questions
 */
export function listsFor(questions) {
  asked = questions.map((question) => ({ question, select: document.createElement("select") }));
  return asked.map(({ question, select }) => {
    const label = document.createElement("label");
    for (const { text } of question.answers) select.append(new Option(text));
    label.className = "asked small";
    label.append(question.text, " ", select);
    return label;
  });
}

/**
 * Returns a move with what was answered about moves of its type.
 * @param {Move} move @returns {Move}
 */
export function answered(move) {
  const whole = Object.assign({}, move);
  for (const { question, select } of asked) {
    const isAbout = question.type === move.type && select.selectedIndex > 0;
    if (isAbout) whole[question.field] = question.answers[select.selectedIndex].value;
  }
  return whole;
}
