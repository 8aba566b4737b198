import { COMMANDS } from './commands/commands.ts';

const NAME = 'logtool';
const PLUGIN = 'kubectl logtool';

/**
 * Returns the user's command to run the program, from the file that was started: an executable
 * `kubectl-logtool` is a plugin of kubectl (kubernetes.io: Extend kubectl with plugins).
 */
export function programName(path: string): string {
  const file = path.split(/[\\/]/).at(-1) ?? '';
  return /^kubectl-logtool(\.\w+)?$/i.test(file) ? PLUGIN : NAME;
}

/**
 * Returns the program's arguments. kubectl runs `kubectl_complete-logtool` to complete its plugin `kubectl
 * logtool` (kubernetes.io: Extend kubectl with plugins).
 */
export function programArguments(path: string, args: readonly string[]): readonly string[] {
  const file = path.split(/[\\/]/).at(-1) ?? '';
  return /^kubectl_complete-logtool(\.\w+)?$/i.test(file) ? ['__complete', ...args] : args;
}

/**
 * Replaces the program's name in a text that names commands by the name that the user typed: `kubectl logtool
 * serve`.
 */
export function namedAs(text: string, program: string): string {
  if (program === NAME) return text;
  const names = new Set(['COMMAND', '--help', ...COMMANDS.map(({ name }) => name.split(' ')[0] ?? '')]);
  return text.replaceAll(/(?<![\w/.:-])logtool (-*\w+)/g, (whole, command: string) =>
    names.has(command) ? `${program} ${command}` : whole,
  );
}
