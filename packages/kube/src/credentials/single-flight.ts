/** A task whose single run serves all concurrent callers. */
export interface SingleFlight<T> {
  /**
   * Joins the current run or starts one. A caller whose signal aborts leaves; the last caller to leave ends the run.
   */
  run(signal?: AbortSignal): Promise<T>;
  /** Ends the current run with that reason. */
  close(reason: unknown): void;
}

export function singleFlight<T>(task: (signal: AbortSignal) => Promise<T>): SingleFlight<T> {
  interface Run {
    readonly result: Promise<T>;
    readonly end: AbortController;
    waiting: number;
  }
  let present: Run | undefined;

  function start(): Run {
    const end = new AbortController();
    const run: Run = { result: task(end.signal), end, waiting: 0 };
    const forget = () => {
      if (present === run) present = undefined;
    };
    run.result.then(forget, forget);
    return run;
  }

  async function join(run: Run, signal: AbortSignal | undefined): Promise<T> {
    run.waiting++;
    let onAbort: (() => void) | undefined;
    const left = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([run.result, left]);
    } finally {
      if (onAbort) signal?.removeEventListener('abort', onAbort);
      run.waiting--;
      if (run.waiting === 0) {
        if (present === run) present = undefined;
        run.end.abort(signal?.reason);
      }
    }
  }

  return {
    async run(signal) {
      signal?.throwIfAborted();
      present ??= start();
      return join(present, signal);
    },
    close: (reason) => present?.end.abort(reason),
  };
}
