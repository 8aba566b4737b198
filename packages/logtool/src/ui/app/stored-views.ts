import { StoredList } from './stored-list.ts';

/** A view that was opened, or that somebody gave a name: an address of this page. Kept in this browser only. */
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

/** The views, the newest first. */
export function storedViews(shelf: Shelf): readonly StoredView[] {
  return LISTS[shelf].read();
}

/** Views from the storage; none if it is not a list, and without invalid entries. */
export function parseViews(text: string | null): readonly StoredView[] {
  return LISTS.saved.parse(text ?? '');
}

/** Puts a view first, and removes one with the same address (recent) or the same name (saved). */
export function storeView(shelf: Shelf, view: StoredView): void {
  const others = storedViews(shelf).filter((other) =>
    shelf === 'recent' ? other.href !== view.href : other.name !== view.name,
  );
  LISTS[shelf].write([view, ...others]);
}

/** Takes a view off its shelf; one that is not there any more is no fault. */
export function removeView(shelf: Shelf, view: StoredView): void {
  LISTS[shelf].write(
    storedViews(shelf).filter((other) => other.href !== view.href || other.name !== view.name),
  );
}

/** Calls back when views change, in other tabs too; the returned function ends that. */
export function onViewsChange(listener: () => void): () => void {
  const ends = [LISTS.recent.subscribe(listener), LISTS.saved.subscribe(listener)];
  return () => {
    for (const end of ends) end();
  };
}

/** An address of this page only: a stored `javascript:` or foreign address must never become a link. */
function isView(value: unknown): value is StoredView {
  const view = value as Partial<StoredView> | null;
  return (
    typeof view?.name === 'string' &&
    typeof view.href === 'string' &&
    /^\/(?![/\\])/.test(view.href) &&
    typeof view.atMs === 'number'
  );
}
