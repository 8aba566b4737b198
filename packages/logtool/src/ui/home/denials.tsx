import { useState } from 'react';
import type { NamespaceList } from '../../contract/cluster.ts';
import type { WireError } from '../../contract/error.ts';
import { compareNatural } from '../../messages/natural-order.ts';
import { CopyButton } from '../app/chrome/copy-button.tsx';
import { messageOf } from '../messages/message-of.ts';
import { sentence } from '../messages/sentence.ts';
import { type DeniedGroup, groupScopes, scopesOf } from './feed/denied-scopes.ts';
import type { Denial } from './feed/workload-store.ts';

/** More lines would push the list away. */
const SHOWN = 2;
/** Maximum number of names in a line. */
const NAMED = 4;

interface DenialsProps {
  readonly denied: readonly Denial[];
  readonly namespaces: NamespaceList | undefined;
  /** Namespaces that the user named, if their permissions are known. */
  readonly named: readonly string[];
}

/** Shows what the list lacks, and which permission is missing for it. */
export function Denials({ denied, namespaces, named }: DenialsProps) {
  const [isOpen, setOpen] = useState(false);
  const scopes = scopesOf(denied);
  const groups = groupScopes(scopes);
  const shown = isOpen ? groups : groups.slice(0, SHOWN);
  const rest = groups.slice(shown.length).reduce((sum, { namespaces: { length } }) => sum + length, 0);
  return (
    <>
      {namespaces?.partial === undefined ? null : (
        <PartialLine
          names={[...new Set([...namespaces.namespaces.map(({ name }) => name), ...named])]
            .filter((name) => !scopes.some((scope) => scope.namespace === name && scope.hides === 'all'))
            .sort(compareNatural)}
          partial={namespaces.partial}
        />
      )}
      {shown.map((group) => (
        <GroupLine key={`${group.hides} ${group.right} ${group.namespaces[0]}`} group={group} />
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

/** Listing namespaces is denied: there may be more than the known ones. */
function PartialLine({ names, partial }: { readonly names: readonly string[]; readonly partial: WireError }) {
  if (partial.denied === undefined) return <p className="notice">{sentence(messageOf(partial).what)}</p>;
  return (
    <p className="notice" data-denied="namespaces">
      {names.length === 0 ? (
        'The page shows no namespace'
      ) : (
        <>
          The page shows only <code>{names.join(', ')}</code>
        </>
      )}
      : you lack permission to{' '}
      <code>
        {partial.denied.verb} {partial.denied.resource}
      </code>
      . <CopyButton text={partial.denied.check} label="Copy kubectl command" />
    </p>
  );
}

function GroupLine({ group }: { readonly group: DeniedGroup }) {
  const { namespaces, hides, right, checks, what } = group;
  if (right === '') return <p className="notice">{sentence(what)}</p>;
  return (
    <p className="notice" data-denied={namespaces.join(' ') || '*'}>
      {namespaces.length === 0 ? (
        'The list is incomplete'
      ) : (
        <>
          {hides === 'events' ? 'Last events of namespace' : 'Namespace'}
          {namespaces.length === 1 ? ' ' : 's '}
          <Names of={namespaces} /> {hides !== 'events' && namespaces.length === 1 ? 'is' : 'are'} not{' '}
          {hides === 'some' ? 'complete' : 'shown'}
        </>
      )}
      : you lack permission to <code>{right}</code> {namespaces.length === 0 ? 'in all namespaces' : 'there'}.{' '}
      <CopyButton
        text={checks.join('\n')}
        label={checks.length === 1 ? 'Copy kubectl command' : 'Copy kubectl commands'}
      />
    </p>
  );
}

/** Names of namespaces: the first few, and all after a click. */
function Names({ of }: { readonly of: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  const names = isOpen ? of : of.slice(0, NAMED);
  const rest = of.length - names.length;
  return (
    <>
      <code>{names.join(', ')}</code>
      {rest === 0 ? null : (
        <>
          {' '}
          and{' '}
          <button type="button" className="text-button" onClick={() => setOpen(true)}>
            {rest} more
          </button>
        </>
      )}
    </>
  );
}
