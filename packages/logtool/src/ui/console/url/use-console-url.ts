import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import type { ConsoleUrl, SetUrl } from './console-url.ts';
import { readConsoleUrl, writeConsoleUrl } from './read-console-url.ts';

/** The console's state, which is all in its address, and the function that changes it. */
export function useConsoleUrl(): { readonly url: ConsoleUrl; readonly setUrl: SetUrl } {
  const search = useSearch({ from: '/console' });
  const navigate = useNavigate();
  const url = useMemo(() => readConsoleUrl(search), [search]);
  // Two changes in a row must both count, although the address updates a moment later.
  const latest = useRef(url);
  // Runs before any effect that changes the URL: if one has navigated away, a later update would navigate back.
  useLayoutEffect(() => {
    latest.current = url;
  }, [url]);
  const setUrl = useCallback<SetUrl>(
    (change, options) => {
      latest.current = { ...latest.current, ...change } as ConsoleUrl;
      void navigate({
        to: '/console',
        search: writeConsoleUrl(latest.current),
        replace: options?.replace ?? false,
      });
    },
    [navigate],
  );
  return { url, setUrl };
}
