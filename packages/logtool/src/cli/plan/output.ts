import { usageError } from '@logtool/kube/src/values/errors.ts';
import type { ColumnName } from '../../domain/columns.ts';
import { planColumns } from './columns.ts';
import { readPatterns } from './filter.ts';
import { parseTemplate, type TemplatePart } from './line-template.ts';
import type { Setting, Settings } from './settings.ts';
import { badValue, readBoolean, readChoice } from './values.ts';

/** How records are printed. Whether there is a terminal is asked later: it is no wish of anybody. */
export interface OutputPlan {
  readonly format: 'text' | 'json' | 'raw' | 'csv' | 'tsv' | 'template';
  /** The pieces of a line of --format; none without it. */
  readonly template: readonly TemplatePart[];
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
  const asked = settings.given('format');
  const format = asked === undefined ? readFormat(settings) : 'template';
  if (asked !== undefined) checkFormatAlone(settings);
  checkColumnsAreShown(settings, format);
  return {
    format,
    template: asked === undefined ? [] : parseTemplate(asked),
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

/** --format is a whole output by itself; one of the environment or the configuration file gives way to it. */
function checkFormatAlone(settings: Settings): void {
  const raw = settings.given('raw');
  const other =
    settings.given('output') ?? (raw !== undefined && readBoolean(settings, 'raw') ? raw : undefined);
  if (other === undefined) return;
  throw usageError({
    code: 'exclusive-format',
    what: `--format and ${other.written} exclude each other`,
    why: 'each says how a record is written',
    next: 'keep one of them',
  });
}

function readFormat(settings: Settings): Exclude<OutputPlan['format'], 'template'> {
  const setting = settings.first('output');
  const format = setting === undefined ? 'text' : readOutput(setting);
  if (!readBoolean(settings, 'raw')) return format;
  const asked = settings.given('output');
  if (asked !== undefined && format !== 'text') {
    throw usageError({
      code: 'raw-with-json',
      what: `--raw and ${asked.written} ${format} exclude each other`,
      why: 'raw output consists of the messages only',
      next: 'leave one of them out',
    });
  }
  return 'raw';
}

/** The names of other tools get the flag that does it here. */
function readOutput(setting: Setting): (typeof OUTPUTS)[number] {
  const text = setting.value?.toLowerCase() ?? '';
  const other = Object.hasOwn(OTHER_OUTPUTS, text) ? OTHER_OUTPUTS[text] : undefined;
  if (other === undefined) return readChoice(setting, OUTPUTS);
  throw badValue('bad-choice', setting, `it must be one of ${OUTPUTS.join(', ')}`, other);
}

const OUTPUTS = ['text', 'json', 'csv', 'tsv'] as const;
/** Of stern. */
const OTHER_OUTPUTS: Readonly<Record<string, string>> = {
  raw: 'for only the messages: --raw',
  default: 'leave it out: text is the default',
  extjson: 'for JSON: -o json',
  ppextjson: 'for JSON: -o json, indented by jq',
};

const COLUMN_FLAGS = ['columns', 'add-columns', 'remove-columns'] as const;

/**
 * Columns that were typed for an output that has none. Those of the environment or the configuration file stand for all
 * commands: they are passed over.
 */
function checkColumnsAreShown(settings: Settings, format: OutputPlan['format']): void {
  if (format === 'text' || format === 'csv' || format === 'tsv') return;
  const flag = COLUMN_FLAGS.map((name) => settings.given(name)).find((use) => use !== undefined);
  if (flag === undefined) return;
  const [chosenBy, why] = WITHOUT_COLUMNS[format](settings);
  throw usageError({
    code: 'columns-without-effect',
    what: `${flag.written} has no effect with ${chosenBy}`,
    why,
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

type Told = readonly [chosenBy: string, why: string];

const WITHOUT_COLUMNS: Readonly<Record<'raw' | 'json' | 'template', (settings: Settings) => Told>> = {
  raw: (settings) => [`${settings.first('raw')?.written}`, 'raw output is only the messages'],
  json: (settings) => [`${settings.first('output')?.written} json`, 'each JSON object has all fields'],
  template: () => ['--format', 'the format itself names the fields of each line'],
};
