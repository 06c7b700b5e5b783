// The form of the next evening follows its ticks and its day: it is asked for as it is filled in, and patched.
import { Idiomorph } from "../vendor/idiomorph/idiomorph.min.js";
import { request, textOf } from "./request.js";

addEventListener("DOMContentLoaded", () => {
  const PAUSE = 300; // milliseconds; days are typed, and ticks come one after the other
  const form = /** @type {HTMLFormElement} */ (document.getElementById("again"));
  let latest = 0;

  /** @param {string} html */
  function patch(html) {
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("again");
    if (!fresh) return;
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

  /** @type {HTMLButtonElement} */ (form.querySelector("[name=look]")).hidden = true;
  form.addEventListener("change", () => {
    const number = ++latest;
    setTimeout(() => { if (number === latest) follow(number); }, PAUSE);
  });
});
