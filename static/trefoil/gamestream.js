// Listens to the stream that tells of each move of a game.
import { lost, opened, reconnect } from "./connection.js";
import { heard, refresh } from "./news.js";
import { shownSeq, tellWatching } from "./parts.js";
import { isWaiting } from "./sending.js";
import { alive, watch } from "./stream.js";
import { live } from "./things.js";

/** @type {EventSource | null} */
let source = null;
let over = false;

/** Listens anew, from the move that is shown on. */
export function listen() {
  if (source) source.close();
  if (over) return;
  const stream = new EventSource(alive(String(live.dataset.events).replace(/after=\d+/, `after=${shownSeq()}`)));
  source = stream;
  stream.addEventListener("move", (event) => {
    // The answer to a move of one's own has it already.
    if (!heard(Number(event.lastEventId))) return;
    if (!isWaiting()) document.dispatchEvent(new CustomEvent("trefoil:overtaken"));
    refresh();
  });
  stream.addEventListener("over", () => { over = true; source = null; stream.close(); refresh(); });
  stream.addEventListener("watching", (event) => tellWatching(JSON.parse(event.data).watching));
  for (const name of ["said", "present"]) {
    stream.addEventListener(name, (event) => document.dispatchEvent(new CustomEvent(`trefoil:${name}`, { detail: JSON.parse(event.data) })));
  }
  stream.addEventListener("open", opened);
  stream.addEventListener("error", lost);
  watch(stream, ["move", "watching", "said", "present"], () => { if (source === stream) reconnect(); });
}
