import { CONSOLE } from './late-components.ts';

let isWarm = false;

/** Gets the console ready when somebody is about to open one: a pointer or the focus is on a workload. */
export function warmConsole(): void {
  if (isWarm) return;
  isWarm = true;
  // Without a network: opening it reports that.
  void CONSOLE.preload().then((exists) => {
    isWarm = exists;
  });
}
