// Keeps a running game's page up to date: on each event its changing parts are fetched and exchanged.
"use strict";

(() => {
  const live = document.getElementById("live");
  const said = document.getElementById("said");
  if (!live || !live.dataset.events || !window.EventSource) return;

  const source = new EventSource(live.dataset.events);
  let waiting = null;
  let again = false;

  // What a reader may have changed, or what changes without meaning anything.
  const plain = (html) => html
    .replace(/(name="seq" value=")\d+/g, "$1")
    .replace(/(name="csrfmiddlewaretoken" value=")[^"]+/g, "$1")
    .replace(/<details( class="[^"]*")? open="">/g, "<details$1>");

  // What somebody has written into the lines of a form that has one for each seat.
  const typedInto = (part) => [...part.querySelectorAll("[data-grid] input")]
    .filter((field) => field.value !== field.defaultValue);

  function writeAgain({ id, value }) {
    const field = document.getElementById(id);
    field.value = value;
    field.closest("details")?.setAttribute("open", "");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // A half-filled form stays as it is while the moves that it offers are still the same.
  function exchangePart(part, fresh) {
    if (plain(fresh.innerHTML) === plain(part.innerHTML)) {
      const seq = fresh.querySelector("[name=seq]")?.value;
      for (const field of part.querySelectorAll("[name=seq]")) field.value = seq;
      return;
    }
    const typed = typedInto(part);
    // Somebody else was first, and the form is gone: the old one stays, and sent too late it comes back as a
    // correction with all that was written.
    if (!typed.every(({ id }) => fresh.querySelector(`#${CSS.escape(id)}`))) return;
    const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
    part.innerHTML = fresh.innerHTML;
    typed.forEach(writeAgain);
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }

  // New entries go on top of those that are there.
  function addMoves(news) {
    const list = document.getElementById("moves-list");
    const fresh = [...(news.getElementById("moves-list")?.children ?? [])];
    if (!list || !fresh.length) return;
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    list.prepend(...fresh);
  }

  function exchange(news) {
    const seq = news.getElementById("live").dataset.seq;
    if (seq === live.dataset.seq) return;
    live.dataset.seq = seq;
    for (const part of live.querySelectorAll("[data-live]")) {
      const fresh = news.getElementById(part.id);
      if (fresh) exchangePart(part, fresh);
    }
    addMoves(news);
    said.textContent = document.getElementById("where")?.textContent ?? "";
  }

  function address() {
    const asked = new URLSearchParams({ after: live.dataset.seq });
    const form = new URLSearchParams(location.search).get("form");
    if (form) asked.set("form", form);
    return `${live.dataset.news}?${asked}`;
  }

  async function refresh() {
    if (waiting) { again = true; return; }
    waiting = fetch(address(), { headers: { Accept: "text/html" } });
    try {
      const answer = await waiting;
      if (answer.ok) exchange(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } finally {
      waiting = null;
      if (again) { again = false; refresh(); }
    }
  }

  source.addEventListener("move", refresh);
  source.addEventListener("over", () => { source.close(); refresh(); });
})();
