// What the desk's theme leaves out for screen readers: where the main part is, and what scrolls.
"use strict";

addEventListener("load", () => {
  document.getElementById("main")?.setAttribute("role", "main");
  document.querySelectorAll(".simplebar-content-wrapper[role=region]").forEach((part, index) => {
    part.setAttribute("aria-label", `${part.getAttribute("aria-label")} ${index + 1}`);
  });
});
