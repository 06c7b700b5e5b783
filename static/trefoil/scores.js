// Results are saved row by row while they are typed. A row waits in the browser until the server has taken it,
// so that nothing is lost when the connection drops, the page is closed or somebody logs out.
import { goToFirst, listen } from "./scorekeys.js";
import { adopt, all, form, rows } from "./scorerows.js";
import { begin, report } from "./scoresending.js";

if (form) {
  form.classList.add("live");
  for (const part of all(".scripted", form.parentElement || form)) part.hidden = false;
  for (const part of all(".unscripted", form)) part.hidden = true;
  begin();
  listen();
  adopt();
  for (const row of rows) row.restore();
  report();
  goToFirst();
}
