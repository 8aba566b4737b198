import { useSyncExternalStore } from 'react';

/** Whether the window is as a media query says, also when that changes. */
function makeHook(text: string): () => boolean {
  const query = matchMedia(text);
  const subscribe = (listener: () => void) => {
    query.addEventListener('change', listener);
    return () => query.removeEventListener('change', listener);
  };
  return () => useSyncExternalStore(subscribe, () => query.matches);
}

/** The window has no room for a sidebar: it is a drawer. The style sheets change at the same width. */
export const useNarrow = makeHook('(max-width: 760px)');

/** The system draws with colors that its user chose. */
export const useForcedColors = makeHook('(forced-colors: active)');
