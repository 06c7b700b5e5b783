// Adds what screen readers need and the desk's theme lacks: a role for the main part, and distinct labels.
"use strict";

addEventListener("load", () => {
  document.getElementById("main")?.setAttribute("role", "main");
  document.querySelectorAll(".simplebar-content-wrapper[role=region]").forEach((part, index) => {
    part.setAttribute("aria-label", `${part.getAttribute("aria-label")} ${index + 1}`);
  });
});

// The theme shows the name of a chosen file in a separate field, and fails where that field is missing.
addEventListener("change", (event) => {
  if (event.target.matches("input[type=file].tf-select")) event.stopImmediatePropagation();
}, true);
