import { type ColumnName, DEFAULT_COLUMNS } from '../../domain/columns.ts';
import { readColumns } from '../settings/read-flag.ts';
import type { Settings } from '../settings/settings.ts';

/** Output columns in their order: those of --columns and what stands in its place; then added and removed ones. */
export function planColumns(settings: Settings<'logs'>): readonly ColumnName[] {
  const removed = new Set(settings.value('remove-columns'));
  const all = [...settings.value('columns'), ...settings.value('add-columns')];
  return [...new Set(all)].filter((name) => !removed.has(name));
}

/** Columns that the dashboard shows at first: those of the configuration file, else the defaults. */
export function planDashboardColumns(settings: Settings<'serve'>): readonly ColumnName[] {
  const stored = settings.stored('dashboard.columns');
  return stored === undefined ? DEFAULT_COLUMNS : [...new Set(readColumns(stored))];
}
