// Requests that end: one that is not answered in time is given up and counts as failed.

const LONGEST = 20000; // milliseconds; a server that can be reached answers sooner

/** @type {Set<(name: string) => void>} */
const open = new Set();

/**
 * Sends a request and returns what `read` makes of the answer. Rejects with a TimeoutError where the whole answer has
 * not come in time, otherwise as `fetch` and `read` do.
 * @template Read
 * @param {string} address @param {(answer: Response) => Read | Promise<Read>} read @param {RequestInit=} options
 * @returns {Promise<Read>}
 */
export function request(address, read, options) {
  return new Promise((resolve, reject) => {
    const control = new AbortController();
    // In older browsers fetch does not listen to the signal.
    const giveUp = (/** @type {string} */ name) => {
      reject(new DOMException("No answer", name));
      control.abort();
    };
    const limit = setTimeout(giveUp, LONGEST, "TimeoutError");
    open.add(giveUp);
    fetch(address, Object.assign({ credentials: "same-origin", signal: control.signal }, options))
      .then(read)
      .then(resolve, reject)
      .then(() => { clearTimeout(limit); open.delete(giveUp); });
  });
}

/** Returns the text of an answer; rejects with its status where it is none. @param {Response} answer */
export const textOf = (answer) => (answer.ok ? answer.text() : Promise.reject(answer.status));

/** Returns the data of an answer; rejects with its status where it is none. @param {Response} answer */
export const dataOf = (answer) => (answer.ok ? answer.json() : Promise.reject(answer.status));

/** Asks for a page, or parts of one, and returns its HTML. @param {string} address */
export const htmlOf = (address) => request(address, textOf, { headers: { Accept: "text/html" } });

/** Returns whether a request failed because no answer came in time. @param {unknown} reason */
export const isTimeout = (reason) => reason instanceof DOMException && reason.name === "TimeoutError";

/** Gives up all requests on their way, which fail. */
export const giveUpAll = () => open.forEach((giveUp) => giveUp("AbortError"));

/** Returns the token of the session that there is now: who has logged in again since the page came has another. @param {HTMLFormElement} form */
export function tokenFor(form) {
  const given = /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie);
  return given ? given[1] : form.elements.csrfmiddlewaretoken.value;
}
