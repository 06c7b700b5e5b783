// How a game that is over went: its scores as a graph and in numbers, and its turning points.
import "./language.js";
import uPlot from "../vendor/uplot/uPlot.esm.js";
import { roundsOf, series, valueAt } from "./replay.js";

/** @typedef {import("./replay.js").Replay} Replay */

const panel = /** @type {HTMLElement} */ (document.getElementById("course"));
const HEIGHT = 220;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]; // of both axes: there is no half a move and no half a point

/** @param {string} name */
const part = (name) => /** @type {HTMLElement} */ (panel.querySelector(`[data-part="${name}"]`));

/** @param {string} tag @param {string} [text] */
function element(tag, text) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** @param {number} seq */
function linkTo(seq) {
  const link = /** @type {HTMLAnchorElement} */ (element("a", String(seq)));
  link.href = `?at=${seq}`;
  return link;
}

/** @param {number} score */
const written = (score) => String(score).replace("-", "−");

/** @param {Replay} replay */
function showPoints(replay) {
  for (const [seq, text] of replay.points) {
    const item = element("li");
    item.append(linkTo(seq), ` ${text}`);
    part("points").append(item);
  }
  part("no-points").hidden = replay.points.length > 0;
}

/** @param {Replay} replay */
function showNumbers(replay) {
  const [head, body] = [part("names"), part("numbers")];
  for (const name of replay.names) head.append(Object.assign(element("th", name), { scope: "col" }));
  for (const [seq, scores] of replay.scores) {
    const row = element("tr");
    const first = Object.assign(element("th"), { scope: "row" });
    first.append(linkTo(seq));
    row.append(first, element("td", String(valueAt(replay.rounds, seq))));
    row.append(...scores.map((score) => element("td", written(score))));
    body.append(row);
  }
}

/** @param {Replay} replay */
function showLegend(replay) {
  replay.names.forEach((name, seat) => {
    const item = element("li");
    const line = element("span");
    line.className = `line r${seat}`;
    item.append(line, name);
    part("legend").append(item);
  });
}

// The colours that the style sheet gives to lines, for a canvas.
/** @param {number} seat */
function colour(seat) {
  return getComputedStyle(part("legend").children[seat].children[0]).borderTopColor;
}

/** @param {Replay} replay @param {() => number} shown @param {(seq: number) => void} go */
function graph(replay, shown, go) {
  const ink = getComputedStyle(panel).color;
  const faint = getComputedStyle(part("graph")).borderTopColor;
  const axis = { stroke: ink, grid: { stroke: faint, width: 1 }, ticks: { stroke: faint } };
  const plot = new uPlot({
    width: part("graph").clientWidth,
    height: HEIGHT,
    scales: { x: { time: false } },
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    axes: [{ ...axis, incrs: STEPS },
      { ...axis, incrs: STEPS, size: 46, values: (_, scores) => scores.map(written) }],
    series: [{}, ...replay.names.map((label, seat) => ({
      label,
      stroke: colour(seat),
      width: 2,
      // There are five colours for ten seats.
      dash: seat < 5 ? [] : [6, 4],
      points: { show: false },
      paths: uPlot.paths.stepped?.({ align: 1 }),
    }))],
    hooks: {
      draw: [(drawn) => {
        const x = Math.round(drawn.valToPos(shown(), "x", true));
        drawn.ctx.fillStyle = ink;
        drawn.ctx.fillRect(x, drawn.bbox.top, 2 * devicePixelRatio, drawn.bbox.height);
      }],
    },
  }, /** @type {uPlot.AlignedData} */ (series(replay)), part("graph"));
  plot.over.addEventListener("click", () => {
    if (plot.cursor.idx !== null && plot.cursor.idx !== undefined) go(plot.cursor.idx + 1);
  });
  return plot;
}

// Shows how the game went, and returns what is to be called with each move that is shown from then on.
/** @param {Replay} replay @param {number} seq @param {(seq: number) => void} go */
export function start(replay, seq, go) {
  // One deal has no course: its points are in the score sheet.
  if (roundsOf(replay).length < 2) return () => {};
  let shown = seq;
  panel.hidden = false;
  showPoints(replay);
  showNumbers(replay);
  showLegend(replay);
  let plot = graph(replay, () => shown, go);
  const again = () => {
    plot.destroy();
    plot = graph(replay, () => shown, go);
  };
  addEventListener("resize", () => plot.setSize({ width: part("graph").clientWidth, height: HEIGHT }));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  new MutationObserver(again).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return (/** @type {number} */ now) => {
    shown = now;
    plot.redraw(false);
  };
}
