/** What a key does in the log. */
export type ConsoleCommand =
  | { readonly do: 'move'; readonly rows: number; readonly selects: boolean }
  | { readonly do: 'page'; readonly direction: -1 | 1 }
  | { readonly do: 'find'; readonly what: 'hit' | 'error' | 'warn'; readonly direction: 'next' | 'previous' }
  | {
      readonly do:
        | 'start'
        | 'end'
        | 'pause'
        | 'follow'
        | 'toggle'
        | 'search'
        | 'copy'
        | 'link'
        | 'wrap'
        | 'around'
        | 'escape';
    };

interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** The command of a key press; undefined leaves the key to the browser. */
export function commandOf(event: Key): ConsoleCommand | undefined {
  const { key, shiftKey } = event;
  if (event.altKey) return undefined;
  if (event.ctrlKey || event.metaKey) {
    if (key === 'c') return { do: 'copy' };
    if (key === 'Home') return { do: 'start' };
    return key === 'End' ? { do: 'end' } : undefined;
  }
  switch (key) {
    case 'ArrowUp':
      return { do: 'move', rows: -1, selects: shiftKey };
    case 'ArrowDown':
      return { do: 'move', rows: 1, selects: shiftKey };
    case 'PageUp':
      return { do: 'page', direction: -1 };
    case 'PageDown':
      return { do: 'page', direction: 1 };
    case 'Enter':
      return { do: 'toggle' };
  }
  const direction = shiftKey ? 'previous' : 'next';
  switch (key.toLowerCase()) {
    case 'e':
      return { do: 'find', what: 'error', direction };
    case 'w':
      return { do: 'find', what: 'warn', direction };
    case 'n':
      return { do: 'find', what: 'hit', direction };
  }
  return shiftKey ? undefined : PLAIN_KEYS.get(key);
}

const PLAIN_KEYS = new Map<string, ConsoleCommand>([
  ['Home', { do: 'start' }],
  ['End', { do: 'end' }],
  [' ', { do: 'pause' }],
  ['f', { do: 'follow' }],
  ['/', { do: 'search' }],
  ['c', { do: 'copy' }],
  ['l', { do: 'link' }],
  ['z', { do: 'wrap' }],
  ['a', { do: 'around' }],
  ['Escape', { do: 'escape' }],
]);
