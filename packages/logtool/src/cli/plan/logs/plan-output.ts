import { badValue, usageFailure } from '../../messages/errors.ts';
import type { Setting } from '../../settings/setting.ts';
import type { Settings } from '../../settings/settings.ts';
import { planColumns } from '../plan-columns.ts';
import { parseTemplate } from './line-template.ts';
import { type OutputPlan, RECORD_FORMATS } from './logs-plan.ts';
import { readPatterns } from './plan-filter.ts';

export async function planOutput(settings: Settings<'logs'>): Promise<OutputPlan> {
  const ignoreCase = settings.value('ignore-case');
  const asked = settings.given('format');
  const format = asked === undefined ? readFormat(settings) : 'template';
  if (asked !== undefined) checkOnlyFormat(settings);
  checkColumnsAreShown(settings, format);
  checkFieldsAreShown(settings, format);
  return {
    format,
    template: asked === undefined ? [] : parseTemplate(asked),
    columns: planColumns(settings),
    fields: { only: settings.value('fields'), hidden: settings.value('hide-fields') },
    header: !settings.value('hide-header'),
    color: settings.value('color'),
    timezone: readTimezone(settings),
    highlight: await readPatterns(
      [...settings.allGiven('grep'), ...settings.allGiven('highlight')],
      ignoreCase,
    ),
    ignoreCase,
    cursors: settings.value('with-cursors'),
    quiet: settings.value('quiet'),
  };
}

/**
 * --format defines the whole output; a format from the environment or the configuration file yields to it.
 */
function checkOnlyFormat(settings: Settings<'logs'>): void {
  const raw = settings.given('raw');
  const other = settings.given('output') ?? (raw !== undefined && settings.value('raw') ? raw : undefined);
  if (other === undefined) return;
  throw usageFailure('exclusive-format', { written: other.written });
}

function readFormat(settings: Settings<'logs'>): Exclude<OutputPlan['format'], 'template'> {
  const setting = settings.first('output');
  if (setting !== undefined) checkOutput(setting);
  const format = settings.value('output');
  if (!settings.value('raw')) return format;
  const asked = settings.given('output');
  if (asked !== undefined && format !== 'text') {
    throw usageFailure('raw-with-json', { written: asked.written, format });
  }
  return 'raw';
}

/** For formats of other tools, advises the flag that does the same here. */
function checkOutput(setting: Setting): void {
  const text = setting.value?.toLowerCase() ?? '';
  const other = Object.hasOwn(OTHER_OUTPUTS, text) ? OTHER_OUTPUTS[text] : undefined;
  if (other === undefined) return;
  throw badValue('bad-choice', setting, { choices: RECORD_FORMATS, advice: other });
}

/** Formats of stern. */
const OTHER_OUTPUTS: Readonly<Record<string, string>> = {
  raw: 'for only the messages: --raw',
  default: 'leave it out: text is the default',
  extjson: 'for JSON: -o json',
  ppextjson: 'for JSON: -o json, indented by jq',
};

const COLUMN_FLAGS = ['columns', 'add-columns', 'remove-columns'] as const;

/**
 * Rejects columns for an output that has none. Ignores columns from the environment or the configuration
 * file, because these apply to all commands.
 */
function checkColumnsAreShown(settings: Settings<'logs'>, format: OutputPlan['format']): void {
  if (format === 'text' || format === 'csv' || format === 'tsv') return;
  const flag = COLUMN_FLAGS.map((name) => settings.given(name)).find((use) => use !== undefined);
  if (flag === undefined) return;
  throw usageFailure('columns-without-effect', {
    written: flag.written,
    by: writtenFormat(settings, format),
    format,
  });
}

/** Rejects a choice of fields for an output that does not parse lines. */
function checkFieldsAreShown(settings: Settings<'logs'>, format: OutputPlan['format']): void {
  if (format === 'pretty') return;
  const use = settings.given('fields') ?? settings.given('hide-fields');
  if (use !== undefined) throw usageFailure('fields-without-pretty', { written: use.written });
}

/** Reads the time zone. Checks that Intl knows it. */
export function readTimezone(settings: Settings<'logs' | 'events' | 'why'>): string {
  const setting = settings.first('timezone');
  const name = (setting?.value ?? settings.value('timezone')).trim();
  if (/^(utc|local)$/i.test(name)) return name.toLowerCase();
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name;
  } catch {
    throw badValue('bad-timezone', setting ?? { value: name, written: '--timezone' }, {});
  }
}

/** Returns the flag that chose a format without columns, as typed. */
function writtenFormat(settings: Settings<'logs'>, format: 'raw' | 'json' | 'pretty' | 'template'): string {
  if (format === 'template') return '--format';
  return format === 'raw'
    ? (settings.first('raw')?.written ?? '--raw')
    : `${settings.first('output')?.written ?? '--output'} ${format}`;
}
