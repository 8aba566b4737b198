import { StoredList } from './stored-list.ts';

/**
 * A view that was opened, or that a user saved under a name: an address of this page. Kept only in this
 * browser.
 */
export interface StoredView {
  readonly name: string;
  /** Path and query after the base path: `/console?ctx=...`. */
  readonly href: string;
  /** ms since the epoch. */
  readonly atMs: number;
}

type Shelf = 'recent' | 'saved';
const LISTS: Readonly<Record<Shelf, StoredList<StoredView>>> = {
  recent: new StoredList({ name: 'recent', isEntry: isView, most: 8 }),
  saved: new StoredList({ name: 'saved', isEntry: isView, most: 50 }),
};

/** Returns the views, newest first. */
export function storedViews(shelf: Shelf): readonly StoredView[] {
  return LISTS[shelf].read();
}

/** Parses views from the storage; drops invalid ones, and returns none if the text is not a list. */
export function parseViews(text: string | null): readonly StoredView[] {
  return LISTS.saved.parse(text ?? '');
}

/** Puts a view first; removes any other with the same address (recent) or the same name (saved). */
export function storeView(shelf: Shelf, view: StoredView): void {
  const others = storedViews(shelf).filter((other) =>
    shelf === 'recent' ? other.href !== view.href : other.name !== view.name,
  );
  LISTS[shelf].write([view, ...others]);
}

/** Removes a view from its list; a view that is already gone is not an error. */
export function removeView(shelf: Shelf, view: StoredView): void {
  LISTS[shelf].write(
    storedViews(shelf).filter((other) => other.href !== view.href || other.name !== view.name),
  );
}

/** Calls back when views change, also in other tabs; the returned function unsubscribes. */
export function onViewsChange(listener: () => void): () => void {
  const ends = [LISTS.recent.subscribe(listener), LISTS.saved.subscribe(listener)];
  return () => {
    for (const end of ends) end();
  };
}

/**
 * Accepts only addresses of this page: a stored `javascript:` or foreign address must never become a link.
 */
function isView(value: unknown): value is StoredView {
  const view = value as Partial<StoredView> | null;
  return (
    typeof view?.name === 'string' &&
    typeof view.href === 'string' &&
    /^\/(?![/\\])/.test(view.href) &&
    typeof view.atMs === 'number'
  );
}
