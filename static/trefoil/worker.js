// The service worker: shows a page while the device is offline.
//
// It keeps nothing but that page, which is fetched without cookies in the reader's language, and its style and mark.
// All other requests go past it. Its addresses are given by the server (templates/worker.txt).
"use strict";

(() => {
  const worker = /** @type {any} */ (self);
  /** @type {{ offline: string, kept: string[], language: string }} */
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
})();
