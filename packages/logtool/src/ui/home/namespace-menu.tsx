import { type FormEvent, useId, useState } from 'react';
import type { NamespaceList } from '../../contract/cluster.ts';
import { Checkbox } from '../app/chrome/checkbox.tsx';
import { Icon } from '../app/chrome/icons.tsx';
import { Popover } from '../app/chrome/popover.tsx';
import { sentence } from '../app/chrome/sentence.ts';
import { toggle } from './selection.ts';

interface NamespaceMenuProps {
  readonly chosen: readonly string[];
  readonly known: NamespaceList | undefined;
  readonly counts: ReadonlyMap<string, number>;
  readonly onChange: (namespaces: readonly string[]) => void;
}

/** Which namespaces the list is of, with the number of workloads in each. */
export function NamespaceMenu({ chosen, known, counts, onChange }: NamespaceMenuProps) {
  const trigger = (
    <>
      <span className="item-name">{titleOf(chosen)}</span>
      <Icon name="chevron" />
    </>
  );
  return (
    <Popover
      label="Namespaces"
      trigger={trigger}
      triggerClass="button namespaces"
      title={chosen.length === 0 ? undefined : chosen.join(', ')}
      className="namespace-panel"
    >
      {() => <Namespaces chosen={chosen} known={known} counts={counts} onChange={onChange} />}
    </Popover>
  );
}

function Namespaces({ chosen, known, counts, onChange }: NamespaceMenuProps) {
  const [filter, setFilter] = useState('');
  const id = useId();
  const denied = new Map((known?.namespaces ?? []).map(({ name, denied }) => [name, denied]));
  const names = [...new Set([...denied.keys(), ...counts.keys(), ...chosen])].sort();
  const text = filter.trim().toLowerCase();
  const shown = names.filter((name) => name.includes(text));
  // Namespaces that may not be listed can still be named.
  const canAdd = known?.partial !== undefined && text !== '' && !names.includes(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const only = shown[0];
    if (canAdd) onChange([...chosen, text]);
    else if (shown.length === 1 && only !== undefined) onChange(toggle(chosen, only));
  };
  return (
    <>
      <form onSubmit={submit}>
        <input
          className="panel-field"
          aria-label="Find a namespace"
          placeholder="Find a namespace"
          autoComplete="off"
          spellCheck={false}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      </form>
      {known?.partial === undefined ? null : (
        <p className="panel-note">{sentence(known.partial.what)}. Type a name to add it.</p>
      )}
      <ul>
        <li>
          <label className="item" htmlFor={`${id}-all`}>
            <Checkbox
              id={`${id}-all`}
              state={chosen.length === 0 ? 'all' : 'none'}
              onChange={() => onChange([])}
            />
            <span className="item-name">All namespaces</span>
          </label>
        </li>
        {canAdd ? (
          <li>
            <button type="button" className="item" onClick={() => onChange([...chosen, text])}>
              Add {text}
            </button>
          </li>
        ) : null}
        {shown.map((name) => {
          const refusal = denied.get(name);
          return (
            <li key={name}>
              <label
                className={`item${refusal === undefined ? '' : ' denied'}`}
                data-namespace={name}
                htmlFor={`${id}-${name}`}
              >
                <Checkbox
                  id={`${id}-${name}`}
                  state={chosen.includes(name) ? 'all' : 'none'}
                  onChange={() => onChange(toggle(chosen, name))}
                />
                <span className="item-name">{name}</span>
                <span className="item-note">
                  {refusal === undefined
                    ? (counts.get(name) ?? 0).toLocaleString('en')
                    : `denied: ${refusal.denied?.verb ?? ''} ${refusal.denied?.resource ?? ''}`.trim()}
                </span>
              </label>
            </li>
          );
        })}
      </ul>
      {shown.length === 0 && !canAdd ? <p className="panel-note">No namespace has that name.</p> : null}
    </>
  );
}

function titleOf(chosen: readonly string[]): string {
  if (chosen.length === 0) return 'All namespaces';
  return chosen.length <= 2 ? chosen.join(', ') : `${chosen.length} namespaces`;
}
