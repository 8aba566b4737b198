import { decodeUtf8, sanitizeLine, sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { COLUMN_NAMES, type ColumnName } from '../../domain/columns.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Source } from '../../domain/record.ts';
import type { DotColors } from './colors.ts';
import { columnValue } from './column-value.ts';
import type { Highlight } from './highlight.ts';
import { NAME_PARTS, NameParts } from './name-parts.ts';
import type { RecordFormat } from './record-format.ts';
import { createTimeCell, type TimeFormat } from './time-format.ts';

export interface TableOptions {
  readonly columns: readonly ColumnName[];
  readonly header: boolean;
  readonly time: TimeFormat;
  /**
   * Undefined where color is off: then there is no dot column either. In its place a terminal gets the names that tell
   * several containers apart.
   */
  readonly dots: DotColors | undefined;
  /** Standard output is a terminal: messages are made safe for it, as names are everywhere. */
  readonly terminal: boolean;
  readonly color: boolean;
  readonly highlight: Highlight | undefined;
}

const GAP = '  ';

/** Rows of padded columns with the message last. Columns are as wide as the widest value seen so far. */
export function createTableFormat(options: TableOptions): RecordFormat {
  const hasDots = options.dots !== undefined;
  const names = options.terminal && !hasDots && options.columns.includes('dot') ? new NameParts() : undefined;
  const columnsNow = (): readonly ColumnName[] => {
    const instead = names?.differing.filter((name) => !options.columns.includes(name)) ?? [];
    return options.columns.flatMap((column) => (column === 'dot' && !hasDots ? instead : column));
  };
  let columns = columnsNow();
  const measured = new Set<ColumnName>([...columns, ...(names === undefined ? [] : NAME_PARTS)]);
  const widths = new Map<ColumnName, number>(
    COLUMN_NAMES.map((column) => [column, firstWidth(column, options.time)]),
  );
  // In a pipe too, which may lead to a pager. Names of Kubernetes stay as they are.
  const valueIn = (column: ColumnName, target: ContainerTarget) =>
    sanitizeText(columnValue(column, target) ?? '-') || '-';
  // Cells but for the timestamp stay the same for all records of a source until a column grows.
  let cells = new WeakMap<Source, readonly [before: Uint8Array, after: Uint8Array]>();
  let timeAt = columns.indexOf('timestamp');
  const timeCell = createTimeCell(options.time, GAP);

  const bulletOf = (target: ContainerTarget) => `\x1b[${options.dots?.codeOf(identityOf(target))}m●\x1b[0m`;
  const cell = (column: ColumnName, target: ContainerTarget): string => {
    if (column === 'dot') return bulletOf(target) + GAP;
    return valueIn(column, target).padEnd(widths.get(column) ?? 0) + GAP;
  };
  const cellsOf = (source: Source): readonly [Uint8Array, Uint8Array] => {
    const known = cells.get(source);
    if (known !== undefined) return known;
    const bytes = (part: readonly ColumnName[]) =>
      Buffer.from(part.map((column) => cell(column, source.target)).join(''));
    const made = [bytes(columns.slice(0, Math.max(timeAt, 0))), bytes(columns.slice(timeAt + 1))] as const;
    cells.set(source, made);
    return made;
  };
  const message = (bytes: Uint8Array): string => {
    const safe = sanitizeLine(decodeUtf8(bytes), options.color);
    return options.highlight === undefined ? safe : options.highlight(safe);
  };

  return {
    see(target) {
      options.dots?.codeOf(identityOf(target));
      if (names?.see(target)) {
        columns = columnsNow();
        timeAt = columns.indexOf('timestamp');
        cells = new WeakMap();
      }
      for (const column of measured) {
        if (column === 'timestamp' || column === 'dot') continue;
        const width = valueIn(column, target).length;
        if (width <= (widths.get(column) ?? 0)) continue;
        widths.set(column, width);
        cells = new WeakMap();
      }
    },
    header() {
      if (!options.header || columns.length === 0) return undefined;
      const titles = columns.map((column) => {
        const title = column === 'dot' ? '○' : column.toUpperCase();
        return title.padEnd(widths.get(column) ?? 0) + GAP;
      });
      return `${titles.join('')}MESSAGE\n`;
    },
    bulletOf(target) {
      const isNamed = columns.includes('pod');
      return columns.includes('dot') && !isNamed ? bulletOf(target) : undefined;
    },
    append(record, to) {
      const [before, after] = cellsOf(record.source);
      to.bytes(before);
      if (timeAt >= 0) to.bytes(timeCell(record.at));
      to.bytes(after);
      if (options.terminal) to.text(message(record.message));
      else to.bytes(record.message);
      to.newline();
    },
  };
}

function firstWidth(column: ColumnName, time: TimeFormat): number {
  if (column === 'timestamp') return time.width;
  return column === 'dot' ? 1 : column.length;
}

function identityOf(target: ContainerTarget): string {
  return `${target.namespace}/${target.pod}/${target.container}`;
}
