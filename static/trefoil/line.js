// The one line above the buttons of a seat: what matters most of what is picked, or of what can be done.

/** @typedef {{ text: string, rule?: string, address?: string }} Refused */
/** @typedef {{ text: string, refused: Refused | null, begun?: boolean }} Group */
/** @typedef {{ groups: Group[], refused: Refused | null, astray: Refused | null, hint: string, notes: Refused[], strays?: string[] }} Judged */
/** @typedef {{ busy: boolean, lesson: string, deed: string, wait: string, several: string, aside?: number, picked?: string }} Around */

/** @param {string} text */
export const plain = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** @param {Refused} refused */
function sentence(refused) {
  const rule = refused.rule ? ` <a href="${plain(refused.address || "")}">${plain(refused.rule)}</a>` : "";
  return `${refused.text}${rule}`;
}

/** @param {Refused} refused */
const lacking = (refused) => `<span class="lacks">${sentence(refused)}</span>`;

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {Group} group */
const judged = ({ text, refused, begun }) => (refused
  ? `<span class="${begun ? "soft" : "lacks"}">${capital(text)}: ${sentence(refused)}</span>` : `<span class="fits">${capital(text)}.</span>`);

/** @param {Group} group */
export const named = ({ text, refused }) => `<span class="${refused ? "lacks" : "fits"}">${text}</span>`;

// What is said beside the groups that are picked, unless one of them has what is wrong: why a group put aside does not
// fit, or what forbids the move, comes before what is still lacking.
/** @param {Judged} meaning @param {number} aside */
function verdict({ groups, refused, astray, notes }, aside) {
  const refusals = groups.map((group) => group.refused);
  const lying = refusals.slice(0, aside).find(Boolean);
  if (refusals.slice(aside).some(Boolean)) return "";
  if (lying) return lacking(lying);
  if (refused) return lacking(refused);
  return notes.filter(({ text }) => !astray || text !== astray.text).map(sentence).join(" ");
}

/**
 * Returns the line as HTML: what is judged of the things picked and where they were put, else the lesson, or the hint where there is none.
 * The hint stays beside why a thing was not picked. `several` is said of what was put where it can be several moves. The first groups, as many as are put `aside`, are
 * named in the tray, and the line says why one of them does not fit; `picked` where nothing is left to say.
 * @param {Judged} meaning @param {Around} around
 */
export function lineOf(meaning, { busy, lesson, deed, wait, several, aside = 0, picked = "" }) {
  const put = meaning.astray ? lacking(meaning.astray) : several;
  const judgement = [put, ...meaning.groups.slice(aside).map(judged), verdict(meaning, aside)].filter(Boolean).join(" ");
  const told = lesson ? [lesson, deed] : [deed, busy ? "" : meaning.hint];
  const idle = told.filter(Boolean).join(" ");
  if (!busy && meaning.strays && meaning.strays.length) return `${judgement} ${lesson || meaning.hint}`;
  return busy || put ? judgement || idle || picked : idle || judgement || wait;
}
