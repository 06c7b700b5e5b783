// Keeps a page of a competition up to date: when the server tells of news, the page is fetched and patched.
//
// Rows that change places travel there, unless the reader wants less motion. Without this script, or where the
// stream can't be had, the page is as it was when it was loaded.
import { Idiomorph } from "../vendor/idiomorph/idiomorph.min.js";
import { alive, watch } from "./stream.js";

addEventListener("DOMContentLoaded", () => {
  const page = document.getElementById("follow");
    if (!page || !page.dataset.events || !window.EventSource || !window.fetch || !Idiomorph) return;

  const PAUSE = 2000; // between two fetches, however much happens
  const TRAVEL = 500;
  const words = page.dataset;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let next = 0;
  let waiting = 0;
  let missed = false;

  const rows = () => /** @type {HTMLElement[]} */ ([...page.querySelectorAll("tbody tr[id]")]);

  /** @param {Map<string, number>} before */
  function travel(before) {
    for (const row of rows()) {
      const from = before.get(row.id);
      const by = from === undefined ? 0 : from - row.getBoundingClientRect().top;
      if (by && row.animate) {
        row.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: TRAVEL, easing: "ease-out" });
      }
    }
  }

  /** @param {string} html */
  function patch(html) {
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("follow");
    const said = document.getElementById("said");
    if (!fresh || !page) return;
    const before = new Map(rows().map((row) => [row.id, row.getBoundingClientRect().top]));
    const text = page.textContent;
    Idiomorph.morph(page, fresh, {
      restoreFocus: true,
      callbacks: {
        // What a reader has unfolded stays so, and the address of the stream is that of this page.
        beforeAttributeUpdated: (name, element) => name !== "open" && element !== page,
      },
    });
    if (!calm.matches) travel(before);
    if (said && page.textContent !== text) said.textContent = words.changed || "";
  }

  function refresh() {
    waiting = 0;
    missed = document.hidden;
    if (missed) return;
    next = Date.now() + PAUSE;
    fetch(location.href, { credentials: "same-origin", headers: { Accept: "text/html" } })
      .then((answer) => (answer.ok ? answer.text() : Promise.reject(answer.status)))
      .then(patch)
      .catch(later);
  }

  // Not all who watch ask at once.
  function later() {
    if (!waiting) waiting = setTimeout(refresh, Math.max(0, next - Date.now()) + Math.random() * PAUSE / 4);
  }

  // A whole state begins a stream: it may be newer than the page, also after the connection was lost.
  /** @param {Event} event */
  function heard(event) {
    const wanted = words.competition;
    const told = wanted && event.type !== "state" ? JSON.parse(/** @type {MessageEvent} */ (event).data) : null;
    if (!told || told.competition === wanted || told.id === wanted) later();
  }

  function listen() {
    const names = String(words.on).split(" ");
    const stream = new EventSource(alive(String(words.events)));
    for (const name of names) stream.addEventListener(name, heard);
    watch(stream, names, () => { listen(); later(); });
  }

  listen();
  // What no log tells, as the timer of the hall.
  if (words.every) setInterval(later, 1000 * Number(words.every));
  document.addEventListener("visibilitychange", () => { if (!document.hidden && missed) later(); });
});
