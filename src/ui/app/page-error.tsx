import type { ErrorComponentProps } from '@tanstack/react-router';
import { Brand } from './chrome/brand.tsx';

/** Shown in place of a page that broke, so that the rest can still be reached. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const text = error instanceof Error ? error.message : String(error);
  const isGone = /dynamically imported module|Importing a module script failed/.test(text);
  return (
    <main className="sheet" role="alert">
      <Brand />
      <h1>{isGone ? 'This page is of another version' : 'This page broke'}</h1>
      <p className="why">{text}</p>
      <p>
        {isGone
          ? 'The server was upgraded, or does not answer. Reload to go on.'
          : 'That is a fault of logtool. Nothing of the cluster is touched.'}
      </p>
      <p className="buttons">
        <button type="button" className="button primary" onClick={() => location.reload()}>
          Reload
        </button>
        <button type="button" className="button" onClick={reset}>
          Try again
        </button>
      </p>
    </main>
  );
}

export function PageNotFound() {
  return (
    <main className="sheet">
      <Brand />
      <h1>Nothing is here</h1>
      <p>The address is of no page of logtool. The name above leads to the workloads.</p>
    </main>
  );
}
