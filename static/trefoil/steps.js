// Arrow keys step through a game, and the space bar plays it: each clicks its link or button on the page.

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const own = `input, select, textarea, summary, [tabindex='0']:not(#table)${event.key === " " ? ", a, button" : ""}`;
  if (/** @type {Element} */ (event.target).closest(own)) return;
  const shown = document.querySelector("[data-past]") || document;
  const link = shown.querySelector(`[data-step="${CSS.escape(event.key)}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});
