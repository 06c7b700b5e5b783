// A stream of events that is begun anew where nothing comes of it for longer than two signs of life.
//
// After a sleep, or where the network was cut, a connection may look open to which nobody writes any more.
const SILENCE = 35000;

/**
 * Calls `lost` once when nothing has come of a stream for too long, or it was refused, and closes it before.
 * @param {EventSource} stream @param {string[]} names of the events that are expected @param {() => void} lost
 */
export function watch(stream, names, lost) {
  let end = 0;
  function silent() {
    stream.close();
    lost();
  }
  function heard() {
    clearTimeout(end);
    end = setTimeout(silent, SILENCE);
  }
  for (const name of ["open", "alive", ...names]) stream.addEventListener(name, heard);
  heard();
}

/** Returns the address of a stream that tells that it is alive. @param {string} address */
export const alive = (address) => `${address}${address.includes("?") ? "&" : "?"}alive=true`;
