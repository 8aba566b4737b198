import { type Cell, type Row, WRONG } from './row.ts';

/** The outcome of a case. */
export interface Outcome {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly failure?: string;
  readonly skipped?: string;
}

const COLUMNS = ['wall', 'cpu', 'peak', 'other'] as const;
const COLUMN_LABELS: Record<Cell['column'], string> = {
  wall: 'wall time',
  cpu: 'CPU time',
  peak: 'peak memory',
  other: 'figure',
};

export const HEAD = [
  '| case | logtool | wall time | CPU time | peak memory | other figures | goals |',
  '|---|---|---|---|---|---|---|',
];

/** Whether a case failed, or measured a program with a wrong output; missed goals do not count. */
export function isBroken({ rows, failure }: Outcome): boolean {
  return failure !== undefined || rows.some(({ note }) => note?.startsWith(WRONG));
}

/** Returns the table's rows for one case. */
export function tableRows({ name, rows, failure, skipped }: Outcome): readonly string[] {
  const ended =
    failure !== undefined ? `**failed**: ${failure}` : skipped === undefined ? '' : `skipped: ${skipped}`;
  return [
    ...rows.map((row) =>
      line([name, row.who, ...COLUMNS.map((column) => cellOf(row, column)), verdict(row)]),
    ),
    ...(ended === '' ? [] : [line([name, '', '', '', '', '', ended])]),
  ];
}

function cellOf(row: Row, column: Cell['column']): string {
  return row.cells
    .filter((cell) => cell.column === column)
    .map((cell) => cell.text)
    .join('; ');
}

function verdict(row: Row): string {
  const withGoal = row.cells.filter((cell) => cell.isMet !== undefined);
  const short = withGoal.filter((cell) => !cell.isMet).map((cell) => cell.name ?? COLUMN_LABELS[cell.column]);
  const goal = withGoal.length === 0 ? '' : short.length === 0 ? 'met' : `**short**: ${short.join(', ')}`;
  return [goal, row.note ?? ''].filter((text) => text !== '').join('; ');
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}
