// What scripts of pages take for granted: they look for HTML elements alone, and kept.js is loaded where it is used.

interface ParentNode {
  querySelector<Name extends keyof HTMLElementTagNameMap>(selectors: Name): HTMLElementTagNameMap[Name] | null;
  querySelector<Found extends Element = HTMLElement>(selectors: string): Found | null;
  querySelectorAll<Name extends keyof HTMLElementTagNameMap>(selectors: Name): NodeListOf<HTMLElementTagNameMap[Name]>;
  querySelectorAll<Found extends Element = HTMLElement>(selectors: string): NodeListOf<Found>;
}

interface Element {
  closest<Name extends keyof HTMLElementTagNameMap>(selector: Name): HTMLElementTagNameMap[Name] | null;
  closest<Found extends Element = HTMLElement>(selectors: string): Found | null;
}

interface KeptHere {
  get(key: string): any;
  set(key: string, value: unknown): void;
  drop(key: string): void;
}

interface Window {
  Idiomorph: typeof import("../../static/vendor/idiomorph/idiomorph").Idiomorph;
  keptHere: KeptHere;
}

interface HTMLFormControlsCollection {
  [name: string]: any;
}
