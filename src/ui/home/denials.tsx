import { useState } from 'react';
import { CopyButton } from '../app/chrome/copy-button.tsx';
import { sentence } from '../app/chrome/sentence.ts';
import type { Denial } from './workload-store.ts';

/** More lines than this would push the list away. */
const SHOWN = 2;

/** What of the cluster is not in the list, and which right is missing for it. */
export function Denials({ denied }: { readonly denied: readonly Denial[] }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? denied : denied.slice(0, SHOWN);
  const rest = denied.length - shown.length;
  return (
    <>
      {shown.map((denial) => (
        <DenialLine key={`${denial.namespace} ${denial.error.denied?.resource}`} denial={denial} />
      ))}
      {rest === 0 ? null : (
        <p className="notice">
          <button type="button" className="text-button" onClick={() => setOpen(true)}>
            {rest} more {rest === 1 ? 'is' : 'are'} not shown
          </button>
        </p>
      )}
    </>
  );
}

function DenialLine({ denial: { namespace, error } }: { readonly denial: Denial }) {
  const { denied } = error;
  if (denied === undefined) return <p className="notice">{sentence(error.what)}</p>;
  const right = (
    <code>
      {denied.verb} {denied.resource}
    </code>
  );
  return (
    <p className="notice" data-denied={namespace ?? '*'}>
      {namespace === undefined ? (
        <>
          The list is not complete: you may not {right} in {denied.namespace ?? 'all namespaces'}.{' '}
        </>
      ) : (
        <>
          Namespace <code>{namespace}</code> is not shown: you may not {right} there.{' '}
        </>
      )}
      <CopyButton text={denied.check} label="Copy the check" />
    </p>
  );
}
