import { CONSOLE } from './late-parts.ts';

let isWarm = false;

/** Gets the console ready when somebody is about to open one: a pointer or the focus is on a workload. */
export function warmConsole(): void {
  if (isWarm) return;
  isWarm = true;
  Promise.all([CONSOLE.preload(), import('./console-with-tools.tsx')]).then(
    ([exists, { warmLogWorker }]) => {
      isWarm = exists;
      warmLogWorker();
    },
    () => {
      // Without a network: opening it says so.
      isWarm = false;
    },
  );
}
