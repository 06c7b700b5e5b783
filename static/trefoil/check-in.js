// The check-in list: names are filtered while somebody types, Enter checks the marked one in, and the list
// follows other devices. Without this script the same forms are sent. ES5, for the old tablet at the door.
(function () {
  "use strict";

  var search = /** @type {HTMLInputElement} */ (document.getElementById("name"));
  var find = /** @type {HTMLElement} */ (document.getElementById("find"));
  var door = /** @type {HTMLFormElement} */ (document.getElementById("door"));
  if (!search || !door || !window.XMLHttpRequest || !("hidden" in search)) return;
  document.documentElement.className += " scripted";

  var EVERY = 5000;
  /** @type {HTMLElement | null} */
  var marked = null;
  var sending = false;
  /** @type {{ name: string, value: string }[]} */
  var waiting = [];
  var pressed = 0; // how many buttons were sent: a list that was asked for before the last one is an old one
  // The script filters by itself, so it always asks for all names.
  var query = /[?&]show=missing/.test(location.search) ? "?show=missing" : "?show=all";

  function people() { return /** @type {HTMLElement} */ (document.getElementById("people")); }
  function said() { return /** @type {HTMLElement} */ (people().querySelector(".said")); }
  /** @param {ArrayLike<any>} list @param {(item: any) => void} action */
  function each(list, action) { Array.prototype.forEach.call(list, action); }
  function lines() { return door.querySelectorAll("[data-key]"); }

  // As the server does it: no accents, no apostrophes, single blanks.
  /** @param {string} text */
  function plain(text) {
    var apart = text.normalize ? text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "") : text;
    return apart.toLowerCase().replace(/['\u2019\u2018\u02bc\u00b4`]/g, "").replace(/\s+/g, " ").trim()
      .replace(/\u0142/g, "l").replace(/\u00f8/g, "o").replace(/[\u0111\u00f0]/g, "d").replace(/\u00fe/g, "th")
      .replace(/\u00df/g, "ss").replace(/\u00e6/g, "ae").replace(/\u0153/g, "oe").replace(/\u0131/g, "i");
  }

  /** @param {HTMLElement | null} line */
  function mark(line) {
    each(door.querySelectorAll(".marked"), function (old) { old.classList.remove("marked"); });
    marked = line;
    if (!line) return;
    line.classList.add("marked");
    if (line.scrollIntoView) line.scrollIntoView({ block: "nearest" });
  }

  function shown() {
    return Array.prototype.filter.call(lines(), function (line) { return !line.hidden; });
  }

  function filter() {
    var words = plain(search.value).split(" ");
    each(lines(), function (/** @type {HTMLElement} */ line) {
      var key = (line.getAttribute("data-key") || "").replace(/'/g, "");
      line.hidden = !words.every(function (word) { return key.indexOf(word) >= 0; });
    });
    var left = shown();
    var nobody = door.querySelector(".nobody");
    if (nobody) nobody.hidden = left.length > 0 || !lines().length;
    // Only a name that is missing is marked by itself: Enter typed twice takes nothing back.
    var missing = left.filter(function (/** @type {HTMLElement} */ line) { return line.querySelector("button[name=in]"); });
    mark(search.value.trim() ? missing[0] || null : null);
  }

  /** @param {number} by */
  function step(by) {
    var left = shown();
    if (!left.length) return;
    var at = marked ? left.indexOf(marked) : -1;
    mark(left[at < 0 ? (by > 0 ? 0 : left.length - 1) : Math.max(0, Math.min(left.length - 1, at + by))]);
  }

  // Replaces the list by the server's, without moving the focus.
  /** @param {string} html @param {boolean} keep */
  function replace(html, keep) {
    var box = document.createElement("div");
    box.innerHTML = html;
    var fresh = box.querySelector("#people");
    if (!fresh) return false;
    var focused = document.activeElement;
    var value = focused instanceof HTMLButtonElement && people().contains(focused) ? focused.value : "";
    var was = marked && marked.querySelector("button");
    var told = keep && said().textContent;
    var just = keep && people().querySelector(".just");
    /** @type {HTMLElement} */ (people().parentNode).replaceChild(fresh, people());
    if (told) said().textContent = told;
    if (just) /** @type {HTMLElement} */ (said().parentNode).insertBefore(just, said().nextSibling);
    filter();
    if (keep && was) {
      var same = fresh.querySelector('button[value="' + was.value + '"]');
      if (same) mark(same.parentElement);
    }
    var again = value && fresh.querySelector('button[value="' + value + '"]');
    if (again) again.focus();
    return true;
  }

  // Lets a button be sent after those that were pressed before it. The next name can be typed at once.
  /** @param {HTMLButtonElement} button */
  function press(button) {
    waiting.push({ name: button.name, value: button.value });
    search.value = "";
    filter();
    next();
  }

  // What waits for a connection outlasts a new load of the page; the same tap twice changes nothing.
  var KEPT = "trefoil check-in " + location.pathname;
  function keep() {
    try {
      if (waiting.length) localStorage.setItem(KEPT, JSON.stringify(waiting));
      else localStorage.removeItem(KEPT);
    } catch (_error) { /* a browser that keeps nothing */ }
  }
  function kept() {
    try { return JSON.parse(localStorage.getItem(KEPT) || "[]"); } catch (_error) { return []; }
  }
  function tellWaiting() {
    each(waiting, function (one) {
      var button = people().querySelector('button[value="' + one.value + '"] .state');
      if (button) button.textContent = find.getAttribute("data-waits");
    });
    if (waiting.length) said().textContent = find.getAttribute("data-offline");
  }

  // Sends the first of the buttons that wait; without a connection it goes on waiting. Where the answer is no list,
  // the form is sent as if there were no script.
  function next() {
    var button = sending ? null : waiting[0];
    if (!button) return;
    var name = button.name;
    var value = button.value;
    var token = door.elements.csrfmiddlewaretoken.value;
    var request = new XMLHttpRequest();
    sending = true;
    pressed += 1;
    request.open("POST", location.pathname + query);
    request.setRequestHeader("Content-Type", "application/x-www-form-urlencoded");
    request.setRequestHeader("X-Requested-With", "XMLHttpRequest");
    request.onload = function () {
      sending = false;
      if (request.status >= 502 && request.status <= 504) { tellWaiting(); return; }
      waiting.shift();
      keep();
      if (request.status !== 200 || !replace(request.responseText, false)) send(name, value);
      else next();
    };
    request.onerror = function () { sending = false; keep(); tellWaiting(); };
    request.send(name + "=" + encodeURIComponent(value) + "&csrfmiddlewaretoken=" + encodeURIComponent(token));
  }

  /** @param {string} name @param {string} value */
  function send(name, value) {
    var field = document.createElement("input");
    field.type = "hidden";
    field.name = name;
    field.value = value;
    door.appendChild(field);
    door.submit();
  }

  search.addEventListener("input", function () {
    filter();
    // Whoever is not in the list is let in below it, by the name that was looked for.
    var fresh = /** @type {HTMLInputElement | null} */ (document.getElementById("new-name"));
    if (fresh) fresh.value = search.value;
  });
  search.addEventListener("keydown", function (event) {
    var key = event.key.replace("Arrow", "");
    if (key === "Down" || key === "Up") {
      event.preventDefault();
      step(key === "Down" ? 1 : -1);
    } else if (key === "Escape" || key === "Esc") {
      search.value = "";
      filter();
    }
  });
  find.addEventListener("submit", function (event) {
    event.preventDefault();
    var button = marked && marked.querySelector("button");
    if (button) press(button);
    else if (search.value.trim() && shown().length) said().textContent = find.getAttribute("data-here");
  });
  door.addEventListener("click", function (event) {
    var button = /** @type {Node | null} */ (event.target);
    while (button && button !== door && button.nodeName !== "BUTTON") button = button.parentNode;
    if (!button || button === door) return;
    event.preventDefault();
    press(/** @type {HTMLButtonElement} */ (button));
  });

  function refresh() {
    if (waiting.length) { next(); return; }
    if (sending || document.hidden) return;
    var request = new XMLHttpRequest();
    var before = pressed;
    request.open("GET", location.pathname + query + "&by=XMLHttpRequest");
    request.onload = function () {
      if (request.status === 200 && pressed === before) replace(request.responseText, true);
    };
    request.send();
  }

  setInterval(refresh, EVERY);
  window.addEventListener("online", next);
  // On a touch screen the keyboard would cover the list.
  var touch = matchMedia("(pointer: coarse)").matches;
  if (search.hasAttribute("data-focus") && !touch && document.activeElement === document.body) search.focus();
  filter();
  waiting = kept();
  tellWaiting();
  next();
  if (/[?&]name=[^&]/.test(location.search)) refresh();
})();
