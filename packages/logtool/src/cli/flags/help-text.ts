import { COMMANDS, type Command } from '../commands/commands.ts';
import { defaultText } from './default-text.ts';
import { type Flag, type FlagGroup, isOnByDefault } from './flag.ts';
import { twoColumns, wrapText } from './help-layout.ts';
import { flagsOf } from './table.ts';

const GROUPS: readonly FlagGroup[] = [
  'Sources',
  'Window',
  'Filters',
  'Output',
  'Options',
  'Release',
  'Chart',
  'Server',
  'Cluster',
  'General',
];

const PROGRAM_EXAMPLES = [
  ['logtool logs deployments/web --follow', 'the logs of all its pods, then new records'],
  ['logtool serve', 'the same in the browser'],
  ['logtool demo', 'try it on a simulated cluster'],
] as const;

/** Commands are longer than flags, and need shorter explanations. */
const EXAMPLE_SHARE = 0.65;

/** The layout of help. */
export interface HelpLayout {
  /** Lines have at most this many characters, except for longer words. */
  readonly width: number;
  /** Replaces the program's name in a text with the name that started it. */
  readonly named: (text: string) => string;
}

/** Returns the help of the program, or of a group of commands (`config`). */
export function programHelp(prefix: string, layout: HelpLayout): string {
  const { width, named } = layout;
  const commands = COMMANDS.filter(({ name }) => prefix === '' || name.startsWith(`${prefix} `));
  const rows = commands.map(({ name, summary }) => [name, named(summary)] as const);
  const examples = PROGRAM_EXAMPLES.map(([line, meaning]) => [named(line), meaning] as const);
  return [
    ...wrapText('All the logs of a Kubernetes workload as one true timeline.', width),
    '',
    named(`Usage: logtool ${prefix === '' ? '' : `${prefix} `}COMMAND [flags]`),
    '',
    'Commands:',
    ...twoColumns(rows, width),
    ...flagLines(flagsOf(''), layout),
    '',
    ...(prefix === '' ? ['Examples:', ...twoColumns(examples, width, EXAMPLE_SHARE), ''] : []),
    named(`See: logtool ${prefix === '' ? '' : `${prefix} `}COMMAND --help`),
    '',
  ].join('\n');
}

/** Returns the help of one command: usage, flags by group, examples. */
export function commandHelp(command: Command, layout: HelpLayout): string {
  const { width, named } = layout;
  const examples = command.examples.map(
    ({ command: line, meaning }) => [named(line), named(meaning)] as const,
  );
  const operands = command.operands === '' ? '' : ` ${command.operands}`;
  const paragraphs = (command.description ?? '').split('\n\n').filter((text) => text !== '');
  return [
    ...wrapText(named(command.summary), width),
    '',
    named(`Usage: logtool ${command.name}${operands} [flags]`),
    ...paragraphs.flatMap((text) => ['', ...wrapText(named(text), width)]),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...twoColumns(examples, width, EXAMPLE_SHARE)]),
    ...flagLines(flagsOf(command.name), layout),
    '',
  ].join('\n');
}

function flagLines(flags: readonly Flag[], { width, named }: HelpLayout): string[] {
  return GROUPS.flatMap((group) => {
    const rows = flags
      .filter((flag) => flag.group === group)
      .map((flag) => [flagHead(flag), named(flagDoc(flag) + defaultNote(flag))] as const);
    return rows.length === 0 ? [] : ['', `${group}:`, ...twoColumns(rows, width)];
  });
}

/** Describes the form of the flag that help shows, and lists its aliases. */
export function flagDoc(flag: Flag): string {
  const doc = isOnByDefault(flag) ? (flag.negated ?? `Not --${flag.name}`) : flag.doc;
  return [doc, ...(flag.aliases ?? []).map((alias) => `also --${alias}`)].join('; ');
}

function defaultNote(flag: Flag): string {
  const text = typeof flag.default === 'boolean' ? undefined : defaultText(flag);
  return text === undefined ? '' : ` (default ${text})`;
}

/**
 * Formats `-t, --tail[=N]`; without a short form, with the same indentation. A switch that is on by default:
 * `--no-wait`.
 */
export function flagHead(flag: Flag): string {
  if (isOnByDefault(flag)) return `    --no-${flag.name}`;
  const { name, short, value } = flag;
  const start = `${short === undefined ? '    ' : `-${short}, `}--${name}`;
  switch (value.kind) {
    case 'boolean':
      return start;
    case 'count':
      return value.optional ? `${start}[=N]` : `${start} N`;
    case 'bytes':
      return `${start} SIZE`;
    case 'duration':
      return `${start} DURATION`;
    case 'columns':
      return `${start} NAMES`;
    case 'text':
    case 'list':
      return `${start} ${value.placeholder}`;
    case 'choice':
      return value.bare === undefined
        ? `${start} ${value.choices.join('|')}`
        : `${start}[=${value.choices.join('|')}]`;
  }
}
