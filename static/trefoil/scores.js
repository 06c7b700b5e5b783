// Results are saved row by row while they are typed. A row waits in the browser until the server has taken it,
// so that nothing is lost when the connection drops, the page is closed or somebody logs out.
import * as store from "./kept.js";

(function () {
  /** @typedef {HTMLInputElement | HTMLSelectElement} Field */
  /** @typedef {Record<string, string>} Values */
  /** @typedef {{ value: string, title: string }} Confirm */
  /** @typedef {{ text: string, seq: number, seconds: number }} Closing */
  /**
   * @typedef {{ prefix: string, state: string, seen: string, values: Values, scores: number[], wrong: string[],
   *   marked: string[], doubt?: string, conflict: boolean }} Answer
   * @typedef {{ key: string, state: string, status: string, disputed: boolean, decided: boolean,
   *   gone: Record<string, string>, rows: Answer[], totals: (number | null)[], places: string[],
   *   confirm: Confirm | null }} Card
   */

  var form = /** @type {HTMLFormElement} */ (document.querySelector("[data-results]"));
  if (!form || !window.fetch || !window.URLSearchParams) return;

  var PAUSE = 1500; // milliseconds without a key after which a complete row is sent
  var RETRIES = [1000, 2000, 5000, 10000, 20000];
  var POLL = 10000;
  var SOON = 2000; // milliseconds after the last saved row
  var sheets = document.querySelector("nav.tabs");
  var failures = 0;
  var trouble = "";
  /** @type {Row | null} */
  var sending = null;
  var timer = 0;
  var soon = 0;
  var leaving = "";

  /** @param {string} selector @param {ParentNode=} within @returns {HTMLElement[]} */
  function all(selector, within) { return Array.prototype.slice.call((within || document).querySelectorAll(selector)); }

  /** @param {ParentNode} within @param {string} selector */
  function one(within, selector) { return /** @type {HTMLElement} */ (within.querySelector(selector)); }

  /** @param {Event} event */
  function targetOf(event) { return /** @type {HTMLInputElement} */ (event.target); }

  // ---- Rows -------------------------------------------------------------------------------------

  /** @type {Row[]} */
  var rows = [];
  /** @type {Record<string, Row>} */
  var byPrefix = {};

  /** @param {HTMLElement} element */
  function Row(element) {
    this.element = element;
    this.prefix = element.dataset.row || "";
    this.note = /** @type {HTMLElement | null} */ (document.querySelector('[data-note="' + this.prefix + '"]'));
    this.seen = /** @type {HTMLInputElement} */ (element.querySelector('[name="' + this.prefix + 'seen"]'));
    this.fields = /** @type {Field[]} */ (all("input:not([type=hidden]), select", element));
    this.state = "clean"; // clean, typed, refused, conflict
    this.saved = this.values();
    this.due = false; // to be sent as it is: complete, and not typed in since
    this.idle = 0;
    /** @type {Answer | null} */
    this.theirs = null;
  }

  Row.prototype.key = function () { return "trefoil scores " + this.prefix; };
  Row.prototype.card = function () { return this.element.closest("[data-card]"); };
  /** @param {Field} field */
  Row.prototype.short = function (field) { return field.name.slice(this.prefix.length); };

  Row.prototype.values = function () {
    var row = this;
    /** @type {Values} */
    var values = {};
    this.fields.forEach(function (field) { values[row.short(field)] = field.value.trim(); });
    return values;
  };

  /** @param {Values} values */
  Row.prototype.fill = function (values) {
    var row = this;
    this.fields.forEach(function (field) {
      var value = values[row.short(field)];
      if (value !== undefined && field.value !== value) field.value = value;
    });
    row.count();
  };

  Row.prototype.changed = function () { return JSON.stringify(this.values()) !== JSON.stringify(this.saved); };

  Row.prototype.complete = function () {
    return this.fields.every(function (field) {
      return !("needed" in field.dataset) || (field.value.trim() !== "" && field.value !== "?");
    });
  };

  // What a seat's bonuses and penalties come to stands beside the folded list of them; how many, where a card can't tell.
  Row.prototype.count = function () {
    all("details", this.element).forEach(function (details) {
      var fields = /** @type {HTMLInputElement[]} */ (all("input", details)), number = 0, sum = 0, known = true;
      fields.forEach(function (field) {
        var count = Number(field.value) || 0;
        number += count;
        sum += count * Number(field.dataset.each || 0);
        if (count && !field.dataset.each) known = false;
      });
      var told = known ? (sum < 0 ? "\u2212" : "+") + Math.abs(sum) : number + "\u00d7";
      one(details, "[data-counted]").textContent = number ? told : "\u00b1";
    });
  };

  /** @param {string} state @param {string[]=} sentences */
  Row.prototype.show = function (state, sentences) {
    this.state = state;
    /** @type {Values} */
    var words = { typed: "…", saving: "…", refused: "!", conflict: "!" };
    var mark = one(this.element, "[data-mark]");
    mark.textContent = words[state] || (this.element.dataset.state === "coming" ? "" : this.element.dataset.state === "agreed" ? "✓" : "?");
    mark.className = "mark " + state + " " + this.element.dataset.state;
    this.element.classList.toggle("wrong", state === "refused" || state === "conflict");
    if (!this.note) return;
    var place = /** @type {HTMLElement} */ (this.note.firstElementChild), row = this;
    place.textContent = "";
    // A question about what is saved; nothing is refused for it.
    var doubt = state === "clean" && this.note.dataset.doubt || "";
    this.note.classList.toggle("doubt", Boolean(doubt));
    (sentences || (doubt ? [doubt] : [])).forEach(function (sentence) {
      var line = document.createElement("p");
      line.textContent = sentence;
      place.appendChild(line);
    });
    if (state === "conflict") {
      place.appendChild(button(form.dataset.theirs || "", function () { row.keepTheirs(); }));
      place.appendChild(button(form.dataset.mine || "", function () { row.replaceByMine(); }));
    }
    this.note.hidden = !place.childNodes.length;
  };

  /** @param {string} title @param {() => void} act */
  function button(title, act) {
    var made = document.createElement("button");
    made.type = "button";
    made.className = "quiet small";
    made.textContent = title;
    made.addEventListener("click", act);
    return made;
  }

  Row.prototype.keepTheirs = function () {
    var answer = this.theirs;
    if (!answer) return;
    store.drop(this.key());
    this.state = "clean";
    this.settle(answer);
    this.fields[0].focus();
  };

  Row.prototype.replaceByMine = function () {
    if (!this.theirs) return;
    this.seen.value = this.theirs.seen;
    this.saved = this.theirs.values;
    this.touch();
    this.send();
    this.fields[0].focus();
  };

  // Something was typed: that is sent once the row is left, or after a pause.
  Row.prototype.typed = function () {
    this.due = false;
    this.touch();
  };

  // What is not saved is kept until the server has it.
  Row.prototype.touch = function () {
    var row = this;
    clearTimeout(this.idle);
    this.count();
    if (!this.changed()) {
      store.drop(this.key());
      this.unmark([]);
      this.show("clean");
      report();
      return;
    }
    store.keep(this.key(), { values: this.values(), seen: this.seen.value });
    this.show("typed");
    report();
    this.idle = setTimeout(function () { row.send(); }, PAUSE);
  };

  Row.prototype.send = function () {
    clearTimeout(this.idle);
    if (this.ready()) { this.due = true; flush(); }
  };

  Row.prototype.ready = function () { return this.state === "typed" && this.complete(); };

  /** @param {string[]} wrong */
  Row.prototype.unmark = function (wrong) {
    var row = this;
    this.fields.forEach(function (field) {
      if (wrong.indexOf(row.short(field)) < 0) field.removeAttribute("aria-invalid");
      else { field.setAttribute("aria-invalid", "true"); field.setAttribute("aria-describedby", row.prefix + "note"); }
    });
  };

  // The server's answer about a row that holds nothing unsaved.
  /** @param {Answer} answer */
  Row.prototype.settle = function (answer) {
    this.element.dataset.state = answer.state;
    if (this.note) this.note.dataset.doubt = answer.doubt || "";
    this.seen.value = answer.seen;
    this.saved = answer.values;
    this.fill(answer.values);
    this.saved = this.values();
    this.unmark([]);
    this.show("clean");
  };

  // ---- What the server says ---------------------------------------------------------------------

  /** @param {Card} card @param {Row | null} sent @param {string} typed */
  function take(card, sent, typed) {
    var section = document.querySelector('[data-card="' + card.key + '"]');
    if (!section) return;
    var strange = false;
    card.rows.forEach(function (/** @type {Answer} */ answer) {
      var row = byPrefix[answer.prefix];
      if (!row) { strange = true; return; }
      scores(row, answer);
      if (row === sent) answered(row, answer, typed);
      else if (row.state === "clean" && !row.changed()) row.settle(answer);
    });
    left(section, card.gone);
    foreseen(section, card);
    confirmable(section, card.confirm);
    numbers(section, card);
    var status = one(section, "[data-status]");
    status.textContent = card.status;
    status.className = "badge end " + (card.state === "done" ? "good" : card.state);
    var dispute = section.querySelector("[data-disputed]");
    if (dispute) dispute.hidden = !card.disputed;
    if (strange) addRows(section);
  }

  // All tables are decided: when the round will be closed, and a button to close it now.
  /** @param {Closing | null} closing */
  function closes(closing) {
    var place = document.querySelector("[data-closing]");
    if (!place) return;
    place.hidden = !closing;
    if (!closing) return;
    var said = one(place, "[data-closing-text]"), countdown = one(place, "[data-countdown]");
    if (said.textContent !== closing.text) said.textContent = closing.text;
    /** @type {HTMLInputElement} */ (place.querySelector("[name=seq]")).value = String(closing.seq);
    countdown.dataset.countdown = String(closing.seconds || "");
  }

  // Seats that have left the game need no scores any more.
  /** @param {HTMLElement} section @param {Record<string, string>} gone */
  function left(section, gone) {
    all("[data-gone]", section).forEach(function (badge, seat) {
      badge.textContent = gone[seat] || "";
      badge.hidden = !gone[seat];
    });
    all("[data-row] input", section).forEach(function (field) {
      var seat = /\.(?:line|score)-(\d+)(?:-|$)/.exec(/** @type {HTMLInputElement} */ (field).name);
      if (seat && gone[seat[1]]) field.removeAttribute("data-needed");
    });
  }

  // Rounds that the page foresaw, and that are not played because the game has ended; of a table whose result
  // was set, all rounds.
  /** @param {HTMLElement} section @param {Card} card */
  function foreseen(section, card) {
    var played = card.rows.map(function (/** @type {Answer} */ answer) { return answer.prefix; });
    rows.forEach(function (row) {
      if (row.element.closest("[data-card]") !== section || row.element.tagName !== "TR") return;
      var idle = card.decided || (row.element.dataset.state === "coming" && row.state === "clean");
      row.element.hidden = played.indexOf(row.prefix) < 0 && idle;
      if (row.note && row.element.hidden) row.note.hidden = true;
    });
  }

  /** @param {HTMLElement} section @param {Confirm | null} confirm */
  function confirmable(section, confirm) {
    var place = one(section, "[data-confirm]"), title = /** @type {HTMLButtonElement} */ (place.querySelector("button"));
    place.hidden = !confirm;
    if (confirm) { title.value = confirm.value; title.textContent = confirm.title; }
  }

  // Rows that were refused because of a round before them may be right now.
  /** @param {HTMLElement | null} card */
  function again(card) {
    rows.forEach(function (row) {
      if (row.card() === card && row.state === "refused" && row.changed()) { row.state = "typed"; row.due = true; }
    });
  }

  /** @param {Row} row @param {Answer} answer @param {string} typed */
  function answered(row, answer, typed) {
    var still = JSON.stringify(row.values()) === typed;
    if (answer.wrong.length) {
      row.theirs = answer;
      if (still) { row.unmark(answer.marked); row.show(answer.conflict ? "conflict" : "refused", answer.wrong); }
      return;
    }
    again(row.card());
    if (still) { store.drop(row.key()); row.state = "clean"; row.settle(answer); return; }
    // More was typed while it was sent: that corrects what is saved now.
    row.element.dataset.state = answer.state;
    row.seen.value = answer.seen;
    row.saved = answer.values;
    row.touch();
  }

  /** @param {number | null | undefined} number */
  function minus(number) { return number == null ? "" : String(number).replace("-", "−"); }

  /** @param {Row} row @param {Answer} answer */
  function scores(row, answer) {
    all("[data-score]", row.element).forEach(function (place, seat) {
      place.textContent = answer.scores.length ? minus(answer.scores[seat]) : "";
    });
  }

  /** @param {HTMLElement} section @param {Card} card */
  function numbers(section, card) {
    all("[data-total]", section).forEach(function (place, seat) { place.textContent = minus(card.totals[seat]); });
    all("[data-place]", section).forEach(function (place, seat) { place.textContent = card.places[seat] || ""; });
  }

  // A card that goes on longer than the page foresaw: its new rows come with the page.
  /** @param {HTMLElement} section */
  function addRows(section) {
    fetch(location.href, { credentials: "same-origin", headers: { Accept: "text/html" } }).then(function (answer) { return answer.text(); }).then(function (html) {
      var fresh = new DOMParser().parseFromString(html, "text/html").getElementById(section.id);
      var body = one(section, "tbody");
      if (fresh) all("tbody > tr", fresh).forEach(function (line) {
        var known = line.dataset.row ? byPrefix[line.dataset.row] : document.querySelector('[data-note="' + line.dataset.note + '"]');
        if (!known) body.appendChild(document.importNode(line, true));
      });
      adopt();
    }).catch(function () { /* the next answer brings them */ });
  }

  // ---- The queue --------------------------------------------------------------------------------

  // The next row to send: the rounds of a card in order.
  function next() {
    return rows.filter(function (row) {
      return row.due && row.state === "typed" && !rows.some(function (other) {
        return other !== row && other.card() === row.card() && rows.indexOf(other) < rows.indexOf(row) &&
          other.element.dataset.state === "coming" && other.prefix.slice(-3) !== ".0." && other.due;
      });
    })[0];
  }

  function flush() {
    if (sending) return;
    var row = next();
    if (!row) { report(); return; }
    clearTimeout(timer);
    row.due = false; // What is typed from here on makes it due again.
    var typed = JSON.stringify(row.values());
    var body = new URLSearchParams();
    body.append("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
    body.append(row.seen.name, row.seen.value);
    row.fields.forEach(function (/** @type {Field} */ field) { body.append(field.name, field.value); });
    sending = row;
    report();
    ask({ method: "POST", body: body }).then(function (answer) {
      sending = null;
      failures = 0;
      trouble = "";
      answer.cards.forEach(function (/** @type {Card} */ card) { take(card, row, typed); });
      if (!isIn(answer.cards, row)) row.show("refused", [form.dataset.gone || ""]);
      closes(answer.closing);
      // The server takes a moment to see that a saved row was the last one.
      clearTimeout(soon);
      soon = setTimeout(news, SOON);
      flush();
    }, function (error) {
      sending = null;
      row.due = row.ready();
      trouble = error.login ? "login" : "offline";
      timer = setTimeout(flush, RETRIES[Math.min(failures, RETRIES.length - 1)]);
      failures += 1;
      report();
    });
  }

  // Whether the server still has a row: a card that is closed meanwhile has none.
  /** @param {Card[]} cards @param {Row} row */
  function isIn(cards, row) {
    return cards.some(function (card) {
      return card.rows.some(function (answer) { return answer.prefix === row.prefix; });
    });
  }

  /** @param {RequestInit} options */
  function ask(options) {
    options.credentials = "same-origin";
    options.headers = { Accept: "application/json" };
    return fetch(location.href, options).then(function (answer) {
      var json = (answer.headers.get("Content-Type") || "").indexOf("application/json") === 0;
      if (answer.ok && json) return answer.json();
      throw { login: answer.redirected || answer.status === 401 || answer.status === 403 };
    });
  }

  function report() {
    var place = one(document, "[data-save-state]"), words = form.dataset;
    var states = rows.map(function (row) { return row.state; });
    var typed = rows.filter(function (row) { return row.state === "typed"; });
    var says = "saved";
    if (trouble && typed.length) says = trouble;
    else if (sending || typed.some(function (row) { return row.complete(); })) says = "saving";
    else if (states.indexOf("refused") >= 0 || states.indexOf("conflict") >= 0) says = "refused";
    else if (typed.length) says = "partial";
    place.className = "save-state " + says;
    if (place.textContent !== words[says]) place.textContent = words[says] || "";
    if (leaving && says === "saved") location.href = leaving;
    var close = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-closing] button"));
    if (close) {
      close.disabled = says !== "saved";
      one(document, "[data-closing-waits]").hidden = !close.disabled;
    }
  }

  // ---- The keyboard -----------------------------------------------------------------------------

  function reachable() {
    var fields = all("[data-row] input:not([type=hidden]):not(:disabled), [data-row] select:not(:disabled)", form);
    return /** @type {Field[]} */ (fields.filter(function (field) {
      return field.offsetParent && !field.closest("details:not([open])");
    }));
  }

  /** @param {Field} field */
  function go(field) {
    field.focus();
    if (field instanceof HTMLInputElement) field.select();
  }

  /** @param {Element} element @returns {Row | undefined} */
  function rowOf(element) {
    var line = element.closest("[data-row]");
    return line ? byPrefix[String(line.dataset.row)] : undefined;
  }

  /** @param {Field} field @param {number} step */
  function beside(field, step) {
    var row = rowOf(field);
    if (!row) return null;
    var card = row.card(), position = row.fields.indexOf(field);
    var lines = rows.filter(function (each) { return each.card() === card; });
    var other = lines[lines.indexOf(row) + step];
    return other && other.fields[position];
  }

  // Enter in the last field goes on to the next sheet of a big round, as soon as all of this one is saved.
  /** @param {string} rel */
  function turn(rel) {
    var link = sheets && /** @type {HTMLAnchorElement | null} */ (sheets.querySelector("[rel=" + rel + "]"));
    if (link) { leaving = link.href + (rel === "prev" ? "#end" : ""); report(); }
  }

  form.addEventListener("keydown", function (event) {
    var field = targetOf(event), row = rowOf(field), within = field.parentElement;
    if (!row || !within || !field.name) return;
    if (event.key === "Enter") {
      event.preventDefault();
      var fields = reachable(), to = fields[fields.indexOf(field) + (event.shiftKey ? -1 : 1)];
      // To leave the row sends it: within it, numbers on the way to those that are meant are not sent.
      if (to) go(to);
      else { row.send(); turn(event.shiftKey ? "prev" : "next"); }
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && field.tagName === "INPUT") {
      var target = beside(field, event.key === "ArrowDown" ? 1 : -1);
      if (target) { event.preventDefault(); go(target); }
    } else if (event.key === "+" && within.classList.contains("cell")) {
      var details = within.querySelector("details"), first = details && details.querySelector("input");
      if (details && first) { event.preventDefault(); details.open = true; go(first); }
    } else if (event.key === "Escape") {
      var list = /** @type {HTMLDetailsElement | null} */ (field.closest("details.adjust"));
      if (!list) return;
      list.open = false;
      go(/** @type {Field} */ (one(/** @type {Element} */ (field.closest(".cell")), "input")));
    }
  });

  form.addEventListener("click", function (event) {
    var done = targetOf(event), list = done.closest("details.adjust");
    if (!list || !("close" in done.dataset)) return;
    /** @type {HTMLDetailsElement} */ (list).open = false;
    go(/** @type {Field} */ (one(/** @type {Element} */ (list.closest(".cell")), "input")));
  });

  /** @param {Event} event */
  function touched(event) {
    var row = rowOf(targetOf(event));
    if (row) row.typed();
  }

  form.addEventListener("input", function (event) {
    leaving = "";
    touched(event);
  });

  form.addEventListener("change", touched);

  // A row that the focus leaves is sent at once.
  form.addEventListener("focusout", function (event) {
    var row = rowOf(targetOf(event));
    if (row && !row.element.contains(/** @type {Node | null} */ (event.relatedTarget))) row.send();
  });

  // The list of bonuses and penalties closes when the focus leaves it.
  form.addEventListener("focusout", function (event) {
    const list = /** @type {HTMLDetailsElement | null} */ (targetOf(event).closest("details.adjust"));
    if (!list || list.contains(/** @type {Node | null} */ (event.relatedTarget))) return;
    setTimeout(function () { if (!list.contains(document.activeElement)) list.open = false; }, 150);
  });

  addEventListener("online", function () { failures = 0; flush(); });

  // What others write is shown in rows that hold nothing unsaved.
  function news() {
    if (document.hidden || sending) return;
    ask({}).then(function (answer) {
      trouble = "";
      answer.cards.forEach(function (/** @type {Card} */ card) { take(card, null, ""); });
      closes(answer.closing);
      flush();
    }, function () { /* the next time */ });
  }

  setInterval(news, POLL);

  // ---- The start --------------------------------------------------------------------------------

  function adopt() {
    all("[data-row]", form).forEach(function (element) {
      if (rowOf(element)) return;
      var row = new Row(element);
      byPrefix[row.prefix] = row;
      rows.push(row);
      all(".scripted", element).forEach(function (part) { part.hidden = false; });
      row.count();
      if (!element.classList.contains("wrong")) row.show("clean");
    });
    // The order of the page, in which rounds are sent and Enter goes.
    rows.sort(function (one, other) {
      return one.element.compareDocumentPosition(other.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
    });
  }

  // What an earlier visit could not save is typed in again; the server says if it has changed meanwhile.
  /** @param {Row} row */
  function restore(row) {
    var kept = store.getKept(row.key());
    if (!kept || row.fields.some(function (/** @type {Field} */ field) { return field.disabled; })) return;
    row.fill(kept.values);
    if (!row.changed()) { store.drop(row.key()); return; }
    row.seen.value = kept.seen;
    row.touch();
    row.send();
  }

  form.classList.add("live");
  all(".scripted", form.parentElement || form).forEach(function (part) { part.hidden = false; });
  all(".unscripted", form).forEach(function (part) { part.hidden = true; });
  adopt();
  rows.forEach(restore);
  report();

  // On a computer typing begins at the first empty field.
  var fields = reachable(), empty = fields.filter(function (field) { return "needed" in field.dataset && (!field.value || field.value === "?"); });
  var first = location.hash === "#end" ? fields[fields.length - 1] : empty[0] || (sheets && fields[0]);
  if (first && window.matchMedia("(hover: hover)").matches && (!document.activeElement || document.activeElement === document.body)) go(first);
})();
