/** Measurements from inside the page. */
export interface Probe {
  /** Starts counting frames and long tasks. */
  start(): void;
  /** Stops counting. All times are in ms. */
  stop(): Seen;
  /**
   * Starts the time at the next event of this type. Call it before sending the event, which could arrive first
   * otherwise.
   */
  arm(type: 'click' | 'keydown' | 'input'): void;
  /** Resolves to the time from that event to a drawn frame that satisfies the condition. */
  sinceEvent(isDrawn: () => boolean): Promise<number>;
  /** Resolves to the time at which a drawn frame satisfies the condition. */
  drawn(isDrawn: () => boolean): Promise<number>;
  /** Returns the time of day of the first drawn line, in ms; NaN if there is none. */
  firstLineMs(): number;
}

export interface Seen {
  readonly ms: number;
  /** Times between consecutive frames. */
  readonly frameGaps: readonly number[];
  /** Tasks of the main thread over 50 ms. */
  readonly longTasks: readonly number[];
}

declare global {
  interface Window {
    probe: Probe;
  }
}

/** Runs in the page, before its own scripts: must be self-contained. */
export function installProbe(): void {
  let isRunning = false;
  let startMs = 0;
  let lastMs = 0;
  let frameGaps: number[] = [];
  let longTasks: number[] = [];
  let event = Promise.resolve(0);
  const tick = (nowMs: number) => {
    if (!isRunning) return;
    if (lastMs > 0) frameGaps.push(nowMs - lastMs);
    lastMs = nowMs;
    requestAnimationFrame(tick);
  };
  const drawn = (isDrawn: () => boolean) =>
    new Promise<number>((resolve) => {
      const again = () => {
        // The current content is drawn at the end of this frame.
        if (isDrawn()) requestAnimationFrame(() => resolve(performance.now()));
        else requestAnimationFrame(again);
      };
      again();
    });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      if (isRunning && startTime >= startMs) longTasks.push(duration);
    }
  }).observe({ type: 'longtask' });
  window.probe = {
    start() {
      frameGaps = [];
      longTasks = [];
      lastMs = 0;
      startMs = performance.now();
      isRunning = true;
      requestAnimationFrame(tick);
    },

    stop() {
      isRunning = false;
      return { ms: performance.now() - startMs, frameGaps, longTasks };
    },

    arm(type) {
      event = new Promise((resolve) =>
        addEventListener(type, ({ timeStamp }) => resolve(timeStamp), { capture: true, once: true }),
      );
    },

    async sinceEvent(isDrawn) {
      const startedMs = await event;
      return (await drawn(isDrawn)) - startedMs;
    },
    drawn,
    firstLineMs() {
      const text = document.querySelector('[data-kind="line"] [data-time]')?.textContent ?? '';
      return Date.parse(`1970-01-01T${/\d\d:\d\d:\d\d\.\d{3}/.exec(text)?.[0]}Z`);
    },
  };
}
