import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import { COMMANDS, findCommand } from '../commands/commands.ts';
import { usageFailure } from '../messages/errors.ts';
import type { RawArguments } from './flag.ts';
import { parseArguments } from './parse.ts';
import { flagsOf } from './table.ts';

/**
 * Finds the command in the arguments and parses them all. Global flags may precede the command. The command
 * is empty if the arguments name none.
 */
export function parseCommandLine(argv: readonly string[]): RawArguments {
  const at = commandIndex(argv);
  if (at === undefined) return parseArguments('', argv);
  const names = leadingNames(argv.slice(at));
  const name = names.join(' ');
  const leading = parseArguments('', argv.slice(0, at));
  if (findCommand(name) === undefined) {
    // `logtool config --help` asks about the whole group.
    const group = names.slice(0, -1).join(' ');
    const last = names.at(-1) ?? '';
    if (group !== '' && (last === '' || last.startsWith('-'))) {
      const rest = argv.slice(at + names.length - 1);
      return { ...parseArguments('', [...argv.slice(0, at), ...rest]), command: group };
    }
    throw unknownCommand(name);
  }
  const own = parseArguments(name, argv.slice(at + names.length));
  const flags = new Map(leading.flags);
  for (const [flag, uses] of own.flags) flags.set(flag, [...(flags.get(flag) ?? []), ...uses]);
  return { ...own, flags };
}

/**
 * Returns the leading arguments that may form a command's name: `logs`, `config init`, `cluster repo add`.
 */
function leadingNames(rest: readonly string[]): readonly string[] {
  let count = 1;
  const isGroup = (prefix: string) => COMMANDS.some(({ name }) => name.startsWith(`${prefix} `));
  while (count <= rest.length && isGroup(rest.slice(0, count).join(' '))) count++;
  return Array.from({ length: count }, (_, index) => rest[index] ?? '');
}

/** Returns the index of the first argument that is neither a global flag nor a global flag's value. */
function commandIndex(argv: readonly string[]): number | undefined {
  const globals = flagsOf('');
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at] ?? '';
    if (argument === '--') return undefined;
    if (!argument.startsWith('-') || argument === '-') return at;
    const flag = globals.find(({ name, short }) => argument === `--${name}` || argument === `-${short}`);
    if (flag !== undefined && flag.value.kind !== 'boolean') at++;
  }
  return undefined;
}

function unknownCommand(name: string): Error {
  const near = nearNames(name, commandNames(), 1)[0];
  return usageFailure('unknown-command', {
    name,
    commands: COMMANDS.map((command) => command.name),
    ...(near === undefined ? {} : { near }),
  });
}

/** Lists the names of commands and of their groups: `config init`, `config`. */
function commandNames(): readonly string[] {
  return [
    ...new Set(
      COMMANDS.flatMap(({ name }) => name.split(' ').map((_, at, names) => names.slice(0, at + 1).join(' '))),
    ),
  ];
}
