// Makes the site an app that can be installed, with a page for when it is offline. Needs an address with https.
"use strict";

// Whoever has logged out has no tables that wait.
addEventListener("DOMContentLoaded", () => {
  const app = /** @type {any} */ (navigator);
  if (app.clearAppBadge && !document.querySelector("[data-tables]")) app.clearAppBadge().catch(() => {});
});

(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  if (location.protocol !== "https:" || !navigator.serviceWorker) return;
  navigator.serviceWorker.register(String(script.dataset.worker)).catch(() => {});
})();
