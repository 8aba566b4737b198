/** Names of the output columns of a record (the message itself is always last and has no name). */
export const COLUMN_NAMES = [
  'timestamp',
  'dot',
  'node',
  'region',
  'zone',
  'os',
  'arch',
  'namespace',
  'pod',
  'container',
] as const;

export type ColumnName = (typeof COLUMN_NAMES)[number];

export const DEFAULT_COLUMNS: readonly ColumnName[] = ['timestamp', 'dot'];

/** The column of that name in any letter case; undefined when there is none. */
export function parseColumn(text: string): ColumnName | undefined {
  const name = text.trim().toLowerCase();
  return COLUMN_NAMES.find((column) => column === name);
}
