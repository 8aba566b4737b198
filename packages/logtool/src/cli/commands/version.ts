import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import { mergeSettings } from '../plan/settings.ts';
import { readBoolean } from '../plan/values.ts';

/** Prints the version, or the licences of everything that the program holds. */
export async function version(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const wantsLicenses =
    raw.command === 'version' && readBoolean(mergeSettings(raw, context.env, undefined), 'licenses');
  await context.stdout.write(
    wantsLicenses
      ? await (await import('./licenses.ts')).licensesText(context)
      : `logtool ${context.version}\n`,
  );
  return EXIT.done;
}
