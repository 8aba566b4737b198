import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type HomeUrl, readHomeUrl, URL_SELECTION_LIMIT, writeHomeUrl } from './home-url.ts';

/** Typing updates the address only in pauses: browsers refuse hundreds of changes in a few seconds. */
const TYPING_PAUSE_MS = 200;

/** The page's address, and functions that change it. */
export interface HomeUrlState {
  /** The state as shown, ahead of the address while the user types. */
  readonly url: HomeUrl;
  /** Changes the view; Back undoes it. */
  readonly go: (changes: Partial<HomeUrl>) => void;
  /** Changes the view without a new entry in the history. */
  readonly change: (changes: Partial<HomeUrl>) => void;
  readonly type: (q: string) => void;
  /** Writes the shown state to the address now. */
  readonly settle: () => Promise<void>;
}

export function useHomeUrl(): HomeUrlState {
  const search = useSearch({ from: '/' });
  const navigate = useNavigate();
  const inAddress = useMemo(() => readHomeUrl(search), [search]);
  const [typed, setTyped] = useState<string | undefined>();
  const [largeSelection, setLargeSelection] = useState<readonly string[] | undefined>();
  const url = useMemo(
    () => ({ ...inAddress, q: typed ?? inAddress.q, sel: largeSelection ?? inAddress.sel }),
    [inAddress, typed, largeSelection],
  );
  // Two consecutive changes (keys) must both count, although the address updates a moment later.
  const latest = useRef(url);
  useEffect(() => {
    latest.current = url;
  }, [url]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const write = useCallback(
    (changes: Partial<HomeUrl>, replace: boolean) => {
      clearTimeout(timer.current);
      latest.current = { ...latest.current, ...changes };
      const { sel } = latest.current;
      setLargeSelection(sel.length > URL_SELECTION_LIMIT ? sel : undefined);
      return navigate({ to: '/', search: writeHomeUrl(latest.current), replace }).then(() =>
        setTyped(undefined),
      );
    },
    [navigate],
  );
  const change = useCallback((changes: Partial<HomeUrl>) => void write(changes, true), [write]);
  const settle = useCallback(() => write({}, true), [write]);
  const go = useCallback((changes: Partial<HomeUrl>) => void write(changes, false), [write]);
  const type = useCallback(
    (q: string) => {
      setTyped(q);
      latest.current = { ...latest.current, q };
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void write({}, true), TYPING_PAUSE_MS);
    },
    [write],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  return { url, go, change, type, settle };
}
