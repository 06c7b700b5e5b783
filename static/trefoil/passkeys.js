// Makes a passkey, or logs in with one: asks the server for a question, lets the browser answer it, and sends the
// answer in the form. Without passkeys in the browser the form stays hidden.
"use strict";

(function () {
  if (!window.PublicKeyCredential || !window.fetch || !navigator.credentials) return;

  function bytes(text) {
    const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(plain, (each) => each.charCodeAt(0));
  }

  function written(buffer) {
    const plain = Array.from(new Uint8Array(buffer), (each) => String.fromCharCode(each)).join("");
    return btoa(plain).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  }

  function asked(options) {
    options.challenge = bytes(options.challenge);
    if (options.user) options.user.id = bytes(options.user.id);
    ["excludeCredentials", "allowCredentials"].forEach((list) => {
      (options[list] || []).forEach((each) => { each.id = bytes(each.id); });
    });
    return { publicKey: options };
  }

  function answered(credential) {
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

  function send(form) {
    const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
    const failed = form.querySelector("[data-failed]");
    failed.hidden = true;
    fetch(form.dataset.question, { method: "POST", headers: { "X-CSRFToken": token }, credentials: "same-origin" })
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer)))
      .then((options) => navigator.credentials[form.dataset.passkey](asked(options)))
      .then((credential) => {
        form.querySelector("[name=answer]").value = answered(credential);
        form.submit();
      })
      .catch(() => { failed.hidden = false; });
  }

  document.querySelectorAll("[data-passkey]").forEach((form) => {
    form.hidden = false;
    form.addEventListener("submit", (event) => { event.preventDefault(); send(form); });
  });
  document.querySelectorAll("[data-without]").forEach((line) => { line.hidden = true; });
})();
