import type { LogWorker } from '../../worker/session/log-worker-client.ts';

/** The used part of the scrolled element. */
export interface ScrollPane {
  scrollTop: number;
  /** Height of what is scrolled. */
  setSpacer(px: number): void;
  /** Moves the layer of rows, which itself stays in view. */
  setLayer(topPx: number): void;
}

export interface ScrollerOptions {
  readonly worker: Pick<LogWorker, 'ask' | 'send'>;
  /** Calls back once before the next frame is drawn. */
  readonly onFrame: (run: () => void) => void;
  readonly nowMs: () => number;
  readonly afterMs: (ms: number, run: () => void) => void;
  readonly rowPx: number;
}
