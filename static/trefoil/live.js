// Keeps the page of a running game up to date: on each event, the parts that change are fetched and replaced.
"use strict";

(() => {
  const live = document.getElementById("live");
  const announcer = document.getElementById("announcer");
  if (!live || !live.dataset.events || !window.EventSource) return;

  const source = new EventSource(live.dataset.events);
  let waiting = false;
  let again = false;

  // Removes what a reader may have changed, and what differs without a meaning.
  const plain = (html) => html
    .replace(/(name="seq" value=")\d+/g, "$1")
    .replace(/(name="csrfmiddlewaretoken" value=")[^"]+/g, "$1")
    .replace(/<details( class="[^"]*")? open="">/g, "<details$1>");

  // The fields that a reader has filled in, in a form with a line for each seat.
  const typedInto = (part) => [...part.querySelectorAll("[data-grid] input")]
    .filter((field) => field.value !== field.defaultValue);

  function restore({ id, value }) {
    const field = document.getElementById(id);
    field.value = value;
    const folded = field.closest("details");
    if (folded) folded.setAttribute("open", "");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // A form that is being filled in stays while the moves that it offers are the same.
  function replacePart(part, fresh) {
    if (plain(fresh.innerHTML) === plain(part.innerHTML)) {
      const numbered = fresh.querySelector("[name=seq]");
      for (const field of part.querySelectorAll("[name=seq]")) field.value = numbered.value;
      return;
    }
    const typed = typedInto(part);
    // Where somebody else was first and the form is gone, keep the old one: when it is sent, the server returns
    // it as a correction with all of its values.
    if (!typed.every(({ id }) => fresh.querySelector(`#${CSS.escape(id)}`))) return;
    const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
    part.innerHTML = fresh.innerHTML;
    typed.forEach(restore);
    const same = focused && document.getElementById(focused);
    if (same) same.focus({ preventScroll: true });
  }

  // Adds new moves above the others.
  function addMoves(news) {
    const list = document.getElementById("moves-list");
    const added = news.getElementById("moves-list");
    if (!list || !added || !added.children.length) return;
    const current = list.querySelector("[aria-current]");
    if (current) current.removeAttribute("aria-current");
    list.prepend(...added.children);
  }

  function update(news) {
    const seq = news.getElementById("live").dataset.seq;
    if (seq === live.dataset.seq) return;
    live.dataset.seq = seq;
    for (const part of live.querySelectorAll("[data-live]")) {
      const fresh = news.getElementById(part.id);
      if (fresh) replacePart(part, fresh);
    }
    // The form that was refused is no longer there.
    const refusal = document.getElementById("refusal");
    if (refusal && !live.querySelector("[aria-invalid]")) refusal.parentNode.removeChild(refusal);
    addMoves(news);
    const where = document.getElementById("where");
    announcer.textContent = where ? where.textContent : "";
  }

  function address() {
    const form = new URLSearchParams(location.search).get("form");
    return `${live.dataset.news}?after=${live.dataset.seq}${form ? `&form=${encodeURIComponent(form)}` : ""}`;
  }

  function refresh() {
    if (waiting) { again = true; return; }
    waiting = true;
    fetch(address(), { credentials: "same-origin", headers: { Accept: "text/html" } })
      .then((answer) => (answer.ok ? answer.text() : ""))
      .then((html) => { if (html) update(new DOMParser().parseFromString(html, "text/html")); })
      .then(refreshed, (error) => { refreshed(); throw error; });
  }

  function refreshed() {
    waiting = false;
    if (again) { again = false; refresh(); }
  }

  source.addEventListener("move", refresh);
  source.addEventListener("over", () => { source.close(); refresh(); });
})();
