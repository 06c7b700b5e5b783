// The service worker: shows a page while the device is offline, and that it is the reader's turn.
//
// It keeps nothing but that page, which is fetched without cookies, and its style and mark. All other requests go
// past it. Its texts and addresses are given by the server (league/web/push.py).
"use strict";

(() => {
  const worker = /** @type {any} */ (self);
  /** @type {{ title: string, turn: string, tables: string, offline: string, kept: string[], icon: string }} */
  const given = worker.given;
  const CACHE = "offline";

  async function keep() {
    const cache = await caches.open(CACHE);
    await Promise.all([given.offline, ...given.kept].map(async (address) => {
      const answer = await fetch(address, { credentials: "omit", cache: "no-cache" });
      if (answer.ok) await cache.put(address, answer);
    }));
  }

  worker.addEventListener("install", (/** @type {any} */ event) => {
    event.waitUntil(keep().then(() => worker.skipWaiting()));
  });

  worker.addEventListener("activate", (/** @type {any} */ event) => {
    event.waitUntil(worker.clients.claim());
  });

  /** @param {Request} request @param {string} address */
  async function fetched(request, address) {
    try {
      return await fetch(request);
    } catch (error) {
      const kept = await caches.match(address);
      if (kept) return kept;
      throw error;
    }
  }

  worker.addEventListener("fetch", (/** @type {any} */ event) => {
    /** @type {Request} */
    const request = event.request;
    if (request.method !== "GET") return;
    const { origin, pathname, search } = new URL(request.url);
    const address = pathname + search;
    if (request.mode === "navigate") event.respondWith(fetched(request, given.offline));
    else if (origin === worker.location.origin && given.kept.includes(address)) event.respondWith(fetched(request, address));
  });

  // ---- Your turn

  async function windows() {
    return worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  }

  worker.addEventListener("push", (/** @type {any} */ event) => {
    event.waitUntil(windows().then((open) => {
      // Whoever looks at a page of the site sees it there.
      if (open.some((/** @type {any} */ page) => page.visibilityState === "visible")) return null;
      return worker.registration.showNotification(given.title, { body: given.turn, icon: given.icon, tag: "turn" });
    }));
  });

  worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
    event.notification.close();
    event.waitUntil(windows().then((open) => {
      const page = open[0];
      return page ? page.focus().then(() => page.navigate(given.tables)) : worker.clients.openWindow(given.tables);
    }));
  });
})();
