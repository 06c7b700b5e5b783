// What the answer about a game that is over says of each of its moves (league/web/replays.py).

/**
 * A value from an entry of the log on, until the next one.
 * @template T
 * @typedef {[number, T][]} Changes
 */
/**
 * @typedef {object} Replay
 * @property {string[]} lines the lines of HTML that tables and sheets are made of
 * @property {number[][]} tables of each entry, the numbers of the lines of the table after it
 * @property {Changes<number[]>} sheets
 * @property {string[]} moves of each entry, its item in the list of moves
 * @property {Changes<number>} rounds
 * @property {number[]} deals the entries with the first table of each deal
 * @property {Changes<number[]>} scores the total of each seat
 * @property {string[]} names of the seats
 * @property {[number, string][]} points the turning points, with what happened
 */

/**
 * @template T
 * @param {Changes<T>} changes @param {number} seq
 * @returns {T}
 */
export function valueAt(changes, seq) {
  let [, value] = changes[0];
  for (const [from, next] of changes) if (from <= seq) value = next;
  return value;
}

/** @param {Replay} replay @param {number[]} numbers */
const html = (replay, numbers) => numbers.map((number) => replay.lines[number]).join("\n");

/** @param {Replay} replay @param {number} seq */
export const tableAt = (replay, seq) => html(replay, replay.tables[seq - 1]);

/** @param {Replay} replay @param {number} seq */
export const sheetAt = (replay, seq) => html(replay, valueAt(replay.sheets, seq));

/** @param {Replay} replay */
const lengthOf = (replay) => replay.tables.length;

// The first entry of each round, in order; a round that is dealt again has begun when it was first dealt.
/** @param {Replay} replay @returns {Changes<number>} */
export function roundsOf(replay) {
  const seen = new Set();
  return replay.rounds.filter(([, round]) => round > 0 && !seen.has(round) && seen.add(round));
}

// Returns the entry at which the next round begins, or the one before where `by` is negative; the ends beyond them.
/** @param {Replay} replay @param {number} seq @param {number} by */
export function roundBeside(replay, seq, by) {
  const starts = roundsOf(replay).map(([from]) => from);
  if (by > 0) return starts.find((from) => from > seq) || lengthOf(replay);
  return starts.reverse().find((from) => from < seq) || 1;
}

// The first round is the next one of none: a game of one round has no other.
/** @param {Replay} replay @param {number} seq */
export const hasRoundAfter = (replay, seq) => roundsOf(replay).slice(1).some(([from]) => from > seq);

// Returns the numbers of all entries, and of each seat its score after each of them.
/** @param {Replay} replay @returns {number[][]} */
export function series(replay) {
  const seqs = replay.tables.map((_, index) => index + 1);
  const totals = seqs.map((seq) => valueAt(replay.scores, seq));
  return [seqs, ...replay.names.map((_, seat) => totals.map((scores) => scores[seat]))];
}
