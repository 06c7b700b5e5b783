// Tries a rule while it is chosen: the table that it gives is asked for a moment after each change.
"use strict";

addEventListener("DOMContentLoaded", () => {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-trying]"));
  if (!form) return;
  const name = String(form.dataset.trying);
  let waiting = 0;
  let asked = 0;

  const ask = () => {
    const number = asked += 1;
    const sent = new FormData(form);
    sent.set("_try", "1");
    fetch(location.pathname + location.search, { method: "POST", body: sent, credentials: "same-origin" })
      .then((answer) => (answer.ok && !answer.redirected ? answer.text() : Promise.reject(answer.status)))
      .then((html) => {
        const fresh = new DOMParser().parseFromString(html, "text/html").getElementById(name);
        const old = document.getElementById(name);
        if (number === asked && fresh && old) old.innerHTML = fresh.innerHTML;
      })
      .catch(() => undefined); // the button still asks
  };

  form.addEventListener("input", (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    // In an answer's own field one types the answer.
    const label = field.type === "radio" ? null : field.closest("label");
    const answer = label && /** @type {HTMLInputElement | null} */ (label.querySelector("input[type=radio]"));
    if (answer) answer.checked = true;
    clearTimeout(waiting);
    waiting = setTimeout(ask, 400);
  });
});
