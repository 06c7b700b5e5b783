// Draws the figures of tables as graphs: points and ranks round by round, or a rating game by game.
//
// Each graph stands above its table, which says the same to those who can't see it, and where no script runs.

import "./language.js";
import uPlot from "../vendor/uplot/uPlot.esm.js";

/** @typedef {{ label: string, values: (number | null)[], name: string }} Line */
/** @typedef {{ xs: number[], series: Line[], labels: string[] | null }} Figure */

const HEIGHT = 300;
const LEADERS = 10;

// What a cell stands for: a whole number or a fraction such as 7/2, or nothing.
/** @param {Element} cell */
function number(cell) {
  const value = cell.getAttribute("data-y");
  if (value === null) return null;
  const [over, under = 1] = value.split("/").map(Number);
  return over / under;
}

/** @param {number} value */
const written = (value) => String(value).replace("-", "−");

// The lines of a table with a row for each entry, and a column with a number for each round.
/** @param {HTMLTableElement} table @returns {Figure} */
function lines(table) {
  const heads = [...table.querySelectorAll("thead [data-x]")];
  const rows = [...table.querySelectorAll("tbody tr")];
  return {
    xs: heads.map((head) => Number(head.getAttribute("data-x"))),
    series: rows.map((row, at) => ({
      label: (row.querySelector("th")?.textContent || "").trim(),
      values: [...row.querySelectorAll("[data-place]")].map(number),
      name: at < LEADERS ? `r${at}` : "other",
    })),
    labels: null,
  };
}

// The line of a table with a row for each game, the latest first, and the edges of the band around it.
/** @param {HTMLTableElement} table @returns {Figure} */
function course(table) {
  const rows = [...table.querySelectorAll("tbody tr")].reverse();
  const off = (/** @type {number} */ times) => rows.map(
    (row) => Number(row.getAttribute("data-y")) + times * Number(row.getAttribute("data-spread")),
  );
  return {
    xs: rows.map((_row, at) => at),
    series: [
      { label: "", values: off(1), name: "edge" },
      { label: "", values: off(-1), name: "edge" },
      { label: "", values: off(0), name: "r0" },
    ],
    labels: rows.map((row) => (row.querySelector("th")?.textContent || "").trim()),
  };
}

// The colour that the style sheet gives to a line, for a canvas.
/** @param {HTMLElement} box @param {string} name */
function colour(box, name) {
  const sample = document.createElement("span");
  sample.className = `line ${name}`;
  box.append(sample);
  const found = getComputedStyle(sample).borderTopColor;
  sample.remove();
  return found;
}

/** @param {HTMLElement} box @param {Line[]} series */
function legend(box, series) {
  const list = document.createElement("ol");
  list.className = "legend";
  list.setAttribute("aria-hidden", "true");
  for (const { label, name } of series.filter((line) => line.label && line.name !== "other")) {
    const item = document.createElement("li");
    const sample = document.createElement("span");
    sample.className = `line ${name}`;
    item.append(sample, label);
    list.append(item);
  }
  if (list.children.length) box.append(list);
}

// The ranks that an axis names: the first, and each fifth.
/** @param {number} low @param {number} high */
function places(low, high) {
  const each = high > 60 ? 20 : high > 12 ? 5 : 1;
  const found = [low];
  for (let place = each; place <= high; place += each) if (place > low) found.push(place);
  return found;
}

// Texts of which none is the same as the one before: many games are played on one day.
/** @param {string[]} texts */
const changes = (texts) => texts.map((text, at) => (text === texts[at - 1] ? "" : text));

/** @param {HTMLElement} box */
const isRanked = (box) => box.dataset.dots !== undefined;

/** @param {HTMLElement} box @param {Figure} figure @returns {import("../vendor/uplot/uPlot.esm.js").Axis[]} */
function axes(box, { labels }) {
  const faint = colour(box, "faint");
  const title = { labelSize: 20, labelGap: 2, labelFont: "13px system-ui, sans-serif" };
  const axis = { ...title, stroke: colour(box, "ink"), grid: { stroke: faint, width: 1 }, ticks: { stroke: faint } };
  return [
    { ...axis, label: box.dataset.x, incrs: [1, 2, 5, 10, 20, 50, 100], space: labels ? 90 : 30,
      values: (_plot, values) => (labels ? changes(values.map((value) => labels[value] ?? "")) : values.map(String)) },
    { ...axis, label: box.dataset.y, size: 56, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000],
      ...(isRanked(box) ? { splits: (_plot, _axis, low, high) => places(Math.ceil(low), high) } : {}),
      values: (_plot, values) => values.map(written) },
  ];
}

/** @param {HTMLElement} box @param {Figure} figure @returns {import("../vendor/uplot/uPlot.esm.js").Series[]} */
function strokes(box, { xs, series }) {
  return series.map(({ name, label }) => ({
    label,
    stroke: colour(box, name),
    width: name === "other" || name === "edge" ? 1 : 2.5,
    // There are five colours for ten lines.
    dash: /r[5-9]/.test(name) ? [6, 4] : [],
    points: { show: name !== "edge" && (xs.length === 1 || (isRanked(box) && name !== "other")) },
    spanGaps: true,
  }));
}

/** @param {HTMLElement} box @param {Figure} figure @returns {Omit<import("../vendor/uplot/uPlot.esm.js").Options, "width" | "height">} */
function options(box, figure) {
  return {
    scales: {
      x: { time: false, range: (_plot, low, high) => (low === high ? [low - 1, high + 1] : [low, high]) },
      y: {
        dir: box.dataset.down === undefined ? 1 : -1,
        ...(isRanked(box) ? { range: (_plot, low, high) => [low - 0.5, high + 0.5] } : {}),
      },
    },
    legend: { show: false },
    cursor: { show: false },
    axes: axes(box, figure),
    series: [{}, ...strokes(box, figure)],
    padding: figure.labels ? [null, 40, null, null] : [null, null, null, null],
    bands: figure.labels ? [{ series: [1, 2], fill: colour(box, "wash") }] : [],
  };
}

/** @param {HTMLElement} box */
function draw(box) {
  const table = /** @type {HTMLTableElement} */ (document.getElementById(String(box.dataset.plot)));
  const { xs, series, labels } = box.dataset.course !== undefined ? course(table) : lines(table);
  const canvas = document.createElement("div");
  canvas.className = "graph";
  box.append(canvas);
  legend(box, series);
  // Whoever leads is drawn last, on top of the others.
  const figure = { xs, series: labels ? series : [...series].reverse(), labels };
  const data = /** @type {import("../vendor/uplot/uPlot.esm.js").AlignedData} */ ([xs, ...figure.series.map(({ values }) => values)]);
  const size = () => ({ width: canvas.clientWidth, height: HEIGHT });
  const make = () => new uPlot({ ...size(), ...options(box, figure) }, data, canvas);
  let plot = make();
  addEventListener("resize", () => plot.setSize(size()));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { plot.destroy(); plot = make(); });
}

/** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-plot]")).forEach(draw);
