// Sees to it that Intl takes the browser's language, which uPlot hands to it when it is loaded.

try {
  new Intl.NumberFormat(navigator.language);
} catch (refused) {
  // A browser can have "C", from the system's settings; texts are in the page's language all the same.
  Object.defineProperty(navigator, "language", { value: "en", configurable: true });
}
