// Arrow keys step through a game: each presses the link that the page has for it.
"use strict";

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, select, textarea, summary, [tabindex='0']")) return;
  const link = document.querySelector(`[data-step="${event.key}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});
