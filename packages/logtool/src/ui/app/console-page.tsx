import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Late } from '../frame/late-component.tsx';
import { allOf, oneOf } from '../frame/search-params.ts';
import { storeView } from '../frame/stored-views.ts';
import { recentName } from '../frame/view-names.ts';
import { consoleHref } from '../shell/links.ts';
import { CONSOLE } from './late-components.ts';

/** The console page; adds itself to the recent views. */
export function ConsolePage() {
  const search = useSearch({ from: '/console' });
  const context = oneOf(search, 'ctx') ?? '';
  const sources = allOf(search, 'src');
  const href = sources.length === 0 ? undefined : consoleHref(context, sources);
  useEffect(() => {
    if (href !== undefined)
      storeView('recent', { name: recentName(sourcesOf(href)), href, atMs: Date.now() });
  }, [href]);
  return <Late component={CONSOLE} props={{}} waiting={<Waiting />} />;
}

function Waiting() {
  return <main className="console-loading" aria-busy="true" aria-label="Opening the logs" />;
}

function sourcesOf(href: string): readonly string[] {
  return new URLSearchParams(href.slice(href.indexOf('?'))).getAll('src');
}
