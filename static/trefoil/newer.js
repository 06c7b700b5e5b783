// Loads a page again when the log that it shows has grown; says so where the reader is in the middle of something.
"use strict";

addEventListener("DOMContentLoaded", () => {
  const part = document.querySelector("[data-newer]");
  if (!part) return;
  const SECONDS = 4;
  // What an action has just answered stays long enough to be read.
  const readUntil = Date.now() + (document.getElementById("messages") ? 8000 : 0);

  const changed = (/** @type {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} */ field) => {
    if (field.type === "hidden") return false;
    if (field instanceof HTMLSelectElement) {
      return Array.prototype.some.call(field.options, (option) => option.defaultSelected && !option.selected);
    }
    if (field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio")) {
      return field.checked !== field.defaultChecked;
    }
    return field.value !== field.defaultValue;
  };

  const busy = () => {
    const here = document.activeElement;
    const marked = window.getSelection && String(window.getSelection());
    return Date.now() < readUntil || (here && here !== document.body && here.id !== "main") || Boolean(marked) ||
      Array.prototype.some.call(document.querySelectorAll("main input, main select, main textarea"), changed) ||
      document.querySelector("main [aria-pressed=true]") !== null;
  };

  const ask = () => {
    if (document.hidden) { setTimeout(ask, 1000); return; }
    fetch(part.dataset.newer || "", { credentials: "same-origin", cache: "no-store" })
      .then((answer) => (answer.ok && !answer.redirected ? answer.json() : Promise.reject(answer.status)))
      .then((now) => {
        if (now.seq !== Number(part.dataset.seq)) {
          if (!busy()) { location.reload(); return; }
          part.setAttribute("role", "alert");
          part.hidden = false;
        }
        setTimeout(ask, SECONDS * 1000);
      })
      .catch(() => setTimeout(ask, 15000));
  };
  setTimeout(ask, SECONDS * 1000);
});
