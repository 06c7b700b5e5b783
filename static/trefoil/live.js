// Keeps the page of a running game up to date and sends its moves, also where the connection comes and goes.
//
// On each event the parts that change are fetched and replaced. A move is sent with the number that it takes in
// the log, so that it may be sent again until it is answered and is made once.
"use strict";

(() => {
  const live = document.getElementById("live");
  const announcer = document.getElementById("announcer");
  const offline = document.getElementById("offline");
  const unsent = document.getElementById("unsent");
  if (!live || !live.dataset.events || !window.EventSource || !window.fetch) return;

  const FIRST_WAIT = 1000;
  const LONGEST_WAIT = 30000;
  const ASLEEP = 20000;

  // ---- Replacing the parts that change

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
    const within = part.contains(document.activeElement);
    const focused = within ? document.activeElement.id : "";
    part.innerHTML = fresh.innerHTML;
    typed.forEach(restore);
    const same = (focused && document.getElementById(focused)) || (within && part.closest("[tabindex]"));
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

  function removeRefusal() {
    const refusal = document.getElementById("refusal");
    if (refusal) refusal.parentNode.removeChild(refusal);
  }

  function update(html) {
    const news = new DOMParser().parseFromString(html, "text/html");
    const seq = Number(news.getElementById("live").dataset.seq);
    if (seq <= Number(live.dataset.seq)) return;
    live.dataset.seq = seq;
    for (const part of live.querySelectorAll("[data-live]")) {
      const fresh = news.getElementById(part.id);
      if (fresh) replacePart(part, fresh);
    }
    // The form that was refused is no longer there.
    if (!live.querySelector("[aria-invalid]")) removeRefusal();
    addMoves(news);
    const where = document.getElementById("where");
    announcer.textContent = where ? where.textContent : "";
    document.dispatchEvent(new CustomEvent("trefoil:updated"));
  }

  function newsAfter(address) {
    const form = new URLSearchParams(location.search).get("form");
    return `${address}?after=${live.dataset.seq}${form ? `&form=${encodeURIComponent(form)}` : ""}`;
  }

  // ---- The connection

  let source = null;
  let over = false;
  let failures = 0; // of requests, since the last answer
  let losses = 0; // of streams, since the last one that was open
  let retry = 0;
  let hidden = 0;

  function later() {
    clearTimeout(retry);
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.max(failures, losses));
    retry = setTimeout(reconnect, wait * (0.5 + Math.random() / 2));
  }

  function shown(cut) {
    offline.hidden = !cut;
    live.classList.toggle("cut", cut);
  }

  function failed() {
    failures += 1;
    shown(failures > 1 || navigator.onLine === false);
    later();
  }

  function answered() {
    failures = 0;
    shown(false);
  }

  function lost() {
    losses += 1;
    later();
  }

  function reconnect() {
    clearTimeout(retry);
    listen();
    refresh();
    send();
  }

  function listen() {
    if (source) source.close();
    if (over) return;
    source = new EventSource(live.dataset.events.replace(/after=\d+/, `after=${live.dataset.seq}`));
    source.addEventListener("move", refresh);
    source.addEventListener("over", () => { over = true; source.close(); refresh(); });
    source.addEventListener("open", () => { losses = 0; });
    source.addEventListener("error", lost);
  }

  // One request at a time; what is asked for meanwhile is asked for once afterwards.
  let asking = false;
  let again = false;

  function refresh() {
    if (asking) { again = true; return; }
    asking = true;
    fetch(newsAfter(live.dataset.news), { credentials: "same-origin", headers: { Accept: "text/html" } })
      .then((answer) => (answer.ok ? answer.text() : Promise.reject(answer.status)))
      .then((html) => { answered(); update(html); }, failed)
      .then(() => {
        asking = false;
        if (again) { again = false; refresh(); }
      });
  }

  addEventListener("online", reconnect);
  addEventListener("offline", failed);
  document.addEventListener("visibilitychange", () => {
    // A device that slept may hold a stream that nobody writes to any more.
    if (document.hidden) hidden = Date.now();
    else if (Date.now() - hidden > ASLEEP) reconnect();
  });

  // ---- Moves

  let move = null;
  let sending = false;
  let pressed = null;

  function written(form) {
    const body = new URLSearchParams(new FormData(form));
    if (pressed && pressed.form === form && pressed.name) body.append(pressed.name, pressed.value);
    return body;
  }

  function enable(able) {
    for (const button of live.querySelectorAll("form[data-form] button, #dock button")) button.disabled = !able;
    unsent.hidden = able || !failures;
  }

  function send() {
    if (!move || sending) return;
    sending = true;
    fetch(newsAfter(move.address), { method: "POST", body: move.body, credentials: "same-origin", redirect: "manual" })
      .then((answer) => (answer.status >= 500 || answer.status === 429 ? Promise.reject(answer.status) : read(answer)))
      .then(() => { answered(); move = null; }, failed)
      .then(() => { sending = false; enable(!move); });
  }

  function read(answer) {
    // Elsewhere than to the table: to the log-in, after the session has ended.
    if (answer.type === "opaqueredirect" || answer.status === 403) {
      location.reload();
      return null;
    }
    return answer.text().then(answer.ok ? update : showRefusal);
  }

  // The refused form comes back with what was in it.
  function showRefusal(html) {
    const page = new DOMParser().parseFromString(html, "text/html");
    const refusal = page.getElementById("refusal");
    removeRefusal();
    if (refusal) live.prepend(refusal);
    const play = document.getElementById("play");
    play.innerHTML = page.getElementById("play").innerHTML;
    play.focus({ preventScroll: true });
    if (refusal) refusal.scrollIntoView({ block: "nearest" });
    document.dispatchEvent(new CustomEvent("trefoil:updated"));
    refresh();
  }

  live.addEventListener("click", (event) => { pressed = event.target.closest("button"); });

  live.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-form]");
    if (!form || event.defaultPrevented) return;
    event.preventDefault();
    if (move) return;
    begin(form.action, written(form));
  });

  // A move made on the table, which has no form of its own.
  document.addEventListener("trefoil:move", (event) => {
    const body = new URLSearchParams(event.detail);
    body.append("seq", Number(live.dataset.seq) + 1);
    if (!move) begin(document.getElementById("dock").action, body);
  });

  function begin(address, body) {
    move = { address, body };
    enable(false);
    send();
  }

  unsent.querySelector("button").addEventListener("click", () => { move = null; enable(true); });

  listen();
})();
