import { Fragment } from 'react';
import { highlights } from './search.ts';

/** A text with the parts that a search found marked. */
export function Marked({ text, terms }: { readonly text: string; readonly terms: readonly string[] }) {
  if (terms.length === 0) return text;
  const parts = highlights(text, terms);
  if (parts.length === 0) return text;
  return (
    <>
      {parts.map(([start, end], index) => (
        <Fragment key={start}>
          {text.slice(parts[index - 1]?.[1] ?? 0, start)}
          <mark>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(parts.at(-1)?.[1])}
    </>
  );
}
