// Opens a bracket that is wider than the screen at the round that is being played. After that the reader scrolls.
// Without this script a link leads there.
"use strict";

addEventListener("DOMContentLoaded", () => {
  if (location.hash.startsWith("#bracket-")) return;
  for (const now of document.querySelectorAll(".scroll .place")) {
    const box = now.closest(".scroll");
    if (box) box.scrollLeft += now.getBoundingClientRect().left - box.getBoundingClientRect().left - 12;
  }
});
