import type { Command } from '../commands/commands.ts';
import { defaultOf } from '../flags/table.ts';
import { DESCRIBED, type DescribedFlag, EXIT_MEANINGS, globalFlags, ownFlags, usageOf } from './describe.ts';

/** Renders the manual page logtool(1), in the language of man(7). */
export function manPage(version: string): string {
  const lines = [
    `.TH LOGTOOL 1 "" "logtool ${version}" "User Commands"`,
    '.SH NAME',
    text('logtool - all the logs of a Kubernetes workload as one true timeline'),
    '.SH SYNOPSIS',
    ...DESCRIBED.commands.flatMap((command, at) => [...(at === 0 ? [] : ['.br']), bold(usageOf(command))]),
    '.SH DESCRIPTION',
    text(
      'Shows the merged logs of many containers in the terminal or in the browser, and keeps showing them while',
    ),
    text('pods come, crash and go. Records go to standard output, everything else to standard error.'),
    '.SH COMMANDS',
    ...DESCRIBED.commands.flatMap(commandLines),
    '.SH GLOBAL OPTIONS',
    ...globalFlags().flatMap(flagLines),
    '.SH CONFIGURATION FILE',
    text('A flag wins over its variable, and that over the file.'),
    ...DESCRIBED.keys.flatMap(({ path, doc, default: value }) =>
      tagged(bold(path), `${doc} (default ${JSON.stringify(value)})`),
    ),
    '.SH FILES',
    ...tagged(bold(String(defaultOf('', 'config'))), 'the configuration file; YAML, JSON or TOML'),
    ...tagged(bold('$XDG_CACHE_HOME/logtool'), 'files that logtool can create again; else ~/.cache/logtool'),
    '.SH EXIT STATUS',
    ...EXIT_MEANINGS.flatMap(([code, meaning]) => tagged(bold(String(code)), meaning)),
    '.SH SEE ALSO',
    '.BR kubectl (1),',
    '.BR helm (1)',
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines(command: Command): readonly string[] {
  return [
    `.SS ${text(`logtool ${command.name}`)}`,
    text(`${command.summary}.`),
    ...(command.description === undefined ? [] : ['.PP', ...command.description.split('\n').map(text)]),
    ...command.examples.flatMap(({ command: line, meaning }) => tagged(bold(line), meaning)),
    ...ownFlags(command).flatMap(flagLines),
  ];
}

function flagLines({ head, doc, default: value, variable, configKey }: DescribedFlag): readonly string[] {
  const known = [
    value === undefined ? [] : [`default ${value}`],
    [variable, configKey].filter((name) => name !== undefined),
  ].flat();
  return tagged(bold(head), known.length === 0 ? doc : `${doc} (${known.join(', ')})`);
}

function tagged(tag: string, meaning: string): readonly string[] {
  return ['.TP', tag, text(meaning)];
}

const bold = (content: string) => `\\fB${escaped(content)}\\fR`;

/** Formats a line of prose: a dot or an apostrophe at its start would be a request. */
function text(content: string): string {
  return /^[.']/.test(content) ? `\\&${escaped(content)}` : escaped(content);
}

/**
 * Backslashes begin escapes; groff may render a bare hyphen, quote, caret or tilde as another character
 * (groff_char(7)).
 */
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};
const escaped = (content: string) =>
  content.replaceAll(/[\\\-'`^~]/g, (character) => ESCAPES[character] ?? '');
