// Turns notifications on and off in this browser.
//
// A page with a part `data-without` says where that can't be; another one shows nothing there.
"use strict";

(() => {
  const part = /** @type {HTMLElement} */ (document.querySelector("[data-push]"));
  const workers = navigator.serviceWorker;
  if (!part || !part.dataset.push || !workers || !window.PushManager || !window.Notification) return;
  const form = /** @type {HTMLFormElement} */ (part.querySelector("form"));
  const [on, off] = ["on", "off"].map((name) => /** @type {HTMLButtonElement} */ (part.querySelector(`[data-do=${name}]`)));
  const failed = /** @type {HTMLElement} */ (part.querySelector("[data-failed]"));
  const without = /** @type {HTMLElement | null} */ (part.querySelector("[data-without]"));
  if (!without && Notification.permission === "denied") return;
  const key = bytes(String(part.dataset.push));

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
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)));
  }

  /** @param {string} text */
  function bytes(text) {
    return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
  }

  /** @param {PushManager} manager */
  function drop(manager) {
    return manager.getSubscription().then((subscription) => subscription && subscription.unsubscribe());
  }

  /** @param {PushManager} manager */
  function held(manager) {
    const ours = (/** @type {PushSubscription | null} */ had) => (
      had && String(new Uint8Array(had.options.applicationServerKey || [])) === String(key) ? had : null
    );
    // One that was made with another key of the server is of no use.
    return manager.getSubscription().then((had) => (
      ours(had) || drop(manager).then(() => manager.subscribe({ userVisibleOnly: true, applicationServerKey: key }))
    ));
  }

  function subscribe() {
    return Notification.requestPermission()
      .then((permission) => (permission === "granted" ? null : Promise.reject(permission)))
      .then(() => workers.register(String(part.dataset.worker)))
      .then(() => workers.ready)
      .then(({ pushManager }) => held(pushManager))
      .then((made) => tell(made.endpoint))
      .then(() => show(true));
  }

  function unsubscribe() {
    return tell("")
      // What else this browser is told of comes to the same address.
      .then(({ told }) => (told ? null : workers.getRegistration()))
      .then((registration) => registration && drop(registration.pushManager))
      .then(() => show(false));
  }

  const refused = () => { failed.hidden = false; };
  on.addEventListener("click", () => { subscribe().catch(refused); });
  off.addEventListener("click", () => { unsubscribe().catch(refused); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  part.hidden = false;
  if (without) without.hidden = true;
  show(part.dataset.subscribed === "1");
})();
