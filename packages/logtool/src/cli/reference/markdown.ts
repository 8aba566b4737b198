import type { Command } from '../commands/commands.ts';
import { DESCRIBED, type DescribedFlag, EXIT_MEANINGS, globalFlags, ownFlags, usageOf } from './describe.ts';

/** Renders the reference of the command line, docs/cli.md. */
export function markdownReference(): string {
  const sections = [
    '# The command line',
    '`npm run docs` writes this page from the table of flags; `man logtool` and `logtool COMMAND --help` show the same.',
    DESCRIBED.commands.map((command) => `- \`${usageOf(command)}\``).join('\n'),
    ...DESCRIBED.commands.flatMap(commandSections),
    '## Flags of every command',
    flagTable(globalFlags()),
    '## Configuration file',
    'A flag wins over its variable, and that over the file. logtool ignores an empty variable. `logtool config show` prints the effective settings and where each comes from.',
    table(
      ['key', 'what', 'default'],
      DESCRIBED.keys.map(({ path, doc, default: value }) => [
        code(path),
        text(doc),
        code(JSON.stringify(value)),
      ]),
    ),
    '## Exit codes',
    table(
      ['code', 'meaning'],
      EXIT_MEANINGS.map(([number, meaning]) => [String(number), text(meaning)]),
    ),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function commandSections(command: Command): readonly string[] {
  const examples = command.examples.map(({ command: line, meaning }) => `${line}  # ${meaning}`);
  return [
    `## logtool ${command.name}`,
    `${text(command.summary)}.`,
    fence([usageOf(command)]),
    text((command.description ?? '').replaceAll('\n', ' ')),
    examples.length === 0 ? '' : fence(examples),
    flagTable(ownFlags(command)),
  ];
}

function flagTable(flags: readonly DescribedFlag[]): string {
  if (flags.length === 0) return '';
  return table(
    ['flag', 'what', 'default', 'variable or key'],
    flags.map(({ head, doc, default: value, variable, configKey }) => [
      code(head),
      text(doc),
      value === undefined ? '' : code(value),
      [variable, configKey].flatMap((name) => (name === undefined ? [] : [code(name)])).join(', '),
    ]),
  );
}

/** Makes columns as wide as their widest cell, as the format check requires. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(3, ...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function fence(lines: readonly string[]): string {
  return ['```sh', ...lines, '```'].join('\n');
}

/** In a table, a bar ends a cell, even in code. */
const code = (content: string) => `\`${content.replaceAll('|', '\\|')}\``;

/** Escapes prose: characters with a meaning in Markdown or HTML become literal. */
const text = (content: string) => content.replaceAll(/[|*<>_[\]\\]/g, '\\$&');
