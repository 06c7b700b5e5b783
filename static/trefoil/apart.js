// Opens the rules in a tab of their own, so that the table stays where it is.
import { dock, live } from "./things.js";

/** @param {HTMLAnchorElement} link */
function mark(link) {
  const told = document.createElement("span");
  told.className = "spoken";
  told.textContent = ` ${dock.dataset.apart}`;
  link.target = "_blank";
  link.rel = "noopener";
  link.append(told);
}

/** Makes all links to the rules that the table has now open in a tab of their own, and say so to screen readers. */
export function openApart() {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (live.querySelectorAll("a:not([target])"))) {
    if (link.pathname === dock.dataset.rules) mark(link);
  }
}
