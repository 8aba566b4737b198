import { type FormEvent, useId, useState } from 'react';
import type { NamespaceList } from '../../contract/cluster.ts';
import type { WireError } from '../../contract/error.ts';
import { findNameFault } from '../../domain/names.ts';
import { compareNatural } from '../../messages/natural-order.ts';
import { Checkbox } from '../app/chrome/checkbox.tsx';
import { Icon } from '../app/chrome/icons.tsx';
import { Popover } from '../app/chrome/popover.tsx';
import { messageOf } from '../messages/message-of.ts';
import { sentence } from '../messages/sentence.ts';
import { toggle } from './list/selection.ts';

interface NamespaceMenuProps {
  readonly chosen: readonly string[];
  readonly known: NamespaceList | undefined;
  readonly counts: ReadonlyMap<string, number>;
  readonly onChange: (namespaces: readonly string[]) => void;
}

/** Chooses the namespaces of the list, and shows the number of workloads in each. */
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
  const refusals = new Map((known?.namespaces ?? []).map(({ name, denied }) => [name, denied]));
  const names = [...new Set([...refusals.keys(), ...counts.keys(), ...chosen])].sort(compareNatural);
  const text = filter.trim().toLowerCase();
  const shown = names.filter((name) => name.includes(text));
  // Users can still name namespaces that they cannot list.
  const isName = text !== '' && findNameFault(text, 'label') === undefined;
  const canAdd = known?.partial !== undefined && isName && !names.includes(text);
  const submit = () => {
    const only = shown[0];
    if (canAdd) onChange([...chosen, text]);
    else if (shown.length === 1 && only !== undefined) onChange(toggle(chosen, only));
  };
  return (
    <>
      <FindField value={filter} onType={setFilter} onSubmit={submit} />
      {known?.partial === undefined ? null : (
        <p className="panel-note">{sentence(messageOf(known.partial).what)}. Type a name to add it.</p>
      )}
      <ul>
        <Choice
          id={`${id}-all`}
          name="All namespaces"
          isChosen={chosen.length === 0}
          onToggle={() => onChange([])}
        />
        {canAdd ? (
          <li>
            <button type="button" className="item" onClick={() => onChange([...chosen, text])}>
              Add {text}
            </button>
          </li>
        ) : null}
        {shown.map((name) => (
          <Choice
            key={name}
            id={`${id}-${name}`}
            name={name}
            namespace={name}
            note={(counts.get(name) ?? 0).toLocaleString('en')}
            refusal={refusals.get(name)}
            isChosen={chosen.includes(name)}
            onToggle={() => onChange(toggle(chosen, name))}
          />
        ))}
      </ul>
      {shown.length === 0 && !canAdd ? <p className="panel-note">No namespace matches.</p> : null}
    </>
  );
}

interface FindFieldProps {
  readonly value: string;
  readonly onType: (text: string) => void;
  readonly onSubmit: () => void;
}

function FindField({ value, onType, onSubmit }: FindFieldProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <input
        className="panel-field"
        aria-label="Find a namespace"
        placeholder="Find a namespace"
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onType(event.target.value)}
      />
    </form>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly note?: string;
  /** Why the user cannot read the namespace; it can still be chosen. */
  readonly refusal?: WireError | undefined;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}

function Choice({ id, name, namespace, note, refusal, isChosen, onToggle }: ChoiceProps) {
  const shownNote =
    refusal === undefined
      ? note
      : `denied: ${refusal.denied?.verb ?? ''} ${refusal.denied?.resource ?? ''}`.trim();
  return (
    <li>
      <label
        className={`item${refusal === undefined ? '' : ' denied'}`}
        data-namespace={namespace}
        htmlFor={id}
      >
        <Checkbox id={id} state={isChosen ? 'all' : 'none'} onChange={onToggle} />
        <span className="item-name">{name}</span>
        {shownNote === undefined ? null : <span className="item-note">{shownNote}</span>}
      </label>
    </li>
  );
}

function titleOf(chosen: readonly string[]): string {
  if (chosen.length === 0) return 'All namespaces';
  return chosen.length <= 2 ? chosen.join(', ') : `${chosen.length} namespaces`;
}
