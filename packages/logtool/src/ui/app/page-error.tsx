import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Brand } from './chrome/brand.tsx';
import { PageLink } from './chrome/page-link.tsx';

/** Shown in place of a page that crashed, so that the rest stays usable. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const text = error instanceof Error ? error.message : String(error);
  // Messages of Chromium, Firefox and Safari for a module that fails to load, and that of the style loader.
  const isUnloaded =
    /dynamically imported module|Importing a module script failed|Unable to preload CSS/.test(text);
  useEffect(() => {
    if (!isUnloaded) return;
    const reload = () => location.reload();
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [isUnloaded]);
  return (
    <main className="sheet" role="alert">
      <Brand />
      <h1>{isUnloaded ? 'The browser could not load this part of the page' : 'This page failed'}</h1>
      <p className="why">{text}</p>
      <p>
        {isUnloaded
          ? 'The server is not responding, or was upgraded. Reload to continue.'
          : 'This is a bug in logtool. It does not affect your cluster.'}
      </p>
      <p className="buttons">
        <button type="button" className="button primary" onClick={() => location.reload()}>
          Reload
        </button>
        {isUnloaded ? null : (
          <button type="button" className="button" onClick={reset}>
            Try again
          </button>
        )}
      </p>
    </main>
  );
}

export function PageNotFound() {
  return (
    <main className="sheet">
      <Brand />
      <h1>Page not found</h1>
      <p>
        <PageLink to="/">Go to workloads</PageLink>
      </p>
    </main>
  );
}
