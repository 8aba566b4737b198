import { useState } from 'react';
import type { NamespaceList } from '../../contract/cluster.ts';
import type { WireError } from '../../contract/error.ts';
import { CopyButton } from '../app/chrome/copy-button.tsx';
import { sentence } from '../app/chrome/sentence.ts';
import { type DeniedPlace, placesOf } from './denied-places.ts';
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
  const places = placesOf(denied);
  const shown = isOpen ? places : places.slice(0, SHOWN);
  const rest = places.length - shown.length;
  return (
    <>
      {namespaces?.partial === undefined ? null : (
        <PartialLine
          names={namespaces.namespaces
            .map(({ name }) => name)
            .filter((name) => !places.some((place) => place.namespace === name && place.hides === 'all'))}
          partial={namespaces.partial}
        />
      )}
      {shown.map((place) => (
        <PlaceLine key={place.namespace ?? '*'} place={place} />
      ))}
      {rest === 0 ? null : (
        <p className="notice">
          <button type="button" className="text-button" onClick={() => setOpen(true)}>
            {rest} more namespace{rest === 1 ? '' : 's'}
          </button>
        </p>
      )}
    </>
  );
}

/** Namespaces themselves may not be listed: there may be more than those that are known by name. */
function PartialLine({ names, partial }: { readonly names: readonly string[]; readonly partial: WireError }) {
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

function PlaceLine({ place: { namespace, errors, hides } }: { readonly place: DeniedPlace }) {
  const denied = errors.flatMap((error) => error.denied ?? []);
  const [first] = denied;
  if (first === undefined) return <p className="notice">{sentence(errors[0]?.what ?? '')}</p>;
  const verbs = [...new Set(denied.map(({ verb }) => verb))].join(', ');
  const right = (
    <code>
      {verbs} {denied.map(({ resource }) => resource).join(', ')}
    </code>
  );
  const checks = denied.map(({ check }) => check).join('\n');
  return (
    <p className="notice" data-denied={namespace ?? '*'}>
      {namespace === undefined ? (
        <>
          The list is not complete: you may not {right} in {first.namespace ?? 'all namespaces'}.{' '}
        </>
      ) : (
        <>
          {hides === 'events' ? 'Last events of namespace' : 'Namespace'} <code>{namespace}</code>{' '}
          {HIDDEN[hides]}: you may not {right} there.{' '}
        </>
      )}
      <CopyButton text={checks} label={denied.length === 1 ? 'Copy the check' : 'Copy the checks'} />
    </p>
  );
}

const HIDDEN = { all: 'is not shown', some: 'is not complete', events: 'are not shown' } as const;
