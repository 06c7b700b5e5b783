// Keeps the page of a running game up to date and sends its moves, also where the connection comes and goes.
import { keepConnected } from "./connection.js";
import { listen } from "./gamestream.js";
import { refresh } from "./news.js";
import { send, sendKept } from "./sending.js";

keepConnected(() => {
  listen();
  refresh();
  send();
});
listen();
sendKept();

// Back and reload ask for the table as it is then, and don't send a form again that was refused.
const refusal = document.getElementById("refusal");
if (refusal) history.replaceState(null, "", refusal.dataset.page || "");
// A page that the browser kept whole shows the table as it was.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
