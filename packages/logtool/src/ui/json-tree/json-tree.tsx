import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { DEFAULT_COLUMNS } from '../../domain/columns.ts';
import { AnsiText } from '../ansi/ansi-text.tsx';
import { legibleText } from '../ansi/plain-text.ts';
import { copyText } from '../app/chrome/copy-button.tsx';
import { useShell } from '../app/shell-context.ts';
import { structuredOf } from '../console/session/line-fields.ts';
import type { JsonTreeProps } from '../console/session/slots.ts';
import type { ConsoleColumn, ConsoleUrl } from '../console/url/console-url.ts';
import { everywhereChange, hasTerm, textChange } from './search-change.ts';
import { fieldLines, type ParsedLine, parseTreeLine, type TreeLine, treeLines } from './tree-lines.ts';
import './json-tree.css';

/** The fields of a line. Arrows go through them once they have the focus; Right enters from the row. */
export function JsonTree(props: JsonTreeProps) {
  const { row, onLeave } = props;
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const box = useRef<HTMLUListElement>(null);
  const parsed = useMemo(() => parseFields(row), [row]);
  const lines = useMemo(() => linesOf(parsed, toggled), [parsed, toggled]);
  useEnter(row.entry, box);
  if ('fault' in parsed) return <p className="tree-fault">{parsed.fault}</p>;
  const toggle = (id: string) => {
    const next = new Set(toggled);
    if (!next.delete(id)) next.add(id);
    setToggled(next);
  };
  return (
    <ul ref={box} className="json-tree" aria-label="Fields" onKeyDown={(event) => moveIn(event, onLeave)}>
      {lines.map((line) => (
        <Line key={line.id} line={line} onToggle={() => toggle(line.id)} {...props} />
      ))}
      {lines.length === 0 ? <li className="tree-note">No fields</li> : null}
    </ul>
  );
}

type ParsedRow = ParsedLine | { readonly lines: readonly TreeLine[] };

function parseFields(row: JsonTreeProps['row']): ParsedRow {
  const structured = row.isJson ? undefined : structuredOf(row);
  return structured === undefined ? parseTreeLine(row.text) : { lines: fieldLines(row.text, structured) };
}

function linesOf(parsed: ParsedRow, toggled: ReadonlySet<string>): readonly TreeLine[] {
  if ('lines' in parsed) return parsed.lines;
  return 'value' in parsed ? treeLines(parsed, toggled) : [];
}

type LineProps = JsonTreeProps & { readonly line: TreeLine; readonly onToggle: () => void };

function Line(props: LineProps) {
  const { line } = props;
  return (
    <li className="tree-line" data-path={line.column ?? line.filter?.path}>
      <Main {...props} />
      {line.kind === 'more' ? null : <Actions {...props} />}
    </li>
  );
}

/** The key and its value; what holds others is a button that opens it. */
function Main({ line, onToggle }: LineProps) {
  const label = legibleText(line.label);
  const head = (
    <span className="tree-key" style={{ paddingLeft: line.depth * 12 }} title={label}>
      {label}
    </span>
  );
  if (line.isOpen === undefined) {
    return (
      <span className="tree-main">
        {head}
        <span className={`tree-value ${line.kind}`}>
          <AnsiText text={line.text} />
        </span>
      </span>
    );
  }
  return (
    <button type="button" tabIndex={-1} className="tree-main" aria-expanded={line.isOpen} onClick={onToggle}>
      {head}
      <span className="tree-size">
        {line.kind === 'more' ? null : line.isOpen ? '▾ ' : '▸ '}
        {line.text}
      </span>
    </button>
  );
}

/** What can be done with a value. */
function Actions({ line, url, setUrl }: LineProps) {
  const { filter, column, written, sought } = line;
  const label = legibleText(line.label);
  return (
    <span className="tree-actions">
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
      <CopyAction label={label} text={line.value} />
    </span>
  );
}

type FieldActionProps = Pick<LineProps, 'url' | 'setUrl'> & { readonly label: string };

function FilterActions({
  label,
  filter,
  url,
  setUrl,
}: FieldActionProps & { readonly filter: NonNullable<TreeLine['filter']> }) {
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

function TextActions({ label, written, url, setUrl }: FieldActionProps & { readonly written: string }) {
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

function ColumnAction({ label, column, url, setUrl }: FieldActionProps & { readonly column: string }) {
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
  /** Absent: it is done, not switched. */
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

/** From the log, whose active row this is, the right arrow goes into the tree. */
function useEnter(entry: number, box: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'ArrowRight' || event.defaultPrevented || event.altKey) return;
      const at = event.target as Element;
      if (at.getAttribute('aria-activedescendant') !== `row-${entry}`) return;
      const first = box.current?.querySelector<HTMLElement>('button');
      if (first === null || first === undefined) return;
      event.preventDefault();
      first.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [entry, box]);
}

/** Up and down between lines, left and right between what can be done with one; Escape and beyond the ends: out. */
function moveIn(event: KeyboardEvent<HTMLElement>, onLeave: () => void): void {
  const button = (event.target as Element).closest<HTMLElement>('button');
  const line = button?.closest('.tree-line');
  if (button === null || line === null || line === undefined) return;
  const inLine = [...line.querySelectorAll<HTMLElement>('button')];
  const at = inLine.indexOf(button);
  const beside = (key: 'nextElementSibling' | 'previousElementSibling') => {
    for (let next = line[key]; next !== null; next = next[key]) {
      const found = next.querySelectorAll<HTMLElement>('button');
      if (found.length > 0) return found[Math.min(at, found.length - 1)];
    }
    return undefined;
  };
  let next: HTMLElement | undefined;
  if (event.key === 'ArrowDown') next = beside('nextElementSibling');
  else if (event.key === 'ArrowUp') next = beside('previousElementSibling');
  else if (event.key === 'ArrowRight') next = inLine[at + 1] ?? button;
  else if (event.key === 'ArrowLeft') next = inLine[at - 1];
  else if (event.key !== 'Escape') return;
  event.preventDefault();
  event.stopPropagation();
  if (next === undefined) onLeave();
  else next.focus();
}

/** Asks for a value of a field, or does not want it; the same once more takes it away. */
export function fieldChange(
  url: Pick<ConsoleUrl, 'fields'>,
  { path, value }: { readonly path: string; readonly value: string },
  isExcluded: boolean,
): { readonly fields?: readonly string[] } {
  const own = `${path}=${value}`;
  const wanted = isExcluded ? `!${own}` : own;
  const fields = url.fields ?? [];
  const others = fields.filter((field) => field !== own && field !== `!${own}`);
  return { fields: fields.includes(wanted) ? others : [...others, wanted] };
}
