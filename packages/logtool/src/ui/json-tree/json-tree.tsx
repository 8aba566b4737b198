import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { AnsiText } from '../ansi/ansi-text.tsx';
import { legibleText } from '../ansi/plain-text.ts';
import { structuredOf } from '../console/session/line-fields.ts';
import type { JsonTreeProps } from '../console/tools/slots.ts';
import { FieldActions } from './field-actions.tsx';
import { fieldLines, type ParsedLine, parseTreeLine, type TreeLine, treeLines } from './tree-lines.ts';
import './json-tree.css';

/** The fields of a line. Once the tree has the focus, arrows move through it; Right enters from the row. */
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
      {line.kind === 'more' ? null : <FieldActions field={line} url={props.url} setUrl={props.setUrl} />}
    </li>
  );
}

/** The key and its value; an object or list is a button that opens it. */
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

/** In the log, while this is the active row, the right arrow enters the tree. */
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

/**
 * Up and Down move between lines, Left and Right between the actions of a line; Escape, and moves past the
 * ends, leave.
 */
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
