import { COMMANDS } from './commands/commands.ts';

const NAME = 'logtool';
const PLUGIN = 'kubectl logtool';

/**
 * The user's command to run the program, by the started file: an executable `kubectl-logtool` is a plugin of
 * kubectl (kubernetes.io: Extend kubectl with plugins).
 */
export function programName(path: string): string {
  const file = path.split(/[\\/]/).at(-1) ?? '';
  return /^kubectl-logtool(\.\w+)?$/i.test(file) ? PLUGIN : NAME;
}

/**
 * The arguments of the program: under the name `kubectl_complete-logtool` it is what kubectl asks to complete its plugin
 * `kubectl logtool` (kubernetes.io: Extend kubectl with plugins).
 */
export function programArguments(path: string, args: readonly string[]): readonly string[] {
  const file = path.split(/[\\/]/).at(-1) ?? '';
  return /^kubectl_complete-logtool(\.\w+)?$/i.test(file) ? ['__complete', ...args] : args;
}

/** A text that names commands, with the program under the name that was typed: `kubectl logtool serve`. */
export function namedAs(text: string, program: string): string {
  if (program === NAME) return text;
  const names = new Set(['COMMAND', '--help', ...COMMANDS.map(({ name }) => name.split(' ')[0] ?? '')]);
  return text.replaceAll(/(?<![\w/.:-])logtool (-*\w+)/g, (whole, command: string) =>
    names.has(command) ? `${program} ${command}` : whole,
  );
}
