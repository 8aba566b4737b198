import { useSearch } from '@tanstack/react-router';
import { type ComponentType, useEffect, useState } from 'react';
import { describeSources } from '../home/source-argument.ts';
import { consoleHref } from './links.ts';
import { loadConsole, loadedConsole } from './load-console.ts';
import { allOf, oneOf } from './search-params.ts';
import { storeView } from './stored-views.ts';

/** The console, and its place among the recent views. */
export function ConsolePage() {
  const search = useSearch({ from: '/console' });
  const context = oneOf(search, 'ctx') ?? '';
  const sources = allOf(search, 'src');
  const href = sources.length === 0 ? undefined : consoleHref(context, sources);
  useEffect(() => {
    if (href !== undefined) storeView('recent', { name: nameOf(href), href, atMs: Date.now() });
  }, [href]);
  const Console = useConsole();
  if (Console === undefined)
    return <main className="console-loading" aria-busy="true" aria-label="Opening the logs" />;
  return <Console />;
}

interface Loaded {
  readonly Console?: ComponentType | undefined;
  readonly error?: unknown;
}

/**
 * The console once it is there. React's own `lazy` shows something else first even if it is there already, and then
 * keeps that for 300 ms, however soon it comes. Throws what went wrong, for the page's boundary.
 */
function useConsole(): ComponentType | undefined {
  const [{ Console, error }, setLoaded] = useState<Loaded>(() => ({ Console: loadedConsole()?.Console }));
  useEffect(() => {
    if (Console !== undefined) return;
    let isGone = false;
    const take = (next: Loaded) => {
      if (!isGone) setLoaded(next);
    };
    loadConsole().then(
      (module) => take({ Console: module.Console }),
      (reason: unknown) => take({ error: reason ?? new Error('the console cannot be loaded') }),
    );
    return () => {
      isGone = true;
    };
  }, [Console]);
  if (error !== undefined) throw error;
  return Console;
}

function nameOf(href: string): string {
  return describeSources(new URLSearchParams(href.slice(href.indexOf('?'))).getAll('src'));
}
