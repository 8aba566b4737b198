/** The console's own part of the program, which the first load does without. */
export const loadConsole = () => import('../console/console.tsx');

let isWarm = false;

/** Gets the console ready when somebody is about to open one: a pointer or the focus is on a workload. */
export function warmConsole(): void {
  if (isWarm) return;
  isWarm = true;
  Promise.all([loadConsole(), import('../worker/log-worker-client.ts')]).then(
    ([, { warmLogWorker }]) => warmLogWorker(),
    () => {
      // Without a network: opening it says so.
      isWarm = false;
    },
  );
}
