// Keeps a part of a page up to date: asks for it every few seconds, and replaces it where it is another one.
"use strict";

(() => {
  const part = document.querySelector("[data-refresh]");
  if (!part || !part.parentElement) return;
  const title = document.title;
  const said = part.parentElement.querySelector("[data-refresh-said]");

  // Each answer has another mask on its CSRF token, which means nothing.
  const plain = (/** @type {string} */ html) => html.replace(/(name="csrfmiddlewaretoken" value=")[^"]+/g, "$1");

  const target = (/** @type {Element} */ element) => element.getAttribute("href") ||
    (element instanceof HTMLButtonElement && element.form && element.form.getAttribute("action"));

  const replace = (/** @type {HTMLElement} */ fresh) => {
    if (plain(fresh.innerHTML) === last) return;
    last = plain(fresh.innerHTML);
    const focused = document.activeElement && part.contains(document.activeElement) ? target(document.activeElement) : null;
    const before = new Set([...part.querySelectorAll("li")].map((line) => line.textContent));
    part.innerHTML = fresh.innerHTML;
    part.className = fresh.className;
    part.dispatchEvent(new Event("trefoil:refreshed", { bubbles: true }));
    const same = [...part.querySelectorAll("a, button")].find((each) => focused && target(each) === focused);
    if (same) same.focus({ preventScroll: true });
    const news = [...part.querySelectorAll("li")].map((line) => line.textContent).filter((line) => !before.has(line));
    // What was said of the part before, as the answer to a form.
    const outdates = /** @type {HTMLElement | null} */ (part.querySelector("[data-outdates]"));
    const outdated = outdates && document.getElementById(String(outdates.dataset.outdates));
    if (outdated) outdated.remove();
    if (said) said.textContent = news.join(" ");
    document.title = news.length && document.hidden ? `(${news.length}) ${title}` : title;
  };

  // As it came: what scripts do to the part once the page is loaded is no news.
  let last = plain(part.innerHTML);
  const seconds = Number(part.dataset.seconds || 4);
  const ask = () => {
    fetch(part.dataset.refresh || "", { credentials: "same-origin", cache: "no-store" })
      .then((answer) => (answer.ok && !answer.redirected ? answer.text() : Promise.reject(answer.status)))
      .then((html) => {
        const fresh = new DOMParser().parseFromString(html, "text/html").getElementById(part.id);
        if (fresh) replace(fresh);
        setTimeout(ask, seconds * 1000);
      })
      .catch(() => setTimeout(ask, 15000));
  };
  addEventListener("visibilitychange", () => { if (!document.hidden) document.title = title; });
  setTimeout(ask, seconds * 1000);
})();
