// Draws a table as large as its cloth has room for, on one screen with what is docked below it.
const DENSEST = 4;

/** @param {HTMLElement} cloth @param {number} density */
function draw(cloth, density) {
  for (let each = 1; each <= DENSEST; each += 1) cloth.classList.toggle(`dense-${each}`, each <= density);
}

// How much of the cloth is empty below what lies on it.
/** @param {HTMLElement} cloth */
function empty(cloth) {
  const bottoms = [...cloth.children].map((part) => part.getBoundingClientRect().bottom);
  return cloth.getBoundingClientRect().bottom - Math.max(...bottoms);
}

// Whether a low and narrow screen has room for few letters: it is small, or its text is larger than usual.
function isSmall() {
  const letter = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return innerHeight <= 31 * letter && innerWidth < 35 * letter;
}

/**
 * Returns a function that lets the board fill what the head of the page leaves of the screen, and fits what lies on
 * its cloth. Tables that are called the same never grow again in the same room, so that cards keep their size from
 * one move to the next: room is what is left below the head. They do grow where `spare` pixels would still be empty.
 * @param {HTMLElement} board @param {HTMLElement} cloth @param {() => string} name
 */
export function fitting(board, cloth, name) {
  let fitted = "";
  let density = 0;

  return (spare = Infinity) => {
    board.classList.toggle("long", isSmall());
    const above = Math.ceil(board.getBoundingClientRect().top + scrollY);
    document.documentElement.style.setProperty("--above", `${above}px`);
    const called = `${innerWidth} ${innerHeight} ${above} ${name()}`;
    const before = called === fitted ? density : 0;
    fitted = called;
    density = Number.isFinite(spare) ? 0 : before;
    // What a reader has unfolded is scrolled to; it makes no card smaller.
    cloth.classList.add("folded");
    draw(cloth, density);
    while (density < before && empty(cloth) < spare) draw(cloth, density += 1);
    while (cloth.scrollHeight > cloth.clientHeight && density < DENSEST) draw(cloth, density += 1);
    cloth.classList.remove("folded");
  };
}

/**
 * Marks the seat that has moved, and scrolls the cloth to it where not everything has room.
 * @param {HTMLElement} cloth @param {string} seat
 */
export function showMoved(cloth, seat) {
  const place = seat && /** @type {HTMLElement | null} */ (cloth.querySelector(`[data-seat="${seat}"]`));
  if (!place) return;
  place.classList.add("moved");
  if (cloth.querySelector(":scope > .panel")) return;
  const [within, own] = [cloth.getBoundingClientRect(), place.getBoundingClientRect()];
  if (own.bottom > within.bottom) cloth.scrollTop += own.bottom - within.bottom;
  else if (own.top < within.top) cloth.scrollTop -= within.top - own.top;
}
