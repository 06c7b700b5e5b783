// Turns notifications about the reader's turn on and off in this browser.
"use strict";

(() => {
  const part = /** @type {HTMLElement} */ (document.querySelector("[data-push]"));
  const workers = navigator.serviceWorker;
  if (!part || !part.dataset.push || !workers || !window.PushManager || !window.Notification) return;
  const form = /** @type {HTMLFormElement} */ (part.querySelector("form"));
  const [on, off] = ["on", "off"].map((name) => /** @type {HTMLButtonElement} */ (part.querySelector(`[data-do=${name}]`)));
  const failed = /** @type {HTMLElement} */ (part.querySelector("[data-failed]"));

  /** @param {boolean} subscribed */
  function show(subscribed) {
    on.hidden = subscribed;
    off.hidden = !subscribed;
    failed.hidden = true;
  }

  /** @param {string} endpoint */
  function tell(endpoint) {
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    body.set("endpoint", endpoint);
    return fetch(form.action, { method: "POST", body, credentials: "same-origin" })
      .then((answer) => (answer.ok ? null : Promise.reject(answer.status)));
  }

  /** @param {string} text */
  function bytes(text) {
    return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
  }

  /** @param {PushManager} manager */
  function drop(manager) {
    return manager.getSubscription().then((subscription) => subscription && subscription.unsubscribe());
  }

  function subscribe() {
    const options = { userVisibleOnly: true, applicationServerKey: bytes(String(part.dataset.push)) };
    return Notification.requestPermission()
      .then((permission) => (permission === "granted" ? null : Promise.reject(permission)))
      .then(() => workers.register(String(part.dataset.worker)))
      .then(() => workers.ready)
      // One that was made with another key of the server is of no use.
      .then(({ pushManager }) => drop(pushManager).then(() => pushManager.subscribe(options)))
      .then((made) => tell(made.endpoint))
      .then(() => show(true));
  }

  function unsubscribe() {
    return tell("")
      .then(() => workers.getRegistration())
      .then((registration) => registration && drop(registration.pushManager))
      .then(() => show(false));
  }

  const refused = () => { failed.hidden = false; };
  on.addEventListener("click", () => { subscribe().catch(refused); });
  off.addEventListener("click", () => { unsubscribe().catch(refused); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  (/** @type {HTMLElement} */ (part.querySelector("[data-without]"))).hidden = true;
  show(part.dataset.subscribed === "1");
})();
