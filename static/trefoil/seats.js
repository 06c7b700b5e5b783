// Exchanges two seats of a drawn round: drag one onto the other, or choose both by click or keyboard. The costs
// of all exchanges of the chosen seat come with one request.
"use strict";

(function () {
  /** @typedef {{ text: string, worse: string[], better: boolean }} Cost */
  /** @typedef {{ seat: HTMLElement, x: number, y: number, ghost: HTMLElement | null }} Drag */

  const board = /** @type {HTMLElement} */ (document.querySelector("[data-exchanges]"));
  const seats = Array.from(document.querySelectorAll("[data-seat]"));
  if (!board || seats.length < 2 || !window.fetch) return;

  const form = /** @type {HTMLFormElement} */ (board.querySelector("form"));
  const said = /** @type {HTMLElement} */ (board.querySelector("[data-said]"));
  /** @type {Record<string, Record<string, Cost>>} */
  const costs = {};
  /** @type {HTMLElement | null} */
  let chosen = null;
  /** @type {HTMLElement | null} */
  let wanted = null; // the seat to exchange with, until its cost is here
  /** @type {Drag | null} */
  let drag = null;
  let dragged = false;

  const id = (/** @type {HTMLElement} */ seat) => seat.dataset.seat || "";
  const nameOf = (/** @type {HTMLElement} */ seat) => seat.dataset.name || "";
  const cost = (/** @type {HTMLElement} */ seat) => (chosen && costs[id(chosen)] ? costs[id(chosen)][id(seat)] : null);

  /** @param {string} text */
  function say(text) { if (said.textContent !== text) said.textContent = text; }

  function mark() {
    seats.forEach((seat) => {
      const told = cost(seat);
      const own = chosen ? id(chosen) : "";
      const loaded = costs[own];
      seat.setAttribute("aria-pressed", String(id(seat) === own));
      seat.classList.toggle("worse", Boolean(told && told.worse.length));
      seat.classList.toggle("fits", Boolean(told && !told.worse.length));
      seat.classList.toggle("better", Boolean(told && told.better));
      const never = Boolean(loaded && !told && id(seat) !== own);
      seat.classList.toggle("never", never);
      seat.setAttribute("aria-disabled", String(never));
      const title = told ? told.text : "";
      if (title) seat.setAttribute("title", title); else seat.removeAttribute("title");
    });
  }

  function cancel() {
    const hadForm = !form.hidden;
    const last = chosen;
    chosen = wanted = null;
    form.hidden = true;
    say("");
    mark();
    if (hadForm && last) last.focus();
  }

  /** @param {HTMLElement} seat */
  function choose(seat) {
    form.hidden = true;
    chosen = seat;
    wanted = null;
    say(nameOf(seat));
    mark();
    const entry = id(seat);
    if (costs[entry]) return;
    const address = String(board.dataset.exchanges).replace("00000000-0000-0000-0000-000000000000", entry);
    fetch(address, { credentials: "same-origin", headers: { Accept: "application/json" } })
      .then((answer) => { if (!answer.ok) throw new Error(String(answer.status)); return answer.json(); })
      .then((told) => {
        costs[entry] = told.exchanges;
        mark();
        if (wanted && chosen === seat) ask(wanted);
      })
      .catch(() => { cancel(); say(board.dataset.failed || ""); });
  }

  /** @param {HTMLElement} seat */
  function tell(seat) {
    const told = cost(seat);
    if (chosen && told) say(`${nameOf(chosen)} ↔ ${nameOf(seat)}: ${told.text}`);
  }

  /** @param {HTMLElement} seat */
  function ask(seat) {
    const told = cost(seat);
    wanted = told ? null : seat;
    if (!chosen || !told) return;
    tell(seat);
    form.elements.one.value = id(chosen);
    form.elements.other.value = id(seat);
    form.elements.weighed.value = `${id(chosen)} ${id(seat)}`;
    const heading = /** @type {HTMLElement} */ (form.querySelector("[data-text]"));
    const [one, other] = [nameOf(chosen), nameOf(seat)];
    heading.textContent = String(heading.dataset.text).replace(/\{(one|other)\}/g, (_all, which) => (which === "one" ? one : other));
    /** @type {HTMLElement} */ (form.querySelector("[data-cost]")).textContent = told.text;
    form.classList.toggle("worse", told.worse.length > 0);
    form.hidden = false;
    form.elements.reason.focus();
    form.elements.reason.select();
    // The form stays at the bottom of the window, over the lower tables.
    if (seat.getBoundingClientRect().bottom > board.getBoundingClientRect().top) seat.scrollIntoView({ block: "center" });
  }

  /** @param {HTMLElement} seat */
  function use(seat) {
    if (!chosen) choose(seat);
    else if (id(seat) === id(chosen)) cancel();
    else ask(seat);
  }

  // ---- Dragging ----

  /** @param {PointerEvent} event */
  function seatAt(event) {
    const element = document.elementFromPoint(event.clientX, event.clientY);
    return element && element.closest("[data-seat]");
  }

  /** @param {PointerEvent} event */
  function drop(event) {
    if (!drag) return;
    const over = event.type === "pointerup" && drag.ghost && seatAt(event);
    dragged = Boolean(drag.ghost);
    if (drag.ghost) drag.ghost.remove();
    seats.forEach((seat) => seat.classList.remove("over"));
    drag = null;
    if (over && over !== chosen) ask(over);
    setTimeout(() => { dragged = false; }, 0);
  }

  /** @param {PointerEvent} event */
  function follow(event) {
    if (!drag) return;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 6) return;
      choose(drag.seat);
      drag.ghost = document.createElement("div");
      drag.ghost.className = "tf-ghost";
      drag.ghost.textContent = nameOf(drag.seat);
      document.body.appendChild(drag.ghost);
    }
    event.preventDefault();
    drag.ghost.style.left = `${event.clientX + 12}px`;
    drag.ghost.style.top = `${event.clientY + 12}px`;
    const over = seatAt(event);
    seats.forEach((seat) => seat.classList.toggle("over", seat === over && Boolean(cost(seat))));
    const told = over && cost(over);
    drag.ghost.textContent = over && told ? `${nameOf(drag.seat)} ↔ ${nameOf(over)}: ${told.text}` : nameOf(drag.seat);
    if (over) tell(over);
  }

  document.addEventListener("pointermove", follow, { passive: false });
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", drop);

  // ---- Seats ----

  seats.forEach((seat) => {
    seat.setAttribute("role", "button");
    seat.setAttribute("tabindex", "0");
    seat.setAttribute("aria-pressed", "false");
    const grip = document.createElement("span");
    grip.className = "tf-grip";
    grip.setAttribute("aria-hidden", "true");
    seat.insertBefore(grip, seat.firstChild);
    // A finger scrolls the page unless it begins on the grip.
    seat.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || (event.pointerType === "touch" && event.target !== grip)) return;
      if (event.pointerType === "touch") grip.releasePointerCapture(event.pointerId);
      drag = { seat, x: event.clientX, y: event.clientY, ghost: null };
    });
    seat.addEventListener("click", () => { if (!dragged) use(seat); });
    seat.addEventListener("mouseenter", () => { if (!drag && form.hidden) tell(seat); });
    seat.addEventListener("focus", () => { if (form.hidden) tell(seat); });
    seat.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      use(seat);
    });
  });

  document.addEventListener("keydown", (event) => { if (event.key === "Escape") cancel(); });
  /** @type {HTMLElement} */ (form.querySelector("[data-cancel]")).addEventListener("click", cancel);
  document.documentElement.classList.add("tf-can-exchange");
  board.hidden = false;
  /** @type {HTMLElement} */ (document.querySelector("[data-how]")).hidden = false;
})();
