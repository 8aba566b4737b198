import { useSyncExternalStore } from 'react';

const query = matchMedia('(max-width: 760px)');

/** The window has no room for a sidebar: it is a drawer. The style sheets change at the same width. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches);
}

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
