// Repeats, in the reader's browser, what a log's hashes, commitments and shuffles promise.
// The specifications are docs/log.md, docs/chance.md and docs/draws.md.
import { hmac } from "../vendor/noble-hashes/hmac.js";
import { sha256 } from "../vendor/noble-hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "../vendor/noble-hashes/utils.js";
import { before, dealsOf, drawFor, firstWrong } from "./dealing.js";

/** @typedef {Record<string, any>} Json */
/** @typedef {{ seq: number, hash: string } & Json} Entry */
/** @typedef {import("./dealing.js").Draw} Draw */
/** @typedef {Draw & { gives: unknown }} Told */
/** @typedef {{ seq: number, hands: string[][] }} Shown the hands of all seats after an entry */
/** @typedef {{ k: number, preimage: string, path: string[], signature?: string }} Reveal */

const ORIGIN = "0".repeat(64);
const WORDS = 1n << 64n;
const INNER = new Uint8Array([1]);

export class Wrong extends Error {
  constructor(/** @type {string} */ step, /** @type {string | number} */ where) {
    super(`${step} ${where}`);
    this.step = step;
    this.where = where;
  }
}

/** @param {boolean} holds @param {string} step @param {string | number} where */
function requires(holds, step, where) {
  if (!holds) throw new Wrong(step, where);
}

// JavaScript orders texts by code unit, the log by code point: they differ beyond U+FFFF.
/** @param {string} left @param {string} right */
function byCodePoint(left, right) {
  const [ones, others] = [[...left], [...right]].map((text) => text.map((each) => each.codePointAt(0) || 0));
  const at = ones.findIndex((each, index) => each !== others[index]);
  if (at < 0) return ones.length - others.length;
  return at < others.length ? ones[at] - others[at] : 1;
}

/** @param {any} value @returns {string} */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort(byCodePoint);
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

/** @param {string} text */
function entries(text) {
  return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

// Returns the hash of the last entry; throws Wrong at the first that does not fit.
/** @param {Entry[]} log */
function head(log) {
  let last = ORIGIN;
  log.forEach((entry, index) => {
    const { hash, ...rest } = entry;
    last = bytesToHex(sha256(concatBytes(hexToBytes(last), utf8ToBytes(canonical(rest)))));
    requires(entry.seq === index + 1 && hash === last, "chain", index + 1);
  });
  return last;
}

// ---- Games (docs/chance.md) -------------------------------------------------------------------------

/** @param {string} secret */
export function commitment(secret) {
  return bytesToHex(sha256(concatBytes(utf8ToBytes("trefoil/commitment/1"), hexToBytes(secret))));
}

/** @param {string} secret @param {string[]} texts */
export function gameSeed(secret, texts) {
  return hmac(sha256, hexToBytes(secret), utf8ToBytes(`trefoil/seed/1${JSON.stringify(texts)}`));
}

/** @param {Uint8Array} seed @param {string} purpose */
function* words(seed, purpose) {
  const key = hmac(sha256, seed, utf8ToBytes(purpose));
  for (let block = 0n; ; block += 1n) {
    const count = new DataView(new ArrayBuffer(8));
    count.setBigUint64(0, block);
    const digest = new DataView(hmac(sha256, key, new Uint8Array(count.buffer)).buffer);
    for (let at = 0; at < 32; at += 8) yield digest.getBigUint64(at);
  }
}

/** @param {Iterator<bigint>} stream @param {bigint} bound */
function below(stream, bound) {
  const limit = WORDS - (WORDS % bound);
  for (;;) {
    const word = stream.next().value;
    if (word < limit) return word % bound;
  }
}

/** @param {Iterator<bigint>} stream @param {unknown[]} items */
function shuffled(stream, items) {
  const deck = [...items];
  for (let last = deck.length - 1; last > 0; last -= 1) {
    const chosen = Number(below(stream, BigInt(last + 1)));
    [deck[last], deck[chosen]] = [deck[chosen], deck[last]];
  }
  return deck;
}

// Returns what a draw gives, made again from the seed.
/** @param {Uint8Array} seed @param {Draw} draw */
export function repeated(seed, draw) {
  const stream = words(seed, draw.purpose);
  if (draw.draw === "below") return Number(below(stream, BigInt(draw.bound || 0)));
  if (draw.draw === "shuffle") return shuffled(stream, draw.items || []);
  return Array.from({ length: draw.count || 0 }, () => Number(below(stream, 6n)) + 1);
}

/** @param {Json} opening @param {Entry[]} log @param {number} seats */
function textsOf(opening, log, seats) {
  if (!opening.entropy) return [];
  const ready = log.filter((entry) => entry.move.type === "ready");
  return Array.from({ length: seats }, (_, seat) => ready.find((each) => each.seat === seat)?.move.entropy ?? "");
}

// Makes a draw from the seed and the rules; the server must have told the same list, bound or count, and the same result.
/** @param {Uint8Array} seed @param {any} opening @param {Told} told */
function made(seed, opening, told) {
  const draw = drawFor(opening, told.purpose);
  if (!draw) throw new Wrong("draws", told.purpose);
  requires(canonical({ ...draw, gives: told.gives }) === canonical(told), "draws", told.purpose);
  const gives = repeated(seed, draw);
  requires(canonical(gives) === canonical(told.gives), "draws", told.purpose);
  return { purpose: told.purpose, gives };
}

// Checks a game's file and the draws that the server names, among which are all that a replay of its moves makes.
// Yields each step once it is done; returns the number of entries and of draws, what each draw gives when it is
// made here, and the log.
/** @param {string} text @param {Told[]} draws @param {string} shownHead @param {string[]} due */
export function* checkGame(text, draws, shownHead, due) {
  const log = entries(text);
  const end = log.pop();
  const last = head(log);
  yield "chain";
  requires(last === shownHead, "head", log.length);
  yield "head";
  const opening = log[0].move;
  requires(commitment(end.seed) === opening.commitment, "commitment", 1);
  yield "commitment";
  const seed = gameSeed(end.seed, textsOf(opening, log, opening.seats.length));
  const named = new Set(draws.map((draw) => draw.purpose));
  for (const purpose of [...due, ...[...named].flatMap(before)]) requires(named.has(purpose), "draws", purpose);
  const all = draws.map((draw) => made(seed, opening, draw));
  yield "draws";
  return { entries: log.length, draws: draws.length, made: all, log };
}

// Compares the hands on the first table of each deal with those that the shuffles dealt.
/** @param {{ log: Entry[], made: { purpose: string, gives: any }[] }} game @param {Shown[]} shown */
export function* checkHands({ log, made: all }, shown) {
  const tables = shown.map(({ seq, hands }, number) => {
    const { seat, role } = log[seq - 1];
    return { hands, mover: number ? seat : null, clock: role === "clock" };
  });
  const wrong = firstWrong(dealsOf(log[0].move, all), tables);
  requires(!wrong, "hands", wrong);
  yield "hands";
  return { deals: tables.length };
}

// ---- Draws of competitions (docs/draws.md) ----------------------------------------------------------

/** @param {Reveal} reveal */
function rootOf({ k, preimage, path }) {
  const leaf = sha256(hexToBytes(preimage));
  const up = (/** @type {Uint8Array} */ node, /** @type {string} */ sibling, /** @type {number} */ level) => {
    const other = hexToBytes(sibling);
    return sha256(concatBytes(INNER, ...((k >> level) & 1 ? [other, node] : [node, other])));
  };
  return bytesToHex(path.reduce(up, leaf));
}

/** @param {Entry[]} log @param {number} seq */
function rootInForce(log, seq) {
  const fixed = log.filter((entry) => entry.seq < seq && "root" in entry.event);
  return fixed[fixed.length - 1].event.root;
}

/** @param {Reveal} reveal @param {Json} cutOff */
function drawSeed(reveal, cutOff) {
  const beacon = reveal.signature ? sha256(hexToBytes(reveal.signature)) : new Uint8Array();
  const message = concatBytes(utf8ToBytes(`trefoil/draw/1${canonical(cutOff)}`), beacon);
  return bytesToHex(hmac(sha256, hexToBytes(reveal.preimage), message));
}

// Checks the draw that follows the cut-off with this number. Yields each step once it is done; returns the number of
// entries, of the event with the draw, and the seed.
/** @param {string} text @param {number} cutOffSeq */
export function* checkDraw(text, cutOffSeq) {
  const log = entries(text);
  head(log);
  yield "chain";
  const cutOff = log[cutOffSeq - 1].event;
  const drawn = log.find((entry) => entry.event.reveal?.k === cutOff.k);
  requires(cutOff.type === "cut_off" && drawn?.seq > cutOffSeq, "cut-off", cutOffSeq);
  const sameValue = log.filter((entry) => entry.event.type === "cut_off" && entry.event.k === cutOff.k);
  requires(sameValue.length === 1, "cut-off", cutOffSeq);
  yield "cut-off";
  requires(rootOf(drawn.event.reveal) === rootInForce(log, cutOffSeq), "secret", drawn.seq);
  yield "secret";
  return { entries: log.length, drawn: drawn.seq, seed: drawSeed(drawn.event.reveal, cutOff) };
}
