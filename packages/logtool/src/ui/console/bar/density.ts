import { DENSITIES, type Density } from '../state/console-state.ts';

const KEY = 'logtool.density';

/** The row height chosen in this browser. */
export function storedDensity(): Density {
  try {
    const stored = Number(localStorage.getItem(KEY));
    return DENSITIES.find((density) => density === stored) ?? 22;
  } catch {
    // The browser may forbid storage: the page works without it.
    return 22;
  }
}

export function storeDensity(density: Density): void {
  try {
    localStorage.setItem(KEY, String(density));
  } catch {
    // As above: the choice applies to this page only.
  }
}
