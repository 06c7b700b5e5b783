// Counts down the seconds that a page was sent with. The page says the time in words too.
"use strict";

(function () {
  /** @param {number} seconds */
  function digits(seconds) {
    var minutes = Math.floor(seconds / 60), rest = seconds % 60;
    return minutes + ":" + (rest < 10 ? "0" : "") + rest;
  }

  // An element is counted from the moment at which it got its seconds, not by ticks: a page may sleep. One that the
  // page was patched with is empty, also where it has the same seconds again.
  function tick() {
    Array.prototype.forEach.call(document.querySelectorAll("[data-countdown]"), function (place) {
      if (place.counted !== place.dataset.countdown || !place.textContent) {
        place.counted = place.dataset.countdown;
        place.ends = Date.now() + 1000 * Number(place.counted);
      }
      place.textContent = place.counted ? digits(Math.max(0, Math.round((place.ends - Date.now()) / 1000))) : "";
    });
  }

  tick();
  setInterval(tick, 500);
})();
