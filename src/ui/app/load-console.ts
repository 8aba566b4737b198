type ConsoleModule = typeof import('../console/console.tsx');

let loaded: ConsoleModule | undefined;

/** The console's own part of the program, which the first load does without. */
export async function loadConsole(): Promise<ConsoleModule> {
  loaded = await import('../console/console.tsx');
  return loaded;
}

/** The same, where it is there already. */
export function loadedConsole(): ConsoleModule | undefined {
  return loaded;
}

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
