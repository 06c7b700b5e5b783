// Counts down the seconds that a page was sent with. The page says the time in words too.

/** @type {WeakMap<HTMLElement, { seconds: string, ends: number }>} */
const counted = new WeakMap();

/** @param {number} seconds */
const digits = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

// An element is counted from the moment at which it got its seconds, not by ticks: a page may sleep. One that the
// page was patched with is empty, also where it has the same seconds again.
/** @param {HTMLElement} place @param {string} seconds */
function endOf(place, seconds) {
  const known = counted.get(place);
  if (known && known.seconds === seconds && place.textContent) return known.ends;
  const ends = Date.now() + 1000 * Number(seconds);
  counted.set(place, { seconds, ends });
  return ends;
}

function tick() {
  for (const place of document.querySelectorAll("[data-countdown]")) {
    const seconds = place.dataset.countdown || "";
    const left = Math.max(0, Math.round((endOf(place, seconds) - Date.now()) / 1000));
    place.textContent = seconds ? digits(left) : "";
  }
}

tick();
setInterval(tick, 500);
