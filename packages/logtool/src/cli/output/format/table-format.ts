import { decodeUtf8, sanitizeLine, sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { COLUMN_NAMES, type ColumnName, columnOf } from '../../../domain/columns.ts';
import { type ContainerTarget, currentRunId } from '../../../domain/container.ts';
import type { LogRecord, Run } from '../../../domain/record.ts';
import { identityOf } from '../../../domain/speakers/hues.ts';
import type { ByteBuilder } from './byte-builder.ts';
import type { DotColors } from './colors.ts';
import type { Highlight } from './highlight.ts';
import type { RecordFormat } from './record-format.ts';
import { createTimeCell, type TimeFormat } from './time-format.ts';

/** The parts of a container's full name, from widest to narrowest scope. */
const NAME_COLUMNS = ['namespace', 'pod', 'container'] as const;

type NameColumn = (typeof NAME_COLUMNS)[number];

export interface TableOptions {
  readonly columns: readonly ColumnName[];
  readonly header: boolean;
  readonly time: TimeFormat;
  /**
   * Undefined without color, and then there is no dot column. A terminal instead gets the names that
   * distinguish several containers.
   */
  readonly dots: DotColors | undefined;
  /** Standard output is a terminal: escape messages, too; names are always escaped. */
  readonly terminal: boolean;
  readonly color: boolean;
  readonly highlight: Highlight | undefined;
}

const GAP = '  ';

/** Formats rows of padded columns with the message last. Columns are as wide as the widest value so far. */
export function createTableFormat(options: TableOptions): RecordFormat {
  const table = new TableFormat(options);
  return {
    see: (target) => table.see(target),
    header: () => table.header(),
    bulletOf: (target) => table.bulletOf(target),
    append: (record, to) => table.append(record, to),
  };
}

class TableFormat {
  readonly #options: TableOptions;
  /** Replaces the dots on a terminal without color: the names that distinguish containers. */
  readonly #names: NameColumns | undefined;
  #columns: readonly ColumnName[];
  readonly #hasTime: boolean;
  readonly #measured: ReadonlySet<ColumnName>;
  readonly #widths: Map<ColumnName, number>;
  readonly #timeCell: ReturnType<typeof createTimeCell>;
  /** Cells other than the timestamp stay the same for all records of a run until a column grows. */
  #cells = new WeakMap<Run, readonly [before: Uint8Array, after: Uint8Array]>();

  constructor(options: TableOptions) {
    this.#options = options;
    const needsNames = options.terminal && options.dots === undefined && options.columns.includes('dot');
    this.#names = needsNames ? new NameColumns() : undefined;
    this.#columns = this.#columnsNow();
    this.#hasTime = this.#columns.includes('timestamp');
    this.#measured = new Set([...this.#columns, ...(needsNames ? NAME_COLUMNS : [])]);
    this.#widths = new Map(COLUMN_NAMES.map((column) => [column, firstWidth(column, options.time)]));
    this.#timeCell = createTimeCell(options.time, GAP);
  }

  see(target: ContainerTarget): void {
    this.#options.dots?.see(identityOf(target));
    if (this.#names?.see(target)) {
      this.#columns = this.#columnsNow();
      this.#cells = new WeakMap();
    }
    this.#measure(target, currentRunId(target));
  }

  header(): string | undefined {
    if (!this.#options.header || this.#columns.length === 0) return undefined;
    const titles = this.#columns.map((column) => {
      const title = column === 'dot' ? '○' : column.toUpperCase();
      return title.padEnd(this.#widths.get(column) ?? 0) + GAP;
    });
    return `${titles.join('')}MESSAGE\n`;
  }

  bulletOf(target: ContainerTarget): string | undefined {
    const isNamed = this.#columns.includes('pod');
    return this.#columns.includes('dot') && !isNamed ? this.#bullet(target) : undefined;
  }

  append(record: LogRecord, to: ByteBuilder): void {
    const [before, after] = this.#cellsOf(record.run);
    to.bytes(before);
    if (this.#hasTime) to.bytes(this.#timeCell(record.at));
    to.bytes(after);
    if (this.#options.terminal) to.text(this.#message(record.message));
    else to.bytes(record.message);
    to.newline();
  }

  #columnsNow(): readonly ColumnName[] {
    const { columns, dots } = this.#options;
    const instead = this.#names?.differing.filter((name) => !columns.includes(name)) ?? [];
    return columns.flatMap((column) => (column === 'dot' && dots === undefined ? instead : column));
  }

  #cellsOf(run: Run): readonly [Uint8Array, Uint8Array] {
    const known = this.#cells.get(run);
    if (known !== undefined) return known;
    const runId = run.key.containerId;
    this.#measure(run.target, runId);
    const timeAt = this.#columns.indexOf('timestamp');
    const bytes = (columns: readonly ColumnName[]) =>
      Buffer.from(columns.map((column) => this.#cell(column, run.target, runId)).join(''));
    const made = [
      bytes(this.#columns.slice(0, Math.max(timeAt, 0))),
      bytes(this.#columns.slice(timeAt + 1)),
    ] as const;
    this.#cells.set(run, made);
    return made;
  }

  /** Widens columns in which this run has a wider value than earlier ones. */
  #measure(target: ContainerTarget, runId: string): void {
    for (const column of this.#measured) {
      if (column === 'timestamp' || column === 'dot') continue;
      const width = valueIn(column, target, runId).length;
      if (width <= (this.#widths.get(column) ?? 0)) continue;
      this.#widths.set(column, width);
      this.#cells = new WeakMap();
    }
  }

  #cell(column: ColumnName, target: ContainerTarget, runId: string): string {
    if (column === 'dot') return this.#bullet(target) + GAP;
    return valueIn(column, target, runId).padEnd(this.#widths.get(column) ?? 0) + GAP;
  }

  #message(bytes: Uint8Array): string {
    const safe = sanitizeLine(decodeUtf8(bytes), this.#options.color);
    return this.#options.highlight === undefined ? safe : this.#options.highlight(safe);
  }

  #bullet(target: ContainerTarget): string {
    return `\x1b[${this.#options.dots?.codeOf(identityOf(target))}m●\x1b[0m`;
  }
}

/** Escapes in a pipe, too, because it may lead to a pager. Kubernetes names stay unchanged. */
function valueIn(column: ColumnName, target: ContainerTarget, runId: string): string {
  return sanitizeText(columnOf(column).value(target, runId) ?? '-') || '-';
}

function firstWidth(column: ColumnName, time: TimeFormat): number {
  if (column === 'timestamp') return time.width;
  return column === 'dot' ? 1 : column.length;
}

/** The parts of names that distinguish the containers in view; none for a single container. */
class NameColumns {
  #first: ContainerTarget | undefined;
  readonly #differing = new Set<NameColumn>();

  /** Returns true if more parts are needed than before. */
  see(target: ContainerTarget): boolean {
    this.#first ??= target;
    const before = this.#differing.size;
    for (const name of NAME_COLUMNS) if (target[name] !== this.#first[name]) this.#differing.add(name);
    return this.#differing.size > before;
  }

  get differing(): readonly NameColumn[] {
    return NAME_COLUMNS.filter((name) => this.#differing.has(name));
  }
}
