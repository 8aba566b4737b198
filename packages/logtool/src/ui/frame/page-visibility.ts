/** Whether the page is visible. */
export interface Visibility {
  readonly isHidden: () => boolean;
  /** Calls back on each change; returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
}

export const pageVisibility: Visibility = {
  isHidden: () => document.visibilityState === 'hidden',
  subscribe: (listener) => {
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  },
};

/** Waits until the page is visible, or until the signal aborts. */
export function untilSeen(visibility: Visibility, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (!visibility.isHidden() || signal.aborted) {
      resolve();
      return;
    }
    const end = () => {
      stop();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const stop = visibility.subscribe(() => {
      if (!visibility.isHidden()) end();
    });
    signal.addEventListener('abort', end);
  });
}

/**
 * Calls back once the page has been hidden for this long without interruption; returns a function that
 * cancels.
 */
export function onceHiddenFor(ms: number, visibility: Visibility, callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onChange = () => {
    clearTimeout(timer);
    if (visibility.isHidden()) timer = setTimeout(callback, ms);
  };
  onChange();
  const stop = visibility.subscribe(onChange);
  return () => {
    clearTimeout(timer);
    stop();
  };
}
