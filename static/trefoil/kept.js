// What is typed and not saved yet, kept in this browser: it outlives a reload, a lost connection and a log-out.
"use strict";

(function () {
  window.keptHere = {
    get: function (key) { try { return JSON.parse(localStorage.getItem(key) || "null"); } catch (_error) { return null; } },
    set: function (key, value) { try { localStorage.setItem(key, JSON.stringify(value)); } catch (_error) { /* private mode: the page itself still holds it */ } },
    drop: function (key) { try { localStorage.removeItem(key); } catch (_error) { /* as above */ } },
  };
})();
