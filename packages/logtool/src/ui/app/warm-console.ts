import { CONSOLE } from './late-parts.ts';

let isWarm = false;

/** Gets the console ready when somebody is about to open one: a pointer or the focus is on a workload. */
export function warmConsole(): void {
  if (isWarm) return;
  isWarm = true;
  Promise.all([CONSOLE.preload(), import('../worker/session/log-worker-client.ts')]).then(
    ([isThere, { warmLogWorker }]) => {
      isWarm = isThere;
      warmLogWorker();
    },
    () => {
      // Without a network: opening it says so.
      isWarm = false;
    },
  );
}
