// Requests that end: one that is not answered in time is given up and counts as failed.

const LONGEST = 20000; // milliseconds; a server that can be reached answers sooner

/** @type {Set<AbortController>} */
const open = new Set();

/**
 * Sends a request and returns what `read` makes of the answer. Rejects with a TimeoutError where the whole answer has
 * not come in time, otherwise as `fetch` and `read` do.
 * @template Read
 * @param {string} address @param {(answer: Response) => Read | Promise<Read>} read @param {RequestInit=} options
 * @returns {Promise<Read>}
 */
export function request(address, read, options) {
  const control = new AbortController();
  const limit = setTimeout(() => control.abort(new DOMException("No answer in time", "TimeoutError")), LONGEST);
  open.add(control);
  return fetch(address, Object.assign({ credentials: "same-origin", signal: control.signal }, options))
    .then(read)
    .finally(() => { clearTimeout(limit); open.delete(control); });
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
export const giveUpAll = () => open.forEach((control) => control.abort());
