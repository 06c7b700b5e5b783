// A form follows what is typed: it is asked for as it is filled in, and patched. Where its button names the fields
// `for` which it does, only what helps is, so that errors stay.
import { Idiomorph } from "../vendor/idiomorph/idiomorph.min.js";
import { request, textOf } from "./request.js";

addEventListener("DOMContentLoaded", () => {
  const PAUSE = 300; // milliseconds; days are typed, and ticks come one after the other
  const form = /** @type {HTMLFormElement} */ (document.getElementById("again"));
  const look = /** @type {HTMLButtonElement} */ (form.querySelector("[name=look]"));
  const fields = look.dataset.for && look.dataset.for.split(" ");
  let latest = 0;

  /** @param {Element} fresh */
  function help(fresh) {
    for (const told of fresh.querySelectorAll(".tf-help")) {
      const old = document.getElementById(told.id);
      if (old) old.textContent = told.textContent;
    }
  }

  /** @param {string} html */
  function patch(html) {
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("again");
    if (!fresh) return;
    if (fields) return help(fresh);
    Idiomorph.morph(form, fresh, {
      restoreFocus: true,
      ignoreActiveValue: true,
      callbacks: {
        // What is narrowed, unfolded or chosen stays so.
        beforeNodeMorphed: (old) => !(old instanceof Element && old.matches("select, .tf-search, [data-tick]")),
        beforeAttributeUpdated: (name) => !["open", "hidden"].includes(name),
      },
    });
  }

  /** @param {number} number */
  function follow(number) {
    const body = new FormData(form);
    body.set("look", "1");
    request(location.href, textOf, { method: "POST", body })
      .then((html) => { if (number === latest) patch(html); })
      .catch(() => {});
  }

  look.hidden = true;
  form.addEventListener("change", ({ target }) => {
    if (fields && !fields.includes(/** @type {HTMLInputElement} */ (target).name)) return;
    const number = ++latest;
    setTimeout(() => { if (number === latest) follow(number); }, PAUSE);
  });
});
