import { CONSOLE } from './late-components.ts';

let isWarm = false;

/** Preloads the console when the pointer or the focus reaches a workload. */
export function warmConsole(): void {
  if (isWarm) return;
  isWarm = true;
  // Fails without a network; opening the console then reports it.
  void CONSOLE.preload().then((exists) => {
    isWarm = exists;
  });
}
