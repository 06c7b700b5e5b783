// The part of SortableJS that the pages use. The package itself comes without types.

export interface SortableEvent {
  item: HTMLElement;
  originalEvent: PointerEvent;
}

export interface SortableOptions {
  sort?: boolean;
  handle?: string;
  animation?: number;
  delay?: number;
  delayOnTouchOnly?: boolean;
  touchStartThreshold?: number;
  forceFallback?: boolean;
  fallbackOnBody?: boolean;
  fallbackTolerance?: number;
  fallbackClass?: string;
  ghostClass?: string;
  scroll?: boolean;
  onStart?: (event: SortableEvent) => void;
  onEnd?: (event: SortableEvent) => void;
}

export default class Sortable {
  constructor(list: HTMLElement, options: SortableOptions);
  static get(list: HTMLElement): Sortable | undefined;
  static dragged: HTMLElement | null;
  static ghost: HTMLElement | null;
  el: HTMLElement;
  destroy(): void;
}
