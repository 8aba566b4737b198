import type { ColumnName } from '../../domain/columns.ts';
import { usageError } from '../../domain/errors.ts';
import { planColumns } from './columns.ts';
import { readPatterns } from './filter.ts';
import type { Settings } from './settings.ts';
import { badValue, readBoolean, readChoice } from './values.ts';

/** How records are printed. Whether there is a terminal is asked later: it is no wish of anybody. */
export interface OutputPlan {
  readonly format: 'text' | 'json' | 'raw';
  readonly columns: readonly ColumnName[];
  readonly header: boolean;
  readonly color: 'auto' | 'always' | 'never';
  /** `utc`, `local` or a name of the IANA time zone database. */
  readonly timezone: string;
  /** What is marked on a terminal: --highlight and --grep together, as one RE2 pattern. */
  readonly highlight: string | undefined;
  readonly ignoreCase: boolean;
  readonly cursors: boolean;
  readonly quiet: boolean;
}

export async function planOutput(settings: Settings): Promise<OutputPlan> {
  const ignoreCase = readBoolean(settings, 'ignore-case');
  const format = readFormat(settings);
  checkColumnsAreShown(settings, format);
  return {
    format,
    columns: planColumns(settings),
    header: !readBoolean(settings, 'hide-header'),
    color: readColor(settings),
    timezone: readTimezone(settings),
    highlight: await readPatterns(
      [...settings.allGiven('grep'), ...settings.allGiven('highlight')],
      ignoreCase,
    ),
    ignoreCase,
    cursors: readBoolean(settings, 'with-cursors'),
    quiet: readBoolean(settings, 'quiet'),
  };
}

export function readColor(settings: Settings): 'auto' | 'always' | 'never' {
  const setting = settings.first('color');
  return setting === undefined ? 'auto' : readChoice(setting, ['auto', 'always', 'never']);
}

function readFormat(settings: Settings): 'text' | 'json' | 'raw' {
  const setting = settings.first('output');
  const format = setting === undefined ? 'text' : readChoice(setting, ['text', 'json']);
  if (!readBoolean(settings, 'raw')) return format;
  const asked = settings.given('output');
  if (asked !== undefined && format === 'json') {
    throw usageError({
      code: 'raw-with-json',
      what: `--raw and ${asked.written} json exclude each other`,
      why: 'raw output is the messages alone',
      next: 'leave one of them out',
    });
  }
  return 'raw';
}

const COLUMN_FLAGS = ['columns', 'add-columns', 'remove-columns'] as const;

/**
 * Columns that were typed for an output that has none. Those of the environment or the configuration file stand for all
 * commands: they are passed over.
 */
function checkColumnsAreShown(settings: Settings, format: OutputPlan['format']): void {
  if (format === 'text') return;
  const flag = COLUMN_FLAGS.map((name) => settings.given(name)).find((use) => use !== undefined);
  if (flag === undefined) return;
  const chosen = settings.first(format === 'raw' ? 'raw' : 'output');
  const chosenBy = format === 'raw' ? `${chosen?.written}` : `${chosen?.written} json`;
  throw usageError({
    code: 'columns-without-effect',
    what: `${flag.written} has no effect with ${chosenBy}`,
    why: format === 'raw' ? 'raw output is only the messages' : 'each JSON object has all fields',
    next: `leave out ${flag.written} or ${chosenBy}`,
  });
}

function readTimezone(settings: Settings): string {
  const setting = settings.first('timezone');
  if (setting === undefined) return 'utc';
  const name = setting.value?.trim() ?? '';
  if (/^(utc|local)$/i.test(name)) return name.toLowerCase();
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name;
  } catch {
    throw badValue(
      'bad-timezone',
      setting,
      'no time zone of that name is known',
      'write utc, local or a name such as Europe/Berlin',
    );
  }
}
