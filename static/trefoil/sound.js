// Sounds of the table, which the reader switches on: a card is laid, and two notes when it is the reader's turn.
import { keepText, keptText } from "./kept.js";

const KEY = "trefoil sound";
const button = /** @type {HTMLButtonElement} */ (document.getElementById("sound"));
let on = keptText(KEY) === "on";

/** @type {AudioContext | null} */
let audio = null;
let waiting = false; // it was the reader's turn already

// Browsers let a page sound only once its reader has touched it or pressed a key, also where the choice was kept.
function wake() {
  if (!on) return Promise.resolve();
  audio = audio || new AudioContext();
  return audio.state === "running" ? Promise.resolve() : audio.resume();
}

/** @param {number} pitch @param {number} after @param {number} length */
function note(pitch, after, length) {
  // What can't be heard yet would all sound at once when it can.
  if (!audio || audio.state !== "running") return;
  const [tone, volume, start] = [audio.createOscillator(), audio.createGain(), audio.currentTime + after];
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0.15, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(start + length);
}

function shown() {
  button.setAttribute("aria-pressed", String(on));
}

button.addEventListener("click", () => {
  on = !on;
  keepText(KEY, on ? "on" : "off");
  shown();
  wake().then(() => { if (on) note(660, 0, 0.2); }, () => {});
});

document.addEventListener("trefoil:updated", () => {
  const mine = Boolean(document.getElementById("turn"));
  const begins = mine && !waiting;
  waiting = mine;
  if (!on) return;
  note(180, 0, 0.06);
  if (begins) {
    note(523, 0.08, 0.25);
    note(784, 0.22, 0.35);
  }
});

waiting = Boolean(document.getElementById("turn"));
shown();
if (!window.AudioContext) button.hidden = true;
if (window.AudioContext) {
  // A finger that goes up counts as a touch, one that goes down may begin to scroll.
  for (const name of ["pointerup", "keydown"]) addEventListener(name, () => { wake().catch(() => {}); }, true);
}
