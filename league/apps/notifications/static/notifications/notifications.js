// The service worker's part for notifications: that it is the reader's turn, or a challenge.
//
// Its texts and addresses are given by the server (league/apps/notifications/templates/notices/at_worker.html).
"use strict";

(() => {
  const worker = /** @type {any} */ (self);
  /** @type {{ title: string, turn: string, words: string, tables: string, icon: string }} */
  const told = worker.told;

  function windows() {
    return worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  }

  worker.addEventListener("push", (/** @type {any} */ event) => {
    // Also while a page of the site is in view: Safari takes the permission from who shows nothing.
    // The message has no content: the server says what it is about.
    const words = fetch(told.words, { credentials: "same-origin", cache: "no-store" })
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
      .then(({ body }) => body, () => told.turn);
    event.waitUntil(words.then((/** @type {string} */ body) => (
      worker.registration.showNotification(told.title, { body, icon: told.icon, tag: "turn" })
    )));
  });

  worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
    event.notification.close();
    event.waitUntil(windows().then((/** @type {any[]} */ open) => {
      const page = open[0];
      return page ? page.focus().then(() => page.navigate(told.tables)) : worker.clients.openWindow(told.tables);
    }));
  });
})();
