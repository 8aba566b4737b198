import { useState } from 'react';
import { DEFAULT_COLUMNS } from '../../domain/columns.ts';
import { legibleText } from '../ansi/plain-text.ts';
import { copyText } from '../app/chrome/copy-button.tsx';
import type { ConsoleColumn, ConsoleUrl, SetUrl } from '../console/url/console-url.ts';
import { useShell } from '../shell/shell-context.ts';
import { everywhereChange, fieldChange, hasTerm, textChange } from './search-change.ts';
import type { Field } from './tree-lines.ts';
import './field-actions.css';

interface ActionsOf {
  readonly url: ConsoleUrl;
  readonly setUrl: SetUrl;
}

interface FieldActionsProps extends ActionsOf {
  readonly field: Field;
}

/** The actions for a field's value. */
export function FieldActions({ field, url, setUrl }: FieldActionsProps) {
  const { filter, column, written, sought } = field;
  const label = legibleText(field.label);
  return (
    <span className="field-actions">
      {filter === undefined ? null : (
        <FilterActions label={label} filter={filter} url={url} setUrl={setUrl} />
      )}
      {written === undefined ? null : (
        <TextActions label={label} written={written} url={url} setUrl={setUrl} />
      )}
      {sought === undefined ? null : (
        <Action name="find in all sources" of={label} run={() => setUrl(everywhereChange(sought))} />
      )}
      {column === undefined ? null : <ColumnAction label={label} column={column} url={url} setUrl={setUrl} />}
      <CopyAction label={label} text={field.value} />
    </span>
  );
}

interface LabeledProps extends ActionsOf {
  readonly label: string;
}

function FilterActions({
  label,
  filter,
  url,
  setUrl,
}: LabeledProps & { readonly filter: NonNullable<Field['filter']> }) {
  const own = `${filter.path}=${filter.value}`;
  return (
    <>
      <Action
        name="include"
        of={label}
        isOn={url.fields?.includes(own) === true}
        run={() => setUrl(fieldChange(url, filter, false))}
      />
      <Action
        name="exclude"
        of={label}
        isOn={url.fields?.includes(`!${own}`) === true}
        run={() => setUrl(fieldChange(url, filter, true))}
      />
    </>
  );
}

function TextActions({ label, written, url, setUrl }: LabeledProps & { readonly written: string }) {
  return (
    <>
      <Action
        name="include"
        of={label}
        isOn={hasTerm(url, written, false)}
        run={() => setUrl(textChange(url, written, false))}
      />
      <Action
        name="exclude"
        of={label}
        isOn={hasTerm(url, written, true)}
        run={() => setUrl(textChange(url, written, true))}
      />
    </>
  );
}

function ColumnAction({ label, column, url, setUrl }: LabeledProps & { readonly column: string }) {
  const { info } = useShell();
  const columns: readonly ConsoleColumn[] = url.cols ?? info?.columns ?? DEFAULT_COLUMNS;
  const own: ConsoleColumn = `json:${column}`;
  const isOn = columns.includes(own);
  const toggle = () => setUrl({ cols: isOn ? columns.filter((each) => each !== own) : [...columns, own] });
  return <Action name="show as column" of={label} isOn={isOn} run={toggle} />;
}

function CopyAction({ label, text }: { readonly label: string; readonly text: string }) {
  const [result, setResult] = useState<string | undefined>();
  const copy = () =>
    copyText(text).then(
      () => setResult('copied'),
      () => setResult('the browser blocked copying'),
    );
  return (
    <>
      <Action name="copy value" of={label} run={() => void copy()} />
      <span role="status">{result}</span>
    </>
  );
}

interface ActionProps {
  readonly name: string;
  readonly of: string;
  /** Absent: an action, not a switch. */
  readonly isOn?: boolean;
  readonly run: () => void;
}

function Action({ name, of, isOn, run }: ActionProps) {
  return (
    <button type="button" tabIndex={-1} aria-label={`${name}: ${of}`} aria-pressed={isOn} onClick={run}>
      {name}
    </button>
  );
}
