import { whyOf } from '@logtool/kube/src/values/problems.ts';
import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { whyText } from '../../messages/problems.ts';
import {
  defaultConfigPath,
  existingDefaults,
  expandPath,
  pathArgument,
  severalDefaults,
} from '../config-file/locate.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import { planProgram } from '../plan/plan-program.ts';

/**
 * Prints the path of the configuration file, even if the file does not exist: scripts may want to write it.
 */
export async function configPath(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const asked = planProgram(context, raw).configFile;
  const defaults = asked === undefined ? await existingDefaults(context) : [];
  const path = asked === undefined ? (defaults[0] ?? defaultConfigPath(context)) : expandPath(asked, context);
  const several = severalDefaults(defaults);
  if (several !== undefined) await context.stderr.write(several);
  // Scripts get exact bytes; a path may hold anything but a NUL.
  await context.stdout.write(`${context.stdout.isTTY ? sanitizeText(path) : path}\n`);
  try {
    await context.files.readSmallFile(path);
  } catch (error) {
    const where = pathArgument(path, context);
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `there is no such file: logtool config init${where} writes one`
        : whyText(whyOf(error));
    await context.stderr.write(`note: ${sanitizeText(why)}\n`);
  }
  return EXIT.done;
}
