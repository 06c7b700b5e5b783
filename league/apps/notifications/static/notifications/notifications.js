// The service worker's part for notifications: what the server has for the reader.
//
// Its texts and addresses are given by the server (league/apps/notifications/templates/notifications/at_worker.html).
"use strict";

(() => {
  const worker = /** @type {any} */ (self);
  /** @type {{ title: string, news: string, words: string, path: string, icon: string }} */
  const told = worker.told;

  function windows() {
    return worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  }

  worker.addEventListener("push", (/** @type {any} */ event) => {
    // Also while a page of the site is in view: Safari takes the permission from who shows nothing.
    // The message has no content: the server says what it is about.
    const words = fetch(told.words, { credentials: "same-origin", cache: "no-store" })
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
      .catch(() => ({ body: told.news, path: told.path }));
    event.waitUntil(words.then((/** @type {{ body: string, path: string }} */ { body, path }) => (
      worker.registration.showNotification(told.title, { body, icon: told.icon, tag: "turn", data: path })
    )));
  });

  worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
    const path = event.notification.data;
    event.notification.close();
    event.waitUntil(windows().then((/** @type {any[]} */ open) => {
      const page = open[0];
      return page ? page.focus().then(() => page.navigate(path)) : worker.clients.openWindow(path);
    }));
  });
})();
