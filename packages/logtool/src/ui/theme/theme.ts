/** The user's choice; `system` follows `prefers-color-scheme`. Stored only in this browser. */
export type ThemeChoice = 'system' | 'dark' | 'light';
export type Theme = 'dark' | 'light';

const KEY = 'logtool.theme';
const prefersLight = () => matchMedia('(prefers-color-scheme: light)');
const listeners = new Set<() => void>();

/** Returns the choice stored in this browser; `system` if there is none, or storage is unavailable. */
export function themeChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'dark' || stored === 'light' ? stored : 'system';
  } catch {
    // Storage may be forbidden (private windows, policies): the page works without it.
    return 'system';
  }
}

/** Returns the theme in use. */
export function currentTheme(): Theme {
  return document.documentElement.dataset.theme === 'light' ? 'light' : 'dark';
}

/** Applies the chosen theme to the document; charts drawn on a canvas listen with `onThemeChange`. */
export function applyTheme(): void {
  const choice = themeChoice();
  const theme = choice === 'system' ? (prefersLight().matches ? 'light' : 'dark') : choice;
  if (document.documentElement.dataset.theme === theme) return;
  document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

/** Switches to the other theme, and stores the choice in this browser. */
export function switchTheme(): void {
  const next: Theme = currentTheme() === 'dark' ? 'light' : 'dark';
  try {
    // A choice equal to the system's theme means to follow the system.
    if ((next === 'light') === prefersLight().matches) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    document.documentElement.dataset.theme = next;
    for (const listener of listeners) listener();
    return;
  }
  applyTheme();
}

/** Calls back when the theme changes, by choice or by the system; the returned function unsubscribes. */
export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Follows the system, and other tabs of this browser, from now on. */
export function watchTheme(): void {
  prefersLight().addEventListener('change', applyTheme);
  addEventListener('storage', (event) => {
    if (event.key === KEY || event.key === null) applyTheme();
  });
}
