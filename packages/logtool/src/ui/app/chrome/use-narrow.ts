import { useSyncExternalStore } from 'react';

/** Creates a hook that reports whether a media query matches, and updates when that changes. */
function makeHook(text: string): () => boolean {
  const query = matchMedia(text);
  const subscribe = (listener: () => void) => {
    query.addEventListener('change', listener);
    return () => query.removeEventListener('change', listener);
  };
  return () => useSyncExternalStore(subscribe, () => query.matches);
}

/**
 * The window is too narrow for a sidebar, so the sidebar becomes a drawer. The style sheets switch at the
 * same width.
 */
export const useNarrow = makeHook('(max-width: 760px)');

/** The system uses colors that the user chose. */
export const useForcedColors = makeHook('(forced-colors: active)');
