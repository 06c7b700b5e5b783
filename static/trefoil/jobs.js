// Shows how far a job is, and loads the page again once its status is another one.
"use strict";

addEventListener("DOMContentLoaded", () => {
  const job = document.querySelector("[data-job]");
  if (!job) return;
  const bar = /** @type {HTMLProgressElement} */ (job.querySelector("progress"));
  const text = /** @type {HTMLElement} */ (job.querySelector("p"));
  const ask = () => {
    fetch(job.dataset.job || "", { credentials: "same-origin", cache: "no-store" })
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
      .then((state) => {
        if (state.status !== job.dataset.status) {
          location.reload();
          return;
        }
        if (state.total) {
          bar.max = state.total;
          bar.value = state.done;
        }
        if (text.textContent !== state.text) text.textContent = state.text;
        setTimeout(ask, 1000);
      })
      .catch(() => setTimeout(ask, 5000));
  };
  setTimeout(ask, 700);
});
