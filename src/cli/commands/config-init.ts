import { sanitizeText } from '../../domain/sanitize.ts';
import type { ConfigFormat } from '../config-file/keys.ts';
import { defaultConfigPath, expandPath, formatOfName } from '../config-file/locate.ts';
import { renderConfig } from '../config-file/render.ts';
import { writeConfigFile } from '../config-file/write.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import { mergeSettings } from '../plan/settings.ts';
import { readBoolean, readChoice, readText } from '../plan/values.ts';

const FORMATS: readonly ConfigFormat[] = ['yaml', 'json', 'toml'];

/** Writes a configuration file with the defaults and says where. */
export async function configInit(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const settings = mergeSettings(raw, context.env, undefined);
  const format = settings.first('format');
  const asked = readText(settings, 'path', '~/.logtool/config.yaml');
  const path = asked === undefined ? defaultConfigPath(context) : expandPath(asked, context);
  const force = readBoolean(settings, 'force');
  // What is written is read as its name says.
  const named = formatOfName(path) ?? 'yaml';
  const text = renderConfig(format === undefined ? named : readChoice(format, FORMATS));
  await writeConfigFile(context.files, path, text, { force });
  await context.stdout.write(`wrote ${context.stdout.isTTY ? sanitizeText(path) : path}\n`);
  return EXIT.done;
}
