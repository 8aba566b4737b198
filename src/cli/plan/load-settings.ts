import { readConfigFile } from '../config-file/read.ts';
import type { CliContext } from '../context.ts';
import type { RawArguments } from '../flags/flag.ts';
import { mergeSettings, type Settings } from './settings.ts';
import { readText } from './values.ts';

/** Settings of a command that reads the configuration file: the one of --config or LOGTOOL_CONFIG, else the default. */
export async function loadSettings(
  context: Pick<CliContext, 'env' | 'files' | 'homeDirectory' | 'workingDirectory'>,
  raw: RawArguments,
): Promise<Settings> {
  const asked = readText(mergeSettings(raw, context.env, undefined), 'config', 'FILE');
  return mergeSettings(raw, context.env, await readConfigFile(context, asked));
}
