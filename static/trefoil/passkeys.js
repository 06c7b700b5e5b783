// Makes a passkey, or logs in with one: asks the server for a question, lets the browser answer it, and sends the
// answer in the form. Where the server first asks who is there, the form is sent without. Without passkeys in the browser the form stays hidden.
"use strict";

(function () {
  if (!window.PublicKeyCredential || !window.fetch || !navigator.credentials) return;

  /** @param {string} text */
  function bytes(text) {
    const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(plain, (each) => each.charCodeAt(0));
  }

  /** @param {ArrayBuffer} buffer */
  function written(buffer) {
    const plain = Array.from(new Uint8Array(buffer), (each) => String.fromCharCode(each)).join("");
    return btoa(plain).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  }

  /** @param {any} options */
  function asked(options) {
    options.challenge = bytes(options.challenge);
    if (options.user) options.user.id = bytes(options.user.id);
    ["excludeCredentials", "allowCredentials"].forEach((list) => {
      (options[list] || []).forEach((/** @type {{ id: any }} */ each) => { each.id = bytes(each.id); });
    });
    return { publicKey: options };
  }

  /** @param {any} credential */
  function answered(credential) {
    /** @type {Record<string, string>} */
    const response = {};
    ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"].forEach((part) => {
      if (credential.response[part]) response[part] = written(credential.response[part]);
    });
    return JSON.stringify({
      id: credential.id,
      rawId: written(credential.rawId),
      type: credential.type,
      response: response,
      clientExtensionResults: {},
    });
  }

  /** @param {HTMLFormElement} form */
  function send(form) {
    const token = form.elements.csrfmiddlewaretoken.value;
    const failed = /** @type {HTMLElement} */ (form.querySelector("[data-failed]"));
    const act = form.dataset.passkey === "create" ? "create" : "get";
    const take = (/** @type {any} */ options) => navigator.credentials[act](asked(options)).then((credential) => {
      /** @type {HTMLInputElement} */ (form.querySelector("[data-answer]")).value = answered(credential);
      form.submit();
    });
    failed.hidden = true;
    fetch(form.dataset.question || "", { method: "POST", headers: { "X-CSRFToken": token }, credentials: "same-origin" })
      .then((answer) => (answer.ok ? answer.json().then(take) : answer.status === 403 ? form.submit() : Promise.reject(answer)))
      .catch(() => { failed.hidden = false; });
  }

  /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("[data-passkey]")).forEach((form) => {
    form.hidden = false;
    form.addEventListener("submit", (event) => { event.preventDefault(); send(form); });
  });
  document.querySelectorAll("[data-without]").forEach((line) => { line.hidden = true; });
})();
