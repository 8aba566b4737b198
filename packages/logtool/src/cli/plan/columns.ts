import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import { COLUMN_NAMES, type ColumnName, DEFAULT_COLUMNS, parseColumn } from '../../domain/columns.ts';
import type { Setting, Settings } from './settings.ts';
import { badValue } from './values.ts';

/** Output columns in their order: --columns, else environment or file, else the defaults; then added and removed. */
export function planColumns(settings: Settings): readonly ColumnName[] {
  const chosen = namesOf(settings.allGiven('columns'));
  const fallback = settings.fallback('columns');
  const defaults = fallback === undefined ? DEFAULT_COLUMNS : namesOf([fallback]);
  const base = settings.given('columns') === undefined ? defaults : chosen;
  const removed = new Set(namesOf(settings.allGiven('remove-columns')));
  const all = [...base, ...namesOf(settings.allGiven('add-columns'))];
  return [...new Set(all)].filter((name) => !removed.has(name));
}

/** Columns that the dashboard shows at first: those of the configuration file, else the defaults. */
export function planDashboardColumns(settings: Settings): readonly ColumnName[] {
  const stored = settings.stored('dashboard.columns');
  return stored === undefined ? DEFAULT_COLUMNS : [...new Set(namesOf([stored]))];
}

function namesOf(uses: readonly Setting[]): readonly ColumnName[] {
  return uses.flatMap((use) =>
    (use.value ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => readColumn({ value: part, written: use.written })),
  );
}

function readColumn(setting: Setting): ColumnName {
  const text = setting.value ?? '';
  const column = parseColumn(text);
  if (column !== undefined) return column;
  const near = nearNames(text, COLUMN_NAMES, 1)[0];
  throw badValue(
    'unknown-column',
    setting,
    near === undefined ? 'there is no such column' : `there is no such column; did you mean ${near}?`,
    `the columns are ${COLUMN_NAMES.join(', ')}`,
  );
}
