/** Whether the page is visible. */
export interface Visibility {
  readonly isHidden: () => boolean;
  /** Calls back whenever that changes; returns how to stop it. */
  readonly subscribe: (listener: () => void) => () => void;
}

export const pageVisibility: Visibility = {
  isHidden: () => document.visibilityState === 'hidden',
  subscribe: (listener) => {
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  },
};

/** Waits until the page is seen, or until the signal. */
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

/** Calls back once the page was hidden for so long in one piece; returns how to stop it. */
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
