import { readConfigFile } from '../config-file/read.ts';
import type { CliContext } from '../context.ts';
import type { RawArguments } from '../flags/flag.ts';
import { CliError } from '../messages/cli-error.ts';
import { withMessage } from '../messages/errors.ts';
import { planProgram } from '../plan/plan-program.ts';
import type { CommandName } from '../plan/plans.ts';
import { mergeSettings, type Settings } from './settings.ts';

/**
 * Loads the settings of a command that reads the configuration file: the one of --config or LOGTOOL_CONFIG,
 * else the default.
 */
export async function loadSettings<C extends CommandName | ''>(
  context: Pick<CliContext, 'env' | 'files' | 'homeDirectory' | 'workingDirectory'>,
  command: C,
  raw: RawArguments,
): Promise<Settings<C>> {
  const { configFile } = planProgram(context, raw);
  try {
    return mergeSettings(command, raw, context.env, await readConfigFile(context, configFile));
  } catch (error) {
    throw await adviseContainer(error, raw);
  }
}

/** Advises on `-c app`, the container flag of kubectl and stern: here it names a file. */
async function adviseContainer(error: unknown, { command, flags }: RawArguments): Promise<unknown> {
  const name = flags.get('config')?.at(-1)?.value ?? '';
  const isMeant = error instanceof CliError && error.code === 'config-not-found' && command === 'logs';
  if (!isMeant || !/^[a-z0-9*][a-z0-9*,-]*$/.test(name)) return error;
  const { ADVICE, readvised } = await import('../messages/advice.ts');
  return readvised(await withMessage(error), ADVICE.containerName(name));
}
