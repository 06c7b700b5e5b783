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
  async function tell(endpoint) {
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    body.set("endpoint", endpoint);
    const answer = await fetch(form.action, { method: "POST", body, credentials: "same-origin" });
    if (!answer.ok) throw new Error(String(answer.status));
  }

  /** @param {string} text */
  function bytes(text) {
    return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
  }

  async function subscribe() {
    if (await Notification.requestPermission() !== "granted") throw new Error("denied");
    await workers.register(String(part.dataset.worker));
    const { pushManager } = await workers.ready;
    const options = { userVisibleOnly: true, applicationServerKey: bytes(String(part.dataset.push)) };
    const before = await pushManager.getSubscription();
    // One that was made with another key of the server is of no use.
    const made = await pushManager.subscribe(options).catch(async (error) => {
      if (!before) throw error;
      await before.unsubscribe();
      return pushManager.subscribe(options);
    });
    await tell(made.endpoint);
    show(true);
  }

  async function unsubscribe() {
    await tell("");
    const subscription = await (await workers.ready).pushManager.getSubscription();
    if (subscription) await subscription.unsubscribe();
    show(false);
  }

  const refused = () => { failed.hidden = false; };
  on.addEventListener("click", () => { subscribe().catch(refused); });
  off.addEventListener("click", () => { unsubscribe().catch(refused); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  (/** @type {HTMLElement} */ (part.querySelector("[data-without]"))).hidden = true;
  show(part.dataset.subscribed === "1");
})();
