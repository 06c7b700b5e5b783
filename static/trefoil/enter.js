// The link of a printed QR code ends with "#" and a code, which browsers don't send: this fills it in, and sends the form
// where the code is as long as those that it sends at once.
"use strict";

(() => {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("[data-code-form]"));
  const field = form && /** @type {HTMLInputElement | null} */ (form.querySelector("[data-code]"));

  function send() {
    const code = location.hash.slice(1);
    if (!form || !field || !/^[0-9a-z-]{8,14}$/i.test(code)) return;
    history.replaceState(null, "", location.pathname);
    field.value = code;
    if (code.length === Number(form.dataset.codeForm)) form.submit();
  }

  addEventListener("hashchange", send);
  send();
})();
