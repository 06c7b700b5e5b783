// Stands in the page itself, behind its table: lays it out before it is painted, however late the other scripts come.
import { fitting } from "./fitting.js";

// A browser that can't be asked whether it runs scripts has no styles of the table yet.
/** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll('link[media*="scripting"]'))
  .forEach((link) => { if (!matchMedia(link.media).matches) link.media = "all"; });

const [board, cloth] = [".board", "#table"].map((part) => /** @type {HTMLElement} */ (document.querySelector(part)));
fitting(board, cloth, () => "")();
