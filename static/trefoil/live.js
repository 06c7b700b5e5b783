// Keeps the page of a running game up to date and sends its moves, also where the connection comes and goes.
import { keepConnected } from "./connection.js";
import { listen } from "./gamestream.js";
import { refresh } from "./news.js";
import { send, sendKept } from "./sending.js";
import { live } from "./things.js";

for (const badge of live.querySelectorAll("#status .live[hidden]")) badge.hidden = false;
keepConnected(() => {
  listen();
  refresh();
  send();
});
listen();
sendKept();
