import { COMMANDS, type Command } from '../commands/commands.ts';
import { CONFIG_KEYS } from '../config-file/keys.ts';
import { EXIT } from '../exit-codes.ts';
import { defaultText } from '../flags/default-text.ts';
import { environmentName, type Flag, isOnByDefault } from '../flags/flag.ts';
import { flagDoc, flagHead } from '../flags/help-text.ts';
import { FLAGS, flagsOf } from '../flags/table.ts';

/** A flag as the reference describes it. */
export interface DescribedFlag {
  /** `-t, --tail[=N]`. */
  readonly head: string;
  readonly doc: string;
  readonly default: string | undefined;
  readonly variable: string | undefined;
  readonly configKey: string | undefined;
}

/** Lists the flags of every command. */
export function globalFlags(): readonly DescribedFlag[] {
  return FLAGS.filter(({ commands }) => commands === 'all').map((flag) => ({
    ...described(flag),
    doc: [flagDoc(flag), ...excludedFlags(flag)].join('; '),
  }));
}

/** Lists commands with a flag of their own of the same name or letter. */
function excludedFlags({ name, short }: Flag): readonly string[] {
  return FLAGS.filter(({ commands }) => commands !== 'all').flatMap((own) => {
    const where = `in logtool ${[own.commands].flat().join(' and logtool ')}`;
    if (own.name === name) return [`${where} --${name} is another flag`];
    return short !== undefined && own.short === short ? [`${where} -${short} is --${own.name}`] : [];
  });
}

/** Lists the flags of only one command. */
export function ownFlags({ name }: Command): readonly DescribedFlag[] {
  return flagsOf(name)
    .filter(({ commands }) => commands !== 'all')
    .map(described);
}

/** Returns the usage line of a command. */
export function usageOf({ name, operands }: Command): string {
  return `logtool ${name}${operands === '' ? '' : ` ${operands}`} [flags]`;
}

export const DESCRIBED = { commands: COMMANDS, keys: CONFIG_KEYS } as const;

/** The meaning of each exit code (exit-codes.ts). */
export const EXIT_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.done, 'success; also when the reader of standard output closed it'],
  [
    EXIT.failure,
    'failure of the cluster, the network or a file; standard error says what, why and what to do next',
  ],
  [EXIT.usage, 'wrong usage or configuration; logtool did nothing'],
  [EXIT.unexplained, '`logtool why` found something wrong, and nothing that it could read says why'],
  [EXIT.hungUp, 'ended by SIGHUP: the terminal closed'],
  [EXIT.interrupted, 'ended by Ctrl-C (SIGINT)'],
  [EXIT.terminated, 'ended by SIGTERM'],
];

function described(flag: Flag): DescribedFlag {
  return {
    head: flagHead(flag).trim(),
    doc: flagDoc(flag),
    default: isOnByDefault(flag) ? undefined : defaultText(flag),
    variable: environmentName(flag),
    configKey: flag.config?.key,
  };
}
