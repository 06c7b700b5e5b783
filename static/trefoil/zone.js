// Offers the time zone of this device to a reader who sees times in another one.
"use strict";

(() => {
  const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-zones]"));
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // A browser that hides where it is says UTC.
  if (!form || !zone || zone === "UTC" || String(form.dataset.zones).split(" ").every((shown) => shown === zone)) return;
  (/** @type {HTMLInputElement} */ (form.elements.namedItem("timezone"))).value = zone;
  (/** @type {HTMLElement} */ (form.querySelector("strong"))).textContent = zone.replace(/_/g, " ");
  form.hidden = false;
})();
