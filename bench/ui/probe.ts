/** What is seen from inside the page. */
export interface Probe {
  /** Begins to count frames and long tasks. */
  start(): void;
  /** Ends it. All times in ms. */
  stop(): Seen;
  /** Resolves with the time when the frame that holds what is looked for was drawn. */
  drawn(look: () => boolean): Promise<number>;
}

export interface Seen {
  readonly ms: number;
  /** Between one frame and the next. */
  readonly frameGaps: readonly number[];
  /** Tasks of the main thread over 50 ms. */
  readonly longTasks: readonly number[];
}

declare global {
  interface Window {
    probe: Probe;
  }
}

/** Runs in the page, before its own scripts: has to hold all that it uses. */
export function installProbe(): void {
  let isRunning = false;
  let startMs = 0;
  let lastMs = 0;
  let frameGaps: number[] = [];
  let longTasks: number[] = [];
  const tick = (nowMs: number) => {
    if (!isRunning) return;
    if (lastMs > 0) frameGaps.push(nowMs - lastMs);
    lastMs = nowMs;
    requestAnimationFrame(tick);
  };
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
    drawn: (look) =>
      new Promise((resolve) => {
        const again = () => {
          // What is there now is drawn at the end of this frame.
          if (look()) requestAnimationFrame(() => resolve(performance.now()));
          else requestAnimationFrame(again);
        };
        again();
      }),
  };
}
