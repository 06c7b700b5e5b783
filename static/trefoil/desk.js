// What the desk's theme leaves out for screen readers: where the main part is, and what scrolls.
"use strict";

addEventListener("load", () => {
  document.getElementById("main")?.setAttribute("role", "main");
  document.querySelectorAll(".simplebar-content-wrapper[role=region]").forEach((part, index) => {
    part.setAttribute("aria-label", `${part.getAttribute("aria-label")} ${index + 1}`);
  });
});

// The theme writes a chosen file's name into a field of its own, and stumbles where there is none.
addEventListener("change", (event) => {
  if (event.target.matches("input[type=file].tf-select")) event.stopImmediatePropagation();
}, true);
