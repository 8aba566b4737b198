import { COMMANDS, type Command } from '../commands/commands.ts';
import type { Flag, FlagGroup } from './flag.ts';
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
  ['logtool logs deployments/web --follow', 'the logs of all its pods, and what comes next'],
  ['logtool serve', 'the same in the browser'],
  ['logtool demo', 'try it on a simulated cluster'],
] as const;

/** Help of the program, or of a group of commands (`config`). */
export function programHelp(prefix = ''): string {
  const commands = COMMANDS.filter(({ name }) => prefix === '' || name.startsWith(`${prefix} `));
  const rows = commands.map(({ name, summary }) => [name, summary] as const);
  return [
    'All the logs of a Kubernetes workload as one true timeline.',
    '',
    `Usage: logtool ${prefix === '' ? '' : `${prefix} `}COMMAND [flags]`,
    '',
    'Commands:',
    ...twoColumns(rows),
    ...flagLines(flagsOf('')),
    '',
    ...(prefix === '' ? ['Examples:', ...twoColumns(PROGRAM_EXAMPLES), ''] : []),
    `See: logtool ${prefix === '' ? '' : `${prefix} `}COMMAND --help`,
    '',
  ].join('\n');
}

/** Help of one command: usage, flags by group, examples. */
export function commandHelp(command: Command): string {
  const examples = command.examples.map(({ command: line, says }) => [line, says] as const);
  const operands = command.operands === '' ? '' : ` ${command.operands}`;
  return [
    command.summary,
    '',
    `Usage: logtool ${command.name}${operands} [flags]`,
    ...(command.description === undefined ? [] : ['', command.description]),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...twoColumns(examples)]),
    ...flagLines(flagsOf(command.name)),
    '',
  ].join('\n');
}

function flagLines(flags: readonly Flag[]): string[] {
  return GROUPS.flatMap((group) => {
    const rows = flags
      .filter((flag) => flag.group === group)
      .map((flag) => [flagHead(flag), flag.doc + defaultText(flag)] as const);
    return rows.length === 0 ? [] : ['', `${group}:`, ...twoColumns(rows)];
  });
}

function defaultText(flag: Flag): string {
  return flag.default === undefined ? '' : ` (default ${flag.default})`;
}

/** `-t, --tail[=N]`; without a short form as wide as with one. */
export function flagHead({ name, short, value }: Flag): string {
  const start = `${short === undefined ? '    ' : `-${short}, `}--${name}`;
  switch (value.kind) {
    case 'boolean':
      return start;
    case 'count':
      return value.optional ? `${start}[=N]` : `${start} N`;
    case 'bytes':
      return `${start} SIZE`;
    case 'text':
    case 'list':
      return `${start} ${value.placeholder}`;
    case 'choice':
      return value.bare === undefined
        ? `${start} ${value.choices.join('|')}`
        : `${start}[=${value.choices.join('|')}]`;
  }
}

function twoColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
