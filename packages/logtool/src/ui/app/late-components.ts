import { useEffect } from 'react';
import { LateComponent } from '../frame/late-component.tsx';
import { DRAWER } from '../home/late-drawer.ts';
import { POPOVER_PANEL } from './chrome/popover.tsx';

/** Parts that open over a page. */
export const PALETTE = new LateComponent(() =>
  import('../palette/palette.tsx').then((module) => module.Palette),
);
export const KEYS_DIALOG = new LateComponent(() =>
  import('../keys/keys-dialog.tsx').then((module) => module.KeysDialog),
);

/** The page that shows logs. */
export const CONSOLE = new LateComponent<object>(() =>
  import('./console-with-tools.tsx').then(({ ConsoleWithTools, warmLogWorker }) => {
    // The worker starts meanwhile; the console takes it over.
    warmLogWorker();
    return ConsoleWithTools;
  }),
);

let isWarm = false;

/** Preloads the page that shows logs, once. */
export function warmConsole(): void {
  if (isWarm) return;
  isWarm = true;
  // Fails without a network; opening the console then reports it.
  void CONSOLE.preload().then((exists) => {
    isWarm = exists;
  });
}

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

/** Loads parts that open over a page at the first sign of use, so that the first load stays small. */
export function usePreload(): void {
  useEffect(() => {
    const load = () => {
      stop();
      for (const component of [POPOVER_PANEL, PALETTE, KEYS_DIALOG, DRAWER]) void component.preload();
    };
    const stop = () => {
      for (const sign of SIGNS) removeEventListener(sign, load, true);
    };
    for (const sign of SIGNS) addEventListener(sign, load, { capture: true, passive: true });
    return stop;
  }, []);
}
