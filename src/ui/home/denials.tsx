import { useState } from 'react';
import type { NamespaceList } from '../../contract/cluster.ts';
import type { WireError } from '../../contract/error.ts';
import { CopyButton } from '../app/chrome/copy-button.tsx';
import { sentence } from '../app/chrome/sentence.ts';
import type { Denial } from './workload-store.ts';

/** More lines than this would push the list away. */
const SHOWN = 2;

interface DenialsProps {
  readonly denied: readonly Denial[];
  readonly namespaces: NamespaceList | undefined;
}

/** What of the cluster is not in the list, and which right is missing for it. */
export function Denials({ denied, namespaces }: DenialsProps) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? denied : denied.slice(0, SHOWN);
  const rest = denied.length - shown.length;
  return (
    <>
      {namespaces?.partial === undefined ? null : (
        <PartialLine list={namespaces} partial={namespaces.partial} />
      )}
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

/** Namespaces themselves may not be listed: there may be more than those that are known by name. */
function PartialLine({ list, partial }: { readonly list: NamespaceList; readonly partial: WireError }) {
  const names = list.namespaces.map(({ name }) => name);
  if (partial.denied === undefined) return <p className="notice">{sentence(partial.what)}</p>;
  return (
    <p className="notice" data-denied="namespaces">
      {names.length === 0 ? (
        'No namespace is shown'
      ) : (
        <>
          Only <code>{names.join(', ')}</code> {names.length === 1 ? 'is' : 'are'} shown
        </>
      )}
      : you may not{' '}
      <code>
        {partial.denied.verb} {partial.denied.resource}
      </code>
      . <CopyButton text={partial.denied.check} label="Copy the check" />
    </p>
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
