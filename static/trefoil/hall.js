// The hall page: turns its screens page by page, counts the round's timer down and follows the server.
// Without this script the server sends one page after the other. ES5, for the old laptop at the projector.
(function () {
  "use strict";

  /** @typedef {{ section: HTMLElement, first: number, last: number, size?: number, columns?: number }} HallPage */

  var controls = /** @type {HTMLElement} */ (document.getElementById("controls"));
  if (!controls || !window.XMLHttpRequest || !document.body.classList) return;
  var root = document.documentElement;
  var browser = /** @type {any} */ (window); // older ones have names of their own
  root.className += " scripted";

  var POLL = 5000;
  var SIGNAL = 30000;
  var SIZES = [1, 0.9, 0.8, 0.7, 0.65]; // of the letters of a list: the smallest are those of notes
  var HAND = 600; // Narrower than this the page is held in a hand: it scrolls, and all screens stand one below the other.
  var words = controls.dataset;
  var seconds = Number(words.seconds);
  var ahead = Number(words.now) * 1000 - Date.now(); // The server's clock is this much ahead of the browser's.
  /** @type {HallPage[]} */
  var pages = [];
  var at = 0;
  var only = "";
  var paused = false;
  var turned = Date.now();
  /** @type {number | null} */
  var signalled = null;
  /** @type {AudioContext | null} */
  var audio = null;
  var news = "";
  var larger = 1;
  /** @type {Record<string, number>} */
  var sizes = {}; // the size of each screen's letters, by its title

  /** @param {ArrayLike<any>} list @param {(item: any, index: number) => void} action */
  function each(list, action) { Array.prototype.forEach.call(list, action); }
  /** @param {ParentNode} part @param {string} selector */
  function within(part, selector) { return /** @type {HTMLElement} */ (part.querySelector(selector)); }
  function hall() { return within(document, "#hall"); }
  function sections() { return Array.prototype.slice.call(hall().querySelectorAll(".screen")); }
  /** @param {HTMLElement} section */
  function title(section) { return within(section, "h2").textContent || ""; }
  /** @param {string} name */
  function button(name) { return within(controls, '[data-do="' + name + '"]'); }
  /** @param {HTMLElement} section */
  function fits(section) { return !only || title(section) === only; }

  // ---- Pages: as many lines of each screen as there is room for ----

  function layout() {
    var before = pages[at];
    var key = before ? title(before.section) : "";
    var first = before ? before.first : 0;
    var held = window.innerWidth < HAND;
    root.classList[held ? "add" : "remove"]("held");
    pages = [];
    each(sections(), function (/** @type {HTMLElement} */ section) {
      section.hidden = !fits(section);
      each(section.querySelectorAll(".lines > li"), function (line) { line.hidden = false; });
      var lines = section.querySelector(".lines");
      if (held && lines) lines.removeAttribute("style");
      if (!held) section.hidden = true;
    });
    if (held) return;
    each(sections().filter(fits), split);
    if (!pages.length && only) { only = ""; pressed("only", false); layout(); return; }
    at = 0;
    each(pages, function (/** @type {HallPage} */ page, number) {
      if (title(page.section) === key && page.first <= first) at = number;
    });
    show();
  }

  /** Page a screen with letters as large as they can be for the fewest pages. @param {HTMLElement} section */
  function split(section) {
    var list = section.querySelector(".lines");
    section.hidden = false;
    if (!list) pages.push({ section: section, first: 0, last: 0 });
    else pages = pages.concat(best(section, list));
    section.hidden = true;
  }

  /** @param {HTMLElement} section @param {HTMLElement} list @returns {HallPage[]} */
  function best(section, list) {
    /** @type {HallPage[]} */
    var found = [];
    var key = title(section);
    // Once somebody has chosen larger letters, only they change them.
    each(larger !== 1 && sizes[key] ? [sizes[key]] : SIZES, function (/** @type {number} */ size) {
      set(list, size, 0);
      for (var columns = found.length === 1 ? 0 : beside(list); columns; columns--) {
        set(list, size, columns);
        var its = paged(section, list, size, columns);
        if (!found.length || its.length < found.length) found = its;
      }
    });
    if (larger === 1) sizes[key] = Number(found[0].size);
    return found;
  }

  /** @param {HTMLElement} list @param {number} size @param {number} columns */
  function set(list, size, columns) {
    list.style.fontSize = size + "em";
    list.style.gridTemplateColumns = columns ? "repeat(" + columns + ", minmax(0, 1fr))" : "";
    list.style.gridTemplateRows = "";
    list.style.gridAutoFlow = "row";
  }

  /** @param {HTMLElement} list */
  function beside(list) {
    var lines = /** @type {HTMLCollectionOf<HTMLElement>} */ (list.children);
    var columns = 1;
    while (columns < lines.length && lines[columns].offsetTop === lines[0].offsetTop) columns++;
    return columns;
  }

  /** @param {HTMLElement} section @param {HTMLElement} list @param {number} size @param {number} columns */
  function paged(section, list, size, columns) {
    /** @type {HallPage[]} */
    var its = [];
    var lines = /** @type {HTMLCollectionOf<HTMLElement>} */ (list.children);
    var room = /** @type {HTMLElement} */ (list.parentNode).clientHeight;
    var first = 0;
    for (var row = 0; row < lines.length; row += columns) {
      var next = lines[row + columns];
      var bottom = next ? next.offsetTop : list.offsetTop + list.offsetHeight;
      if (bottom - lines[first].offsetTop > room && row > first) {
        its.push({ section: section, first: first, last: row, size: size, columns: columns });
        first = row;
      }
    }
    its.push({ section: section, first: first, last: lines.length, size: size, columns: columns });
    return its;
  }

  function show() {
    var page = pages[at];
    each(sections(), function (/** @type {HTMLElement} */ section) { section.hidden = !page || section !== page.section; });
    within(document, "#where").textContent = page ? position(page) : "";
    if (!page || !page.columns) return;
    var list = within(page.section, ".lines");
    each(list.children, function (line, number) { line.hidden = number < page.first || number >= page.last; });
    set(list, Number(page.size), page.columns);
    // Down the columns, as an alphabetical list is read, unless the longest names then don't fit.
    var rows = Math.ceil((page.last - page.first) / page.columns);
    list.style.gridTemplateRows = "repeat(" + rows + ", auto)";
    list.style.gridAutoFlow = "column";
    if (list.offsetHeight > /** @type {HTMLElement} */ (list.parentNode).clientHeight) set(list, Number(page.size), page.columns);
  }

  /** @param {HallPage} page */
  function position(page) {
    var its = pages.filter(function (other) { return other.section === page.section; });
    var number = String(words.where).replace("{page}", String(its.indexOf(page) + 1)).replace("{pages}", String(its.length));
    return [its.length > 1 ? number : "", only ? words.only : ""].filter(Boolean).join(", ");
  }

  /** @param {number} by */
  function turn(by) {
    turned = Date.now();
    if (!pages.length) return;
    at = (at + by + pages.length) % pages.length;
    show();
  }

  // ---- The timer ----

  function tick() {
    var timer = document.getElementById("timer");
    if (!paused && Date.now() - turned >= seconds * 1000) turn(1);
    if (!timer) return;
    var ends = Number(timer.getAttribute("data-ends")) * 1000;
    var left = ends ? Math.ceil((ends - Date.now() - ahead) / 1000) : Number(timer.getAttribute("data-left"));
    var digits = within(timer, ".digits");
    timer.classList[left <= 60 && left > 0 && ends ? "add" : "remove"]("last");
    if (left > 0) {
      digits.textContent = Math.floor(left / 60) + ":" + ("0" + left % 60).slice(-2);
      signalled = null;
      root.classList.remove("signal");
    } else if (ends && signalled !== ends) {
      signalled = ends;
      timer.classList.add("over");
      digits.textContent = within(timer, ".up").textContent;
      within(timer, ".word").textContent = "";
      // Whoever opens the page later sees that the time is up, and hears nothing.
      if (left > -SIGNAL / 1000) signal();
    }
  }

  function signal() {
    root.classList.add("signal");
    setTimeout(function () { root.classList.remove("signal"); }, SIGNAL);
    for (var i = 0; i < 6; i++) beep(i * 0.6 + (i > 2 ? 0.8 : 0), 0.35);
  }

  /** @param {number} after @param {number} length */
  function beep(after, length) {
    if (!audio) return;
    var tone = audio.createOscillator();
    var volume = audio.createGain();
    tone.frequency.value = 880;
    volume.gain.value = 0.4;
    tone.connect(volume);
    volume.connect(audio.destination);
    tone.start(audio.currentTime + after);
    tone.stop(audio.currentTime + after + length);
  }

  // ---- What the server has ----

  function refresh() {
    if (document.hidden) return;
    var request = new XMLHttpRequest();
    request.open("GET", words.news + location.search.replace(/([?&])page=\d+/, "$1"));
    request.timeout = POLL * 2;
    request.onload = function () {
      stale(request.status !== 200);
      if (request.status !== 200 || request.responseText === news) return;
      news = request.responseText;
      var box = document.createElement("div");
      box.innerHTML = news;
      var fresh = box.querySelector("#hall");
      if (!fresh) return;
      var old = hall();
      /** @type {HTMLElement} */ (old.parentNode).replaceChild(fresh, old);
      signalled = null;
      layout();
      tick();
    };
    request.onerror = request.ontimeout = function () { stale(true); };
    request.send();
  }

  /** @param {boolean} is */
  function stale(is) { within(document, "#stale").textContent = is ? words.stale || "" : ""; }

  // ---- Keys and buttons ----

  /** @param {string} name @param {boolean} on */
  function pressed(name, on) { button(name).setAttribute("aria-pressed", on ? "true" : "false"); }

  /** @param {HTMLElement | null} section */
  function showOnly(section) {
    only = section ? title(section) : "";
    pressed("only", Boolean(only));
    layout();
    turned = Date.now();
  }

  /** @param {number} by */
  function size(by) {
    larger = Math.min(2, Math.max(0.5, larger * by));
    root.style.fontSize = "";
    root.style.fontSize = parseFloat(getComputedStyle(root).fontSize) * larger + "px";
    layout();
  }

  function fullScreen() {
    var on = document.fullscreenElement || browser.document.webkitFullscreenElement;
    var enter = root.requestFullscreen || browser.document.documentElement.webkitRequestFullscreen;
    var leave = document.exitFullscreen || browser.document.webkitExitFullscreen;
    if (on && leave) leave.call(document);
    else if (enter) enter.call(root);
  }

  /** @type {Record<string, () => void>} */
  var ACTIONS = {
    back: function () { turn(-1); },
    next: function () { turn(1); },
    pause: function () { paused = !paused; turned = Date.now(); pressed("pause", paused); },
    only: function () { showOnly(only || !pages[at] ? null : pages[at].section); },
    sound: function () {
      var Context = window.AudioContext || browser.webkitAudioContext;
      if (audio) { audio.close(); audio = null; } else if (Context) { audio = new Context(); beep(0, 0.1); }
      pressed("sound", Boolean(audio));
    },
    full: fullScreen,
  };

  controls.addEventListener("click", function (event) {
    var action = ACTIONS[/** @type {Element} */ (event.target).getAttribute("data-do") || ""];
    if (action) action();
  });

  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    var key = (event.key || "").replace("Arrow", "");
    var own = ["BUTTON", "SUMMARY", "A"].indexOf(/** @type {Element} */ (event.target).nodeName) >= 0;
    if ((key === " " || key === "Spacebar") && !own) { event.preventDefault(); ACTIONS.pause(); }
    else if (key === "Left") turn(-1);
    else if (key === "Right") turn(1);
    else if (key === "+" || key === "=") size(1.1);
    else if (key === "-" || key === "\u2212") size(1 / 1.1);
    else if (key === "0") showOnly(null);
    else if (/^[1-9]$/.test(key)) { if (sections()[Number(key) - 1]) showOnly(sections()[Number(key) - 1]); }
    else if (key === "s" || key === "S") ACTIONS.sound();
    else if (key === "f" || key === "F") fullScreen();
  });

  window.addEventListener("resize", function () { larger === 1 ? layout() : size(1); });
  setInterval(tick, 250);
  setInterval(refresh, POLL);
  layout();
  tick();
  refresh();
})();
