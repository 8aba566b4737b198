import { type ColumnName, DEFAULT_COLUMNS } from '../../domain/columns.ts';
import { readColumns } from '../settings/read-flag.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * Returns output columns in order: those of --columns or its default, then added ones, without removed ones.
 */
export function planColumns(settings: Settings<'logs'>): readonly ColumnName[] {
  const removed = new Set(settings.value('remove-columns'));
  const all = [...settings.value('columns'), ...settings.value('add-columns')];
  return [...new Set(all)].filter((name) => !removed.has(name));
}

/** Returns the initial columns of the dashboard: those of the configuration file, else the defaults. */
export function planDashboardColumns(settings: Settings<'serve'>): readonly ColumnName[] {
  const stored = settings.stored('dashboard.columns');
  return stored === undefined ? DEFAULT_COLUMNS : [...new Set(readColumns(stored))];
}
