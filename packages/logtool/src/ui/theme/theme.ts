/** The user's choice; `system` follows `prefers-color-scheme`. Kept only in this browser. */
export type ThemeChoice = 'system' | 'dark' | 'light';
export type Theme = 'dark' | 'light';

const KEY = 'logtool.theme';
const prefersLight = () => matchMedia('(prefers-color-scheme: light)');
const listeners = new Set<() => void>();

/** What was chosen in this browser; `system` if nothing was, or nothing can be kept. */
export function themeChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'dark' || stored === 'light' ? stored : 'system';
  } catch {
    // Storage may be forbidden (private windows, policies): the page works without it.
    return 'system';
  }
}

/** The theme that is shown. */
export function currentTheme(): Theme {
  return document.documentElement.dataset.theme === 'light' ? 'light' : 'dark';
}

/** Puts the chosen theme on the document; charts that draw on a canvas listen with `onThemeChange`. */
export function applyTheme(): void {
  const choice = themeChoice();
  const theme = choice === 'system' ? (prefersLight().matches ? 'light' : 'dark') : choice;
  if (document.documentElement.dataset.theme === theme) return;
  document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

/** Changes to the other theme, and keeps that for this browser. */
export function switchTheme(): void {
  const next: Theme = currentTheme() === 'dark' ? 'light' : 'dark';
  try {
    // Choosing what the system shows anyway means to follow it.
    if ((next === 'light') === prefersLight().matches) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    document.documentElement.dataset.theme = next;
    for (const listener of listeners) listener();
    return;
  }
  applyTheme();
}

/** Calls back when the theme changes, by choice or by the system; the returned function ends that. */
export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Follows the system and other tabs of this browser from now on. */
export function watchTheme(): void {
  prefersLight().addEventListener('change', applyTheme);
  addEventListener('storage', (event) => {
    if (event.key === KEY || event.key === null) applyTheme();
  });
}
