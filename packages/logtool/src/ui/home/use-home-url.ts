import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type HomeUrl, readHomeUrl, URL_SELECTION_LIMIT, writeHomeUrl } from './home-url.ts';

/** Typing fills the address in pauses only: browsers refuse hundreds of changes in a few seconds. */
const TYPING_PAUSE_MS = 200;

/** The address of the page, and how to change it. */
export interface HomeUrlState {
  /** The visible text: ahead of the address during typing. */
  readonly url: HomeUrl;
  /** A choice that Back undoes. */
  readonly go: (changes: Partial<HomeUrl>) => void;
  /** A change of the same view. */
  readonly change: (changes: Partial<HomeUrl>) => void;
  readonly type: (q: string) => void;
  /** Writes what is shown into the address now. */
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
  // Two changes in a row (keys) must both count, though the address follows a moment later.
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
