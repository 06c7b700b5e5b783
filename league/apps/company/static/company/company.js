// What players say at a table and who is there: the game's stream tells both, and nothing of it is kept.

const company = /** @type {HTMLElement} */ (document.getElementById("company"));
const said = /** @type {HTMLElement} */ (document.getElementById("said"));
const form = /** @type {HTMLFormElement | null} */ (document.getElementById("say"));
const around = document.getElementById("around");
const SHOWN = 6000; // milliseconds
const MOST_SHOWN = 3;
const [GAP, INSET] = [10, 24]; // pixels between a bubble and its seat, and from its left edge
const BACK = 20000; // a page that is loaded again is away for a moment
const MINUTE = 60000;

/** @type {Map<number, number | null>} when each seat left, null of who is here */
const seats = new Map();

/** @param {number} seat @param {string} name */
const partOf = (seat, name) => /** @type {HTMLElement | null} */ (company.querySelector(`[data-at-seat="${seat}"] .${name}`));

/** @param {string} key */
const textOf = (key) => company.getAttribute(`data-phrase-${key}`) || "";

// What somebody says is a bubble at their seat, where that is seen.
/** @param {HTMLElement} line @param {number} seat */
function putAtSeat(line, seat) {
  const place = document.querySelector(`#table .seat[data-seat="${seat}"]`);
  if (!place || !place.getClientRects().length) return;
  line.classList.add("bubble");
  const { left, top, bottom } = place.getBoundingClientRect();
  const [width, height] = [line.offsetWidth, line.offsetHeight];
  const isBelow = top - height - GAP < 0;
  line.classList.toggle("below", isBelow);
  line.style.left = `${Math.max(GAP, Math.min(left + INSET, innerWidth - width - GAP))}px`;
  line.style.top = `${isBelow ? bottom + GAP : top - height - GAP}px`;
}

/** @param {string} text @param {string=} name @param {number=} seat */
function show(text, name = "", seat = -1) {
  const line = document.createElement("li");
  const who = document.createElement("span");
  who.className = "who";
  who.textContent = name && `${name}: `;
  line.append(who, text);
  said.append(line);
  putAtSeat(line, seat);
  if (said.children.length > MOST_SHOWN) said.children[0].remove();
  setTimeout(() => line.remove(), SHOWN);
}

// What the reader alone is told stands there once, however often a button is pressed.
/** @param {string} text */
function tell(text) {
  if (![...said.children].some((line) => line.textContent === text)) show(text);
}

document.addEventListener("trefoil:said", (event) => {
  const { seat, phrase, at } = /** @type {CustomEvent} */ (event).detail;
  const [name, text] = [partOf(seat, "name"), textOf(phrase)];
  if (!name || !text) return;
  show(text, String(name.textContent), seat);
  const card = at && document.querySelector(`#table [data-thing="at:${Number(at.seat)}.${Number(at.index)}"]`);
  if (!card) return;
  card.classList.add("pointed");
  setTimeout(() => card.classList.remove("pointed"), SHOWN);
});

// ---- Who is there

function showPresence() {
  const now = Date.now();
  let here = 0;
  for (const [seat, left] of seats) {
    const place = partOf(seat, "presence");
    if (!place) continue;
    const minutes = left === null ? 0 : Math.floor((now - left) / MINUTE);
    const isHere = left === null || now - left < BACK;
    if (isHere && !place.closest("[data-me]")) here += 1;
    const words = minutes > 1 ? String(place.dataset.left).replace("#", String(minutes)) : String(place.dataset.leftOne);
    place.textContent = isHere ? String(place.dataset.here) : words;
    place.hidden = false;
  }
  if (!around) return;
  around.textContent = String(here === 1 ? around.dataset.one : around.dataset.more).replace("#", String(here));
  around.hidden = !here;
}

document.addEventListener("trefoil:present", (event) => {
  const known = /** @type {{ seat: number, left_at: string | null }[]} */ (/** @type {CustomEvent} */ (event).detail.seats);
  for (const place of company.querySelectorAll(".presence")) /** @type {HTMLElement} */ (place).hidden = true;
  seats.clear();
  for (const each of known) seats.set(each.seat, each.left_at === null ? null : Date.parse(each.left_at));
  showPresence();
});

// ---- Saying something

/** @param {string} phrase @param {string} at */
function say(phrase, at) {
  if (!form) return;
  const body = new FormData(form);
  body.set("phrase", phrase);
  body.set("at", at);
  fetch(form.action, { method: "POST", body, headers: { Accept: "text/plain" }, credentials: "same-origin" })
    .then((answer) => (answer.ok ? "" : answer.text()))
    .then((why) => { if (why) tell(why); })
    .catch(() => tell(String(company.dataset.offline)));
}

if (form) {
  const picker = /** @type {HTMLDetailsElement} */ (form.closest("details"));
  const point = /** @type {HTMLButtonElement | null} */ (form.querySelector("button[value=seen]"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    if (button) say(button.value, "");
    picker.open = false;
  });
  if (point) {
    const isPointing = () => point.getAttribute("aria-pressed") === "true";
    /** @param {boolean} on */
    const press = (on) => point.setAttribute("aria-pressed", String(on));
    point.hidden = false;
    point.addEventListener("click", () => {
      press(!isPointing());
      picker.open = false;
      if (isPointing()) tell(String(company.dataset.point));
    });
    // Before the table takes the tap as a pick.
    document.addEventListener("click", (event) => {
      if (!isPointing() || !(event.target instanceof Element)) return;
      const thing = /** @type {HTMLElement | null} */ (event.target.closest('#table [data-thing^="at:"]'));
      if (!thing) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      press(false);
      say("seen", String(thing.dataset.thing).slice("at:".length));
    }, true);
  }
}
