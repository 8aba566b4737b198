/** Scans that the agent runs at the same time: each reads files as fast as it can. */
export const MAX_SCANS = 2;

/** Limits how many scans run at the same time. */
export class ScanSlots {
  #free: number;

  constructor(slots = MAX_SCANS) {
    this.#free = slots;
  }

  /**
   * Takes a slot, and returns how to give it back, which also happens when the signal is aborted. Undefined if none is
   * free.
   */
  take(signal: AbortSignal): (() => void) | undefined {
    if (this.#free === 0 || signal.aborted) return undefined;
    this.#free--;
    let isTaken = true;
    const release = () => {
      if (isTaken) this.#free++;
      isTaken = false;
      signal.removeEventListener('abort', release);
    };
    signal.addEventListener('abort', release);
    return release;
  }
}
