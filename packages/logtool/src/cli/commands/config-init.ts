import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { ConfigFormat } from '../config-file/config-format.ts';
import {
  defaultConfigPath,
  existingDefaults,
  expandPath,
  formatOfName,
  severalDefaults,
} from '../config-file/locate.ts';
import { renderConfig } from '../config-file/render.ts';
import { fileExists, writeConfigFile } from '../config-file/write.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import type { CliError } from '../messages/cli-error.ts';
import { configFailure } from '../messages/errors.ts';
import { planConfigInit } from '../plan/plan-config.ts';
import { planProgram } from '../plan/plan-program.ts';

/** Writes a configuration file with the defaults and prints its path. */
export async function configInit(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const { format, path: typed, force, dryRun } = planConfigInit(context, raw);
  const asked = typed ?? planProgram(context, raw).configFile;
  const before = asked === undefined ? await existingDefaults(context) : [];
  // Without --format, the file that logtool reads is the one to overwrite.
  const unasked = (format === undefined ? before[0] : undefined) ?? defaultConfigPath(context, format);
  const path = asked === undefined ? unasked : expandPath(asked, context);
  // logtool reads a file in the format of its name.
  const named = formatOfName(path);
  if (format !== undefined && named !== undefined && named !== format) throw otherFormat(path, named, format);
  if (before[0] !== undefined && !force) throw fileExists(before[0]);
  const text = renderConfig(format ?? named ?? 'yaml');
  if (dryRun) {
    await context.stdout.write(text);
    await context.stderr.write(`would write ${sanitizeText(path)}\n`);
    return EXIT.done;
  }
  await writeConfigFile(context.files, path, text, { force });
  await context.stdout.write(`wrote ${context.stdout.isTTY ? sanitizeText(path) : path}\n`);
  const note = asked === undefined ? severalDefaults(await existingDefaults(context)) : undefined;
  if (note !== undefined) await context.stderr.write(note);
  return EXIT.done;
}

function otherFormat(path: string, named: ConfigFormat, format: ConfigFormat): CliError {
  return configFailure('config-format-mismatch', { path, named, format });
}
