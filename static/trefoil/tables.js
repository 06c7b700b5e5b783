// "My tables" in the head of each page: which wait for the reader. Their number is in the title and on the icon, too.
import { request, textOf } from "./request.js";

const link = /** @type {HTMLElement} */ (document.querySelector("[data-tables]"));
const place = /** @type {HTMLElement} */ (link.parentElement);
const SECONDS = 30;
const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
const usual = icon.href;
let failures = 0;
let timer = 0;
let shown = "";

const waitingOf = (/** @type {Element} */ part) => [...part.querySelectorAll("[data-waits] a")]
  .filter((table) => table instanceof HTMLAnchorElement);

/** @param {number} count */
function mark(count) {
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = count ? `(${count}) ${title}` : title;
  icon.href = count ? String(icon.dataset.turn) : usual;
  // The icon of the installed app.
  const app = /** @type {any} */ (navigator);
  if (app.setAppBadge) app.setAppBadge(count).catch(() => {});
}

// At a table that does not wait for the reader: the one to go on to.
/** @param {Element} part */
function lead(part) {
  const next = document.getElementById("next-table");
  if (!next) return;
  const waiting = waitingOf(part);
  const here = waiting.some((table) => table.pathname === location.pathname);
  next.textContent = "";
  if (waiting.length && !here) {
    const button = document.createElement("a");
    button.className = "button quiet";
    button.href = waiting[0].href;
    button.textContent = String(waiting[0].dataset.nextShort);
    button.setAttribute("aria-label", String(waiting[0].dataset.next));
    button.title = String(waiting[0].dataset.next);
    next.append(button);
  }
  next.hidden = !next.firstChild;
}

/** @param {string} html */
function show(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("own-tables");
  if (!fresh) return;
  if (html !== shown) {
    const before = place.querySelector("details");
    if (before && before.open) fresh.setAttribute("open", "");
    const focused = before && before.contains(document.activeElement) ? document.activeElement : null;
    place.replaceChildren(fresh);
    const same = focused instanceof HTMLAnchorElement ? fresh.querySelector(`a[href="${focused.getAttribute("href")}"]`) : null;
    if (focused) (/** @type {HTMLElement} */ (same || fresh.querySelector("summary"))).focus({ preventScroll: true });
    shown = html;
  }
  mark(Number(fresh.dataset.waiting));
  lead(fresh);
}

// While the moves of others are still shown one by one, it is not the reader's turn here.
function behind() {
  const table = /** @type {HTMLElement | null} */ (document.querySelector("#live.behind:not(.ending)"));
  return table ? `?behind=${table.dataset.game}` : "";
}

function ask() {
  clearTimeout(timer);
  request(`${link.dataset.tables}${behind()}`, textOf, { cache: "no-store" })
    .then((html) => { failures = 0; show(html); }, () => { failures += 1; })
    .then(() => {
      clearTimeout(timer);
      timer = setTimeout(ask, SECONDS * 1000 * 2 ** Math.min(failures, 4));
    });
}

// Closed by a tap beside it, and by Escape.
/** @param {Event} event */
function close(event) {
  const details = place.querySelector("details[open]");
  if (!details) return;
  details.removeAttribute("open");
  if (event.type === "keydown") (/** @type {HTMLElement} */ (details.firstElementChild)).focus();
}
document.addEventListener("click", (event) => { if (!place.contains(/** @type {Node} */ (event.target))) close(event); });
place.addEventListener("keydown", (event) => { if (event.key === "Escape") close(event); });
document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
for (const name of ["trefoil:updated", "trefoil:asked"]) document.addEventListener(name, ask);
ask();
