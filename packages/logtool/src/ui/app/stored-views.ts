/** A view that was opened, or that somebody gave a name: an address of this page. Kept in this browser only. */
export interface StoredView {
  readonly name: string;
  /** Path and query after the base path: `/console?ctx=...`. */
  readonly href: string;
  /** ms since the epoch. */
  readonly atMs: number;
}

const KEYS = { recent: 'logtool.recent', saved: 'logtool.saved' } as const;
type Shelf = keyof typeof KEYS;
const LIMITS = { recent: 8, saved: 50 } as const;
const listeners = new Set<() => void>();
const cache = new Map<Shelf, { readonly text: string | null; readonly views: readonly StoredView[] }>();

/** The views, the newest first. What is stored may be of another version or broken: only what is whole is read. */
export function storedViews(shelf: Shelf): readonly StoredView[] {
  let text: string | null = null;
  try {
    text = localStorage.getItem(KEYS[shelf]);
  } catch {
    // Storage may be forbidden: nothing is kept then.
  }
  const before = cache.get(shelf);
  if (before !== undefined && before.text === text) return before.views;
  const views = parseViews(text);
  cache.set(shelf, { text, views });
  return views;
}

/** Views from the storage; none if it is not a list, and without invalid entries. */
export function parseViews(text: string | null): readonly StoredView[] {
  if (text === null) return [];
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) ? values.filter(isView) : [];
  } catch {
    return [];
  }
}

/** Puts a view first, and removes one with the same address (recent) or the same name (saved). */
export function storeView(shelf: Shelf, view: StoredView): void {
  const others = storedViews(shelf).filter((other) =>
    shelf === 'recent' ? other.href !== view.href : other.name !== view.name,
  );
  write(shelf, [view, ...others].slice(0, LIMITS[shelf]));
}

/** Takes a view off its shelf; one that is not there any more is no fault. */
export function removeView(shelf: Shelf, view: StoredView): void {
  write(
    shelf,
    storedViews(shelf).filter((other) => other.href !== view.href || other.name !== view.name),
  );
}

/** Calls back when views change, in other tabs too; the returned function ends that. */
export function onViewsChange(listener: () => void): () => void {
  const fromOtherTab = (event: StorageEvent) => {
    if (event.key === null || event.key.startsWith('logtool.')) listener();
  };
  listeners.add(listener);
  addEventListener('storage', fromOtherTab);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', fromOtherTab);
  };
}

function write(shelf: Shelf, views: readonly StoredView[]): void {
  try {
    localStorage.setItem(KEYS[shelf], JSON.stringify(views));
  } catch {
    // Full or forbidden: the view is not kept, and the list shows so.
  }
  for (const listener of listeners) listener();
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
