import type { ContainerTarget } from './container.ts';

interface Column {
  /** Where its value comes from: the record, the container, or the labels of the node, which cost requests. */
  readonly from: 'record' | 'container' | 'node';
  /** Returns the column's value for a run of a container; undefined if it is unknown, and for columns of the record. */
  readonly value: (target: ContainerTarget, runId: string) => string | undefined;
  /** Shown by default. */
  readonly isDefault?: true;
  /** Width on the page; a terminal measures what it shows. */
  readonly widthPx: number;
}

const nothing = () => undefined;

/**
 * Every column except the message, which is always last and has no name. Terminal, page, flags and docs derive from it.
 */
const COLUMNS = {
  timestamp: { from: 'record', value: nothing, isDefault: true, widthPx: 98 },
  dot: { from: 'record', value: nothing, isDefault: true, widthPx: 15 },
  node: { from: 'container', value: ({ placement }) => placement.node, widthPx: 144 },
  region: { from: 'node', value: ({ placement }) => placement.region, widthPx: 104 },
  zone: { from: 'node', value: ({ placement }) => placement.zone, widthPx: 112 },
  os: { from: 'node', value: ({ placement }) => placement.os, widthPx: 64 },
  arch: { from: 'node', value: ({ placement }) => placement.arch, widthPx: 64 },
  namespace: { from: 'container', value: ({ namespace }) => namespace, widthPx: 112 },
  pod: { from: 'container', value: ({ pod }) => pod, widthPx: 192 },
  container: { from: 'container', value: ({ container }) => container, widthPx: 112 },
} as const satisfies Readonly<Record<string, Column>>;

export type ColumnName = keyof typeof COLUMNS;

/** Columns that are read from the labels of nodes. */
export type NodeColumn = {
  [C in ColumnName]: (typeof COLUMNS)[C]['from'] extends 'node' ? C : never;
}[ColumnName];

/** Columns whose values come from a container or its node, not from the record. */
type SourceColumn = {
  [C in ColumnName]: (typeof COLUMNS)[C]['from'] extends 'record' ? never : C;
}[ColumnName];

/** The values of those columns for one run of a container, by the column's name. */
export type SourceColumns = { readonly [C in SourceColumn]: ReturnType<(typeof COLUMNS)[C]['value']> };

/** In the order of the table. */
export const COLUMN_NAMES = Object.keys(COLUMNS) as readonly ColumnName[];

export const DEFAULT_COLUMNS: readonly ColumnName[] = COLUMN_NAMES.filter((name) => columnOf(name).isDefault);

export const NODE_COLUMNS = COLUMN_NAMES.filter((name): name is NodeColumn => columnOf(name).from === 'node');

/** Returns the table's entry for a column. */
export function columnOf(name: ColumnName): Column {
  return COLUMNS[name];
}

/** Columns that have a value for each run of a container, in the order of the table. */
export const SOURCE_COLUMNS = COLUMN_NAMES.filter(
  (name): name is SourceColumn => columnOf(name).from !== 'record',
);

/** Returns what a terminal shows in those columns for a run; the page gets the same values. */
export function sourceColumns(target: ContainerTarget, runId: string): SourceColumns {
  const values = SOURCE_COLUMNS.map((name) => [name, columnOf(name).value(target, runId)] as const);
  return Object.fromEntries(values) as unknown as SourceColumns;
}

/** Returns the column of that name in any letter case; undefined if none matches. */
export function parseColumn(text: string): ColumnName | undefined {
  const name = text.trim().toLowerCase();
  return COLUMN_NAMES.find((column) => column === name);
}
