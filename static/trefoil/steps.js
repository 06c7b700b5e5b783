// Arrow keys step through a game: each clicks its link on the page.
"use strict";

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (/** @type {Element} */ (event.target).closest("input, select, textarea, summary, [tabindex='0']")) return;
  const link = document.querySelector(`[data-step="${event.key}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});
