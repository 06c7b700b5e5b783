// What scripts of pages take for granted: they look for HTML elements alone.

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

interface HTMLFormControlsCollection {
  [name: string]: any;
}
