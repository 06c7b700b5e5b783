// Shows only those of a list of names that contain what is typed.
"use strict";

(function () {
  var form = document.querySelector("[data-filter]");
  if (!form) return;
  var plain = function (text) { return text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, ""); };
  var box = form.querySelector("[data-filter-by]");
  var lines = Array.prototype.slice.call(form.querySelectorAll("[data-name]"));
  Array.prototype.forEach.call(form.querySelectorAll(".scripted"), function (part) { part.hidden = false; });
  var show = function () {
    lines.forEach(function (line) { line.hidden = plain(line.dataset.name).indexOf(plain(box.value.trim())) < 0; });
  };
  box.addEventListener("input", show);
  box.addEventListener("keydown", function (event) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    var left = lines.filter(function (line) { return !line.hidden; });
    var button = left.length === 1 && left[0].querySelector("button");
    if (button) button.click();
  });
})();
