// The service worker: shows a page while the device is offline, and that it is the reader's turn, or a challenge.
//
// It keeps nothing but that page, which is fetched without cookies in the reader's language, and its style and mark.
// All other requests go past it. Its texts and addresses are given by the server (league/web/push.py).
"use strict";

(() => {
  const worker = /** @type {any} */ (self);
  /** @type {{ title: string, turn: string, told: string, tables: string, offline: string, kept: string[], icon: string, language: string }} */
  const given = worker.given;
  const CACHE = "offline";

  function keep() {
    const kept = [given.offline].concat(given.kept);
    return caches.open(CACHE).then((cache) => Promise.all(kept.map((address) => (
      fetch(address, { credentials: "omit", cache: "no-cache", headers: { "Accept-Language": given.language } })
        .then((answer) => (answer.ok ? cache.put(address, answer) : null))
    ))));
  }

  worker.addEventListener("install", (/** @type {any} */ event) => {
    event.waitUntil(keep().then(() => worker.skipWaiting()));
  });

  worker.addEventListener("activate", (/** @type {any} */ event) => {
    event.waitUntil(worker.clients.claim());
  });

  /** @param {Request} request @param {string} address */
  function fetched(request, address) {
    return fetch(request)
      .catch((error) => caches.match(address).then((kept) => kept || Promise.reject(error)));
  }

  worker.addEventListener("fetch", (/** @type {any} */ event) => {
    /** @type {Request} */
    const request = event.request;
    if (request.method !== "GET") return;
    const url = new URL(request.url);
    const address = url.pathname + url.search;
    if (request.mode === "navigate") event.respondWith(fetched(request, given.offline));
    else if (url.origin === worker.location.origin && given.kept.indexOf(address) >= 0) event.respondWith(fetched(request, address));
  });

  // ---- Your turn

  function windows() {
    return worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  }

  worker.addEventListener("push", (/** @type {any} */ event) => {
    // Also while a page of the site is in view: Safari takes the permission from who shows nothing.
    // The message has no content: the server says what it is about.
    const words = fetch(given.told, { credentials: "same-origin", cache: "no-store" })
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
      .then(({ body }) => body, () => given.turn);
    event.waitUntil(words.then((/** @type {string} */ body) => (
      worker.registration.showNotification(given.title, { body, icon: given.icon, tag: "turn" })
    )));
  });

  worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
    event.notification.close();
    event.waitUntil(windows().then((/** @type {any[]} */ open) => {
      const page = open[0];
      return page ? page.focus().then(() => page.navigate(given.tables)) : worker.clients.openWindow(given.tables);
    }));
  });
})();
