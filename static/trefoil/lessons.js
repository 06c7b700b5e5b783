// Whether the reader wants help in the first deals of practice games: put away in one, it stays away in all.
import { keepText, keptText } from "./kept.js";

const KEY = "trefoil lessons";
const button = document.getElementById("lessons");
let on = keptText(KEY) !== "off";

/** Returns whether the reader wants to be told what to do. */
export const areWanted = () => on;

function show() {
  if (button) button.setAttribute("aria-pressed", String(on));
}

if (button) {
  button.addEventListener("click", () => {
    on = !on;
    keepText(KEY, on ? "on" : "off");
    show();
    document.dispatchEvent(new CustomEvent("trefoil:lessons"));
  });
}
show();
